"""Bagging of any learner of scikit-learn.

A part of bagging.py: for estimators with `draws_`, `_columns(t, n)`, `_classes()`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from hedgerow.core import native, threads_for
from hedgerow.ensemble.columns import widen
from hedgerow.ensemble.draws import Draws
from hedgerow.ensemble.forest import Forest
from hedgerow.ensemble.oob import Tally, add_member, empty_tally, losses
from hedgerow.ensemble.stop import FEWEST, STEP, look
from hedgerow.estimators.bag import Bag
from hedgerow.estimators.bag_members import (
    fit_member,
    member_values,
    rows_to_give,
    table_of_members,
    take_rows,
)
from hedgerow.estimators.out_of_bag import OutOfBag
from hedgerow.grow import Outputs, Target
from hedgerow.table import Table
from hedgerow.tree.tree import Tree
from hedgerow.types import Float


class MemberBag(Bag):
    _members: list[Any]
    _given: Any  # the rows of training, as members take them

    def _fit_members(
        self,
        learner: Any,
        X: Any,
        table: Table,
        target: Target | Outputs,
        draws: Draws,
        older: Sequence[Any],
        n_members: int,
        more: dict[str, Any],
    ) -> None:
        """`more`: what their fit is given beside rows, labels and weights."""
        given = table if isinstance(learner, self._tree_type) else rows_to_give(X, table, [learner])
        labels = self._labels_of(target)
        n_columns = len(table.columns)
        threads = threads_for(self.n_jobs, table.n_rows * n_columns * n_members)
        self._given = given

        def trained(first: int, many: int) -> list[Any]:
            one = delayed(fit_member)
            return list(
                Parallel(threads, prefer="threads")(
                    one(
                        learner,
                        given,
                        labels,
                        draws.weights(t),
                        weights_are_counts=draws.weight is None or not draws.carries_weight,
                        columns=self._columns(t, n_columns),
                        seed=native.tree_seed(draws.seed, t) % (2**31 - 1),
                        more=more,
                    )
                    for t in range(first, first + many)
                )
            )

        members = list(older)
        if self.stop is None:
            members += trained(len(members), n_members - len(members))
        else:
            members = self._members_until_flat(trained, members, target, n_members)  # type: ignore[arg-type]
        self._members = members
        trees = (isinstance(m, self._tree_type) and hasattr(m, "hedgerow_tree_") for m in members)
        if self.n_outputs_ == 1 and all(trees):
            self.forest_ = Forest(tuple(self._widened(t, m) for t, m in enumerate(members)), draws)
            self._missing = frozenset().union(*(m.labels_.missing for m in members))

    def _widened(self, t: int, member: Any) -> Tree:
        """The member's tree, in all columns and all classes."""
        tree = widen(member.hedgerow_tree_, self._columns(t, self.n_features_in_), self.schema_.n_levels)
        classes = self._classes()
        if classes is None or len(classes) == tree.n_outputs:
            return tree
        value = np.zeros((tree.n_nodes, len(classes)))
        value[:, np.searchsorted(classes, member.classes_)] = tree.value
        return replace(tree, value=value)

    def _members_until_flat(self, trained: Any, members: list[Any], target: Target, most: int) -> list[Any]:
        tally = empty_tally(self.draws_.n_rows, self._n_outputs(target), self.draws_.weight)
        members = members or trained(0, min(FEWEST, most))
        while True:
            for t in range(len(tally.loss), len(members)):
                tally = self._add(tally, members[t], t, target)
            covered = tally.covered
            self.stopped_ = look(tally.loss, losses(tally.mean[covered], target, covered), most)
            if self.stopped_.flat or len(members) >= most:
                return members
            members = members + trained(len(members), min(STEP, most - len(members)))

    def _add(self, tally: Tally, member: Any, t: int, target: Target) -> Tally:
        out = self.draws_.oob(t)
        if not out.any():
            return replace(tally, loss=np.append(tally.loss, tally.loss[-1:] if len(tally.loss) else np.nan))
        rows = take_rows(self._given, np.flatnonzero(out))
        values = member_values(member, rows, self._columns(t, self.n_features_in_), self._classes())
        return add_member(tally, out, values, target)

    def out_of_bag(self, X: Any = None, y: Any = None) -> OutOfBag:
        """Predict training rows by the members that have not seen them."""
        if hasattr(self, "forest_"):
            return super().out_of_bag(X, y)
        check_is_fitted(self)
        self._need_rows_outside()
        if X is not None and y is not None:
            target: Target = self._known_target(y)
            self._given = rows_to_give(X, table_of_members(X), self._members)
        elif getattr(self, "_training", None) is not None:
            target = self._training.check_unchanged().target
        else:
            raise ValueError(
                "This model was copied or loaded, and the rows it was trained on did not come along. Give them: X "
                "and y."
            )
        tally = empty_tally(self.draws_.n_rows, self._n_outputs(target), self.draws_.weight)
        for t, member in enumerate(self._members):
            tally = self._add(tally, member, t, target)
        return OutOfBag(tally, target, self._classes())

    def _member_values(self, X: Any, threads: int, **more: Any) -> list[Float]:
        """What members that are not our trees say, each rows x outputs. `more`: what they are given beside X."""
        given, classes = rows_to_give(X, table_of_members(X), self._members), self._classes()
        one = delayed(member_values)
        return list(
            Parallel(threads, prefer="threads")(
                one(member, given, self._columns(t, self.n_features_in_), classes, **more)
                for t, member in enumerate(self._members)
            )
        )

    def _need_trees(self) -> None:
        if not hasattr(self, "forest_"):
            raise AttributeError(
                f"This is for members that are hedgerow's trees, but they are {type(self._members[0]).__name__}. "
                "sklearn.inspection has permutation_importance for any model."
            )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_given"}
