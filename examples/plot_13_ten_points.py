"""
AdaBoost, round by round
========================

Three stumps separate ten points that none of them separates alone.
"""

from hedgerow import AdaBoostClassifier, datasets

points = datasets.ten_points()
model = AdaBoostClassifier(n_estimators=3).fit(points.table, points.target)
print(model.diagnostics_)
figure = model.draw_rounds(points.table, points.target)
