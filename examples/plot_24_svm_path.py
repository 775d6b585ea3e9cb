"""
Every C at once
===============

Cross-validated error along the path; the smallest C within a standard error of the best is chosen.
"""

from hedgerow import SVC, ToNumbers, datasets, svm_path

heart = datasets.heart()
X = ToNumbers().fit(heart.table).transform(heart.table)
path = svm_path(SVC(), X, heart.target)
print(path.params())
axes = path.draw()
