"""metrics: one file each, nothing else; the file's name is the metric's. metric.py, beside this folder, says what such
a file has.
"""
