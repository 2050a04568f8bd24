"""Certain worths of positions, values backed up from them, and dives that prove."""
