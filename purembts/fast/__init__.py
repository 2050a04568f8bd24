"""Fast forms of plain functions: linked positions, and many dives in one call."""
