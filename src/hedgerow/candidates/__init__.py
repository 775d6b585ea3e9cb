"""candidates: the models that commands and studies know by name, one file each; hedgerow.candidate says what it has."""
