"""commands: one file each. `make()` declares the command; what it runs is imported when it runs."""
