"""Every effect there is: printing, reading, files, the clock. Nothing in the core needs it."""
