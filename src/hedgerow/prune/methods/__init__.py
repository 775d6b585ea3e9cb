"""methods: the prunings, one file each; the file's name is what `prune=` takes. method.py beside says what such a file
has.
"""
