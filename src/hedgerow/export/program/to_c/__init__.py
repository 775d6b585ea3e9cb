"""The steps of a scoring program in C.   In: the Program.   Out: C text.

steps.py       for each step its arrays and the call of a helper
helpers.py     the helpers: C functions; one is written only where a step needs it, for unused functions warn
"""
