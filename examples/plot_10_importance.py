"""
Importance that noise cannot earn
=================================

Permutation importance out of bag, with intervals.
"""

from hedgerow import RandomForestClassifier, datasets

heart = datasets.heart()
forest = RandomForestClassifier(200, random_state=0).fit(heart.table, heart.target)
found = forest.importance()
print(found)
axes = found.draw()
