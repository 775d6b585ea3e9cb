"""sections: the sections of the report, one file each; ../section.py says what such a file has."""
