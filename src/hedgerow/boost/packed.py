"""Scores of many rounds at once.   In: Rounds and rows.   Out: the same scores as combine.py, faster."""

from hedgerow.boost.combine import scores, staged_scores

__all__ = ["scores", "staged_scores"]
