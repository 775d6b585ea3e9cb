"""Gradient boosting on a Dask cluster.

fit.py       an estimator and collections -> the estimator, fitted
rows.py      which rows train; shards, one a worker
shard.py     the rows of one worker, and their sums step by step
steps.py     the same of all workers
grower.py    one tree from histograms that come from anywhere
wide.py      sums of 2^30 rows and more
"""
