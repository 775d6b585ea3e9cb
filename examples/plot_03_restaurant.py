"""
ID3 on twelve evenings
======================

The example decision trees are taught with; the trace says what each column offered.
"""

from hedgerow import datasets, recipe

evenings = datasets.restaurant()
tree = recipe("id3", trace=True).fit(evenings.table, evenings.target)
print(tree.trace_.to_text())
axes = tree.draw()
