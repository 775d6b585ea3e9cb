"""Why many are better than one.   In: what each member says about rows it has not seen.   Out: strength, correlation,
diversity; and the two numbers of the lecture.

Breiman (2001): margin of a row = share of votes for its class - largest share for another; strength s = mean margin;
correlation rho = variance of the margin / (mean standard deviation of the members' own margins)^2; the error is at most
rho (1 - s^2) / s^2. A member's own margin is 1, 0 or -1 (right; wrong otherwise; wrong as most are), so that its
variance is p1 + p2 - (p1 - p2)^2 (the paper prints a plus).

Krogh and Vedelsby (1995), numbers: squared error of the mean = mean squared error of the members - their spread about
the mean. Exact, row by row.
"""

from dataclasses import dataclass
from math import comb

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.types import Float, Index, Mask


def majority_vote_error(n_members: int, error: float) -> float:
    """Probability that the majority of independent members, each wrong with `error`, is wrong; a tie is half wrong."""
    if n_members < 1 or not 0 <= error <= 1:
        raise ValueError(
            f"n_members={n_members!r} and error={error!r}: give at least one member and a probability from 0 to 1."
        )
    probability = [
        comb(n_members, k) * error**k * (1 - error) ** (n_members - k) for k in range(n_members + 1)
    ]
    tie = probability[n_members // 2] / 2 if n_members % 2 == 0 else 0.0
    return float(sum(probability[n_members // 2 + 1 :]) + tie)


def never_drawn(n_rows: int) -> float:
    """Probability that a row is not in a bootstrap of n rows: (1 - 1/n)^n, 0.368 for many rows."""
    if n_rows < 1:
        raise ValueError(f"n_rows={n_rows!r}: give at least one row.")
    return float((1 - 1 / n_rows) ** n_rows)


@dataclass(frozen=True, repr=False)
class Diversity(Result):
    """Strength, correlation and diversity of classifiers, on rows that each member has not seen.

    Attributes
    ----------
    strength :
        Mean margin of the members' votes.
    correlation :
        Mean correlation of two members.
    bound :
        Of the error: rho (1 - s^2) / s^2; infinite without strength.
    member_error :
        Mean over the members.
    ensemble_error :
        Of their majority.
    disagreement :
        Probability that of two members one is right and one wrong.
    double_fault :
        Probability that both are wrong.

    See Also
    --------
    hedgerow.RandomForestClassifier.diversity : Returns it.

    Examples
    --------
    >>> from hedgerow import RandomForestClassifier, datasets
    >>> heart = datasets.heart()
    >>> forest = RandomForestClassifier(20, random_state=0).fit(heart.table, heart.target)
    >>> found = forest.diversity()
    >>> bool(found.ensemble_error < found.member_error)
    True
    """

    strength: float
    correlation: float
    bound: float
    member_error: float
    ensemble_error: float
    disagreement: float
    double_fault: float
    n_members: int
    n_rows: int

    def tables(self) -> list[DisplayTable]:
        alone = majority_vote_error(self.n_members, self.member_error)
        rows = [
            ("members, rows", f"{self.n_members:,}, {self.n_rows:,}"),
            ("error of a member, on average", f"{self.member_error:.4f}"),
            ("error of their majority", f"{self.ensemble_error:.4f}"),
            ("the same if members erred independently (two classes)", f"{alone:.4f}"),
            ("strength: mean margin of the votes", f"{self.strength:.4f}"),
            ("correlation of the members' margins", f"{self.correlation:.4f}"),
            ("Breiman's bound of the error", f"{self.bound:.4f}"),
            ("two members: one right, one wrong", f"{self.disagreement:.4f}"),
            ("two members: both wrong", f"{self.double_fault:.4f}"),
        ]
        return [DisplayTable((), rows, words=(0, 1))]


@dataclass(frozen=True, repr=False)
class Ambiguity(Result):
    """Error and spread of regressions, on rows that each member has not seen: ensemble = members - spread.

    Attributes
    ----------
    ensemble_error :
        Mean squared error of the members' mean.
    member_error :
        Mean squared error of a member.
    spread :
        Mean squared distance of a member from the members' mean.
    correlation :
        Of two members' errors.

    See Also
    --------
    hedgerow.RandomForestRegressor.diversity : Returns it.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import RandomForestRegressor
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> found = RandomForestRegressor(20, random_state=0).fit(X, X[:, 0]).diversity()
    >>> bool(found.ensemble_error < found.member_error)
    True
    """

    ensemble_error: float
    member_error: float
    spread: float
    correlation: float
    n_members: int
    n_rows: int

    def tables(self) -> list[DisplayTable]:
        rows = [
            ("members, rows", f"{self.n_members:,}, {self.n_rows:,}"),
            ("squared error of a member, on average", f"{self.member_error:.5g}"),
            ("less the members' spread about their mean", f"{self.spread:.5g}"),
            ("is the squared error of their mean", f"{self.ensemble_error:.5g}"),
            ("correlation of two members' errors", f"{self.correlation:.4f}"),
        ]
        return [DisplayTable((), rows, words=(0, 1))]


def diversity(votes: Index, codes: Index, n_classes: int, out: Mask) -> Diversity:
    """votes : rows x members, the class each says.   out : rows x members, where the member has not seen the row."""
    seen = out.sum(axis=1) > 0
    votes, out, codes = votes[seen], out[seen], codes[seen]
    n, members = votes.shape
    if n == 0:
        raise ValueError("No row is out of any member's bag, so that nothing is known of their diversity.")
    many = out.sum(axis=1)
    count = np.zeros((n, n_classes))
    np.add.at(count, (np.nonzero(out)[0], votes[out]), 1)
    share = count / many[:, None]
    row = np.arange(n)
    own = share[row, codes]
    rival_share = share.copy()
    rival_share[row, codes] = -1
    rival = rival_share.argmax(axis=1)
    margin = own - np.maximum(rival_share.max(axis=1), 0) if n_classes > 1 else own
    right = (votes == codes[:, None]) & out
    as_most = (votes == rival[:, None]) & out & ~right
    n_out = np.maximum(1, out.sum(axis=0))
    p1, p2 = right.sum(axis=0) / n_out, as_most.sum(axis=0) / n_out
    spread = np.sqrt(np.maximum(0.0, p1 + p2 - (p1 - p2) ** 2))[out.any(axis=0)].mean()
    strength = float(margin.mean())
    correlation = float(margin.var() / spread**2) if spread > 0 else 1.0
    bound = correlation * (1 - strength**2) / strength**2 if strength > 0 else np.inf
    k = right.sum(axis=1)
    pairs = float((many * (many - 1)).sum()) or np.nan
    return Diversity(
        strength,
        correlation,
        float(bound),
        float(((1 - p1) * n_out).sum() / out.sum()),
        float((count.argmax(axis=1) != codes).mean()),
        float(2 * (k * (many - k)).sum() / pairs),
        float(((many - k) * (many - k - 1)).sum() / pairs),
        members,
        n,
    )


def ambiguity(predicted: Float, truth: Float, out: Mask) -> Ambiguity:
    """predicted : rows x members."""
    seen = out.sum(axis=1) > 0
    predicted, out, truth = np.where(out, predicted, 0.0)[seen], out[seen], truth[seen]
    if not len(truth):
        raise ValueError("No row is out of any member's bag, so that nothing is known of their diversity.")
    many = out.sum(axis=1)
    mean = predicted.sum(axis=1) / many
    error = np.where(out, predicted - truth[:, None], 0.0)
    member = float(((error**2).sum(axis=1) / many).mean())
    about = np.where(out, predicted - mean[:, None], 0.0)
    spread = float(((about**2).sum(axis=1) / many).mean())
    two = many > 1
    cross = (error.sum(axis=1)[two] ** 2 - (error**2).sum(axis=1)[two]) / (many * (many - 1))[two]
    correlation = float(cross.mean() / member) if member > 0 and two.any() else np.nan
    return Ambiguity(
        float(((mean - truth) ** 2).mean()), member, spread, correlation, predicted.shape[1], len(truth)
    )
