"""Files of models that are made of models: `hedgerow show` and `hedgerow predict`."""

import json
from pathlib import Path

import numpy as np
from sklearn.pipeline import make_pipeline
from tests.cli.run import Runner

from hedgerow import (
    SVC,
    BaggingClassifier,
    DecisionTreeClassifier,
    ToNumbers,
    WeightedVotingClassifier,
    datasets,
    save,
)

HEART = datasets.heart()
X = HEART.frame().drop(HEART.target_name)
TREE, MACHINE = DecisionTreeClassifier(max_depth=3), make_pipeline(ToNumbers(), SVC(probability=True))


def answers_alike(hedgerow: Runner, folder: Path, model: object) -> str:
    """What `show` says, once `predict` has said the same as the model."""
    save(model, folder / "m.hedgerow")
    X.write_csv(folder / "rows.csv")
    code, out, _ = hedgerow("predict", "m.hedgerow", "rows.csv")
    said = [line.split(",") for line in out.splitlines()]
    assert code == 0
    assert [line[0] for line in said[1:]] == [str(label) for label in model.predict(X).tolist()]
    shares = np.array([[float(x) for x in line[1:]] for line in said[1:]])
    np.testing.assert_allclose(shares, model.predict_proba(X), rtol=1e-12)
    assert json.loads(hedgerow("show", "m.hedgerow", "--json").out)["model"] == type(model).__name__
    return hedgerow("show", "m.hedgerow").out


def test_a_vote(hedgerow: Runner, tmp_path: Path) -> None:
    vote = WeightedVotingClassifier([("one", TREE), ("far", MACHINE)]).fit(X, HEART.target)
    shown = answers_alike(hedgerow, tmp_path, vote)
    for words in (
        "member one",
        "member far",
        "DecisionTreeClassifier(max_depth=3)",
        "SVC(",
        "no other weights",
    ):
        assert words in " ".join(shown.split()), words


def test_bags(hedgerow: Runner, tmp_path: Path) -> None:
    bag = BaggingClassifier(TREE, 7, random_state=0).fit(X, HEART.target)
    assert "7, " in answers_alike(hedgerow, tmp_path, bag)
    bag = BaggingClassifier(MACHINE, 3, random_state=0).fit(X, HEART.target)
    assert "3, such as SVC(" in answers_alike(hedgerow, tmp_path, bag)
