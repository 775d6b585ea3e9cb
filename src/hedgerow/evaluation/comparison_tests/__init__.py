"""comparison_tests: one file each, nothing else; the file's name is the test's. comparison_test.py, beside this folder,
says what such a file has.
"""
