"""
From a table to a model in one command
======================================

The same as `hedgerow study titanic`, from Python: a hold-out is sealed, models are compared on the same
folds, and the best is shown with its interval.
"""

import matplotlib.pyplot as plt

import hedgerow

result = hedgerow.study("titanic", quick=True)
print(result)

# %%
# The candidates on the same folds: scores with their 95 % intervals; the chosen one is filled.
figure, axes = plt.subplots(figsize=(6.4, 3))
for k, one in enumerate(reversed(result.candidates)):
    score, chosen = one.scores[0], one.name == result.verdict.chosen
    axes.plot([score.low, score.high], [k, k], color="0.4")
    axes.plot(score.value, k, "o", color="tab:green", fillstyle="full" if chosen else "none")
axes.set_yticks(range(len(result.candidates)), [one.name for one in reversed(result.candidates)])
axes.set_xlabel(result.question.scoring_title)
