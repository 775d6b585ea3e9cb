"""
From a table to a model in one command
======================================

The same as `hedgerow study titanic`, from Python: a hold-out is sealed, models are compared on the same
folds, and the best is shown with its interval.
"""

import hedgerow

result = hedgerow.study("titanic", quick=True)
print(result)
