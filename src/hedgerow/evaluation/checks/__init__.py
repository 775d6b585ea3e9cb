"""checks: one file each, nothing else. check.py, beside this folder, says what such a file has."""
