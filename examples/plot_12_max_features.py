"""
How many columns should a node look at?
=======================================

Strength and correlation of the trees decide; the out-of-bag loss shows it.
"""

from hedgerow import RandomForestClassifier, compare_max_features, datasets

heart = datasets.heart()
found = compare_max_features(RandomForestClassifier(100, random_state=0), heart.table, heart.target)
print(found)
axes = found.draw()
