"""What each kind of model keeps in its file, one file a kind. store/kind.py says what such a file has."""
