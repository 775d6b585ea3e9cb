"""The losses of gradient boosting: one file each; the file's name is the loss's name (../loss.py says what it has)."""
