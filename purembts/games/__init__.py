"""The games: rules as `Game` values, and nothing in them about search."""
