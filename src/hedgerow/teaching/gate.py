"""Members for different regions (lecture 003).   In: classifiers, rows.   Out: GatedClassifier: a small tree, the gate,
says which member answers in which region.

Members are fitted to some of the rows; on the others the gate learns who is right where: a row counts for the member
that gives its class the most probability, by how much more that is than what the worst member gives. Then members are
fitted to all rows.
"""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from hedgerow.docstrings import document
from hedgerow.estimators import DecisionTreeClassifier
from hedgerow.estimators.targets import check_classes
from hedgerow.fitting.validate import share
from hedgerow.table import Table, to_table
from hedgerow.table.split import stratified_split
from hedgerow.types import Count, Float


@document()
class GatedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Different members for different regions of the instance space, divided by a tree.

    Parameters
    ----------
    members : list of (str, classifier)
        Pairs of a name and a classifier with predict_proba.
    max_leaf_nodes : int
        Regions, at most.
    min_samples_leaf : int
        Fewest rows, of those that the gate learns from, in a region.
    validation_fraction : float
        Share of the rows that the gate learns from.
    random_state : int
        Chooses these rows.

    Attributes
    ----------
    gate_ : DecisionTreeClassifier
        The tree; its classes are the names of members. It prints and draws itself.
    members_ : dict
        The fitted classifiers, by name.
    classes_

    See Also
    --------
    WeightedVotingClassifier : Members that all answer, each with its weight.

    References
    ----------
    Jacobs, R. A., Jordan, M. I., Nowlan, S. J., Hinton, G. E. (1991). Adaptive mixtures of local experts. Neural
    Computation 3, 79-87.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import DecisionTreeClassifier, SVC
    >>> from hedgerow.teaching import GatedClassifier
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> y = (X[:, 0] * X[:, 1] > 0).astype(int)
    >>> members = [("tree", DecisionTreeClassifier(max_depth=2)), ("machine", SVC(probability=True))]
    >>> model = GatedClassifier(members).fit(X, y)
    >>> sorted(model.members_)
    ['machine', 'tree']
    """

    def __init__(
        self,
        members: Any,
        *,
        max_leaf_nodes: int = 4,
        min_samples_leaf: int = 10,
        validation_fraction: float = 0.3,
        random_state: int = 0,
    ) -> None:
        self.members = members
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.validation_fraction = validation_fraction
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        names = [name for name, _ in self.members]
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError(
                f"members={names!r}: give at least two pairs of a name and a classifier, names all different."
            )
        table = to_table(X)
        target, self.classes_ = check_classes(type(self).__name__, y, table.n_rows, None, None)
        labels = np.asarray(y).reshape(-1)
        fraction = share("validation_fraction", self.validation_fraction)
        aside = stratified_split(target.codes.astype(np.int64), fraction, self.random_state)
        learn, judge = np.flatnonzero(~aside), np.flatnonzero(aside)
        fitted = [clone(one).fit(_some(X, table, learn), labels[learn]) for _, one in self.members]
        given = _probabilities(fitted, _some(X, table, judge), self.classes_)
        own = given[:, np.arange(len(judge)), target.codes[judge]]  # members x rows
        best, apart = own.argmax(axis=0), own.max(axis=0) - own.min(axis=0)
        gate = DecisionTreeClassifier(
            max_leaf_nodes=self.max_leaf_nodes, min_samples_leaf=self.min_samples_leaf
        )
        weight = apart if apart.any() else np.ones(len(judge))
        self.gate_ = gate.fit(
            table.take(judge), np.array(names)[best], sample_weight=np.maximum(weight, 1e-9)
        )
        self.members_ = {name: clone(one).fit(X, labels) for name, one in self.members}
        return self

    def which_member(self, X: Any) -> NDArray[Any]:
        """The name of the member that answers each row.

        Returns
        -------
        ndarray of shape (n_samples,)
            Names of members.
        """
        check_is_fitted(self)
        return self.gate_.predict(to_table(X))

    def predict_proba(self, X: Any) -> Float:
        who, table = self.which_member(X), to_table(X)
        out = np.zeros((len(who), len(self.classes_)))
        for name in np.unique(who):
            rows = np.flatnonzero(who == name)
            out[rows] = _probabilities([self.members_[name]], _some(X, table, rows), self.classes_)[0]
        return out

    def predict(self, X: Any) -> NDArray[Any]:
        found: NDArray[Any] = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return found


def _some(X: Any, table: Table, rows: Count) -> Any:
    """Some rows in the form they were given: other classifiers know no Table."""
    return X[rows] if isinstance(X, np.ndarray) else table.take(rows)


def _probabilities(members: list[Any], X: Any, classes: NDArray[Any]) -> Float:
    """Members x rows x classes."""
    out = []
    for member in members:
        given = np.asarray(member.predict_proba(X), np.float64)
        every = np.zeros((len(given), len(classes)))
        every[:, np.searchsorted(classes, member.classes_)] = given
        out.append(every)
    return np.array(out)
