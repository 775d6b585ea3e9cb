"""`study` and `hedgerow compare` choose by one rule: on the same rows and folds they say the same."""

import numpy as np
import polars as pl
import pytest

from hedgerow import study
from hedgerow.evaluation.select import Preference
from hedgerow.studies.benchmark import make_benchmark
from hedgerow.studies.compare import compare_candidates
from hedgerow.studies.holdout import seal
from hedgerow.studies.load import load_data
from hedgerow.studies.options import StudyOptions

MODELS = ("stump", "tree", "linear_svm", "forest", "blend")


def noise():
    random = np.random.default_rng(5)
    cells = {f"x{j}": random.normal(size=160) for j in range(4)}
    return pl.DataFrame({**cells, "y": random.choice(["a", "b"], 160)})


def rare():
    random = np.random.default_rng(6)
    x = random.normal(size=(400, 3))
    y = np.where(x[:, 0] + 0.5 * random.normal(size=400) > 1.5, "bad", "good")
    return pl.DataFrame({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "y": y})


def numbers():
    random = np.random.default_rng(7)
    x = random.normal(size=(200, 3))
    return pl.DataFrame(
        {"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "number": x[:, 0] + random.normal(size=200)}
    )


@pytest.mark.slow
@pytest.mark.parametrize("prefer", ["accurate", "simple"])
@pytest.mark.parametrize(
    ("data", "target"),
    [("heart", None), (noise(), "y"), (rare(), "y"), (numbers(), "number")],
    ids=["heart", "noise", "rare", "numbers"],
)
def test_study_and_compare_agree(data, target, prefer):
    given = {"models": MODELS, "prefer": prefer, "folds": 4, "repeats": 1}
    options, result = StudyOptions(target=target, **given), study(data, target, **given)
    loaded = load_data(data, options)
    rows, _ = seal(loaded.rows, loaded.goal.strata, options.holdout, options.random_state, loaded.equal.sets)
    benchmark = make_benchmark(rows, loaded.goal, options)
    del benchmark.models["baseline"]
    found = compare_candidates(benchmark, cv=4, repeats=1, preference=Preference(prefer))
    assert found.scoring == result.question.scoring
    verdict = result.verdict
    assert (verdict.most_accurate, verdict.simplest) == (found.choice.most_accurate, found.choice.simplest)
    assert verdict.chosen == (found.chosen or "baseline")
    assert verdict.is_recommended == bool(found.chosen)
    assert verdict.statements[0] == found.verdict


def test_on_noise_the_baseline_is_kept_and_not_recommended(tmp_path):
    result = study(noise(), "y", models=("stump", "tree"), folds=3, repeats=1, folder=tmp_path / "noise")
    assert str(result).startswith("Nothing here is shown to predict y better than always guessing")
    assert "No model is recommended" in str(result)
    page = (tmp_path / "noise" / "report.html").read_text(encoding="utf-8")
    assert "Kept, not recommended" in page
    assert ">recommended<" not in page
