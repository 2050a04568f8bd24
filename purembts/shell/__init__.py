"""All effects: printing, reading, files, the clock. Nothing in the core needs them."""
