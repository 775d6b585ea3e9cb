"""What is wrong with a model file.   In: a sentence without its subject.   Out: an error naming the file.

Below the edge nobody knows the file's name; it is added once, in store.py."""


class ModelFileError(ValueError):
    """The file is no model this library can read. The message names the file, the defect and a way out."""


class Defect(ValueError):
    """What is wrong, in words that follow the file's name: "holds no array 'feature'"."""
