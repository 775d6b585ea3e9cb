"""What is wrong with a model file."""


class InvalidModelFile(ValueError):
    """The file is no model this library can read. The message names the file, the defect and a way out.

    Below file.py nobody knows the file's name: the message is then what follows it, "holds no array 'feature'".
    """
