"""The steps of a scoring program in SQL.   In: the Program, a dialect.   Out: one SELECT.

Each stage is a WITH query that carries on what is still needed and adds columns:

    cells   the columns of the table, as numbers          c0, c1, ...
    trees   the leaf of some trees; then the sums so far  (deep trees in slices: SQLite nests only so deep)
    steps   s<k>_<i>, the numbers of step k

Stages are MATERIALIZED: folded into each other, an expression that is used twice would be computed twice, and so on.

dialect.py     numbers, text and names as each database wants them
query.py       stages as they are written; sums, exponentials, decisions
trees.py       trees
dates.py       parts of dates
links.py       scores as probabilities
steps.py       the other steps
select.py      all of it
"""
