"""Trees and forests on a Dask cluster.

fit.py       trees by worker where rows fit one; else by sums, as far as these can
spread.py    rows that fit no worker: weights, bins, shards, trees
places.py    the places of rows in the order that draws follow
shard.py     the rows of one worker, and their sums step by step
steps.py     the same of all workers
grower.py    trees from sums that come from anywhere
join.py      one tree of the parts that were grown in several places
"""
