"""Weak learners of boosting, one file each. boost/weak_learner.py says what such a file has."""
