"""Losses of boosting, one file each; the file's name is the loss's name. boost/loss.py says what such a file has."""
