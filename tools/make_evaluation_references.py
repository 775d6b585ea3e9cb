"""Answers of programs nobody here wrote, for tests/evaluation.   Out: tests/evaluation/fixtures/references.json.

pip install mlxtend baycomp MLstatkit     and R, with its packages stats and pROC (Debian: r-cran-proc)
python tools/make_evaluation_references.py
"""

import json
import subprocess
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

OUT = Path(__file__).resolve().parents[1] / "tests" / "evaluate" / "fixtures" / "references.json"
TABLES = [(25, 9), (1, 7), (0, 5), (12, 12), (40, 15)]


def by_mlxtend() -> dict[str, Any]:
    from mlxtend.evaluate import bias_variance_decomp, combined_ftest_5x2cv, mcnemar

    tables = [np.array([[0, b], [c, 0]]) for b, c in TABLES]
    seen: list[float] = []

    def scorer(model: Any, X: Any, y: Any) -> float:
        seen.append(float(np.mean(model.predict(X) == y)))
        return seen[-1]

    X, y = load_breast_cancer(return_X_y=True)
    tree = DecisionTreeClassifier(max_depth=1, random_state=0)
    f, p = combined_ftest_5x2cv(GaussianNB(), tree, X, y, scoring=scorer, random_seed=1)
    scores = np.array(seen).reshape(10, 2)
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(120, 3))
    target = (rows[:, 0] + rng.normal(size=120) > 0).astype(int)
    parts = bias_variance_decomp(
        DecisionTreeClassifier(random_state=0), rows[:80], target[:80], rows[80:], target[80:],
        loss="0-1_loss", num_rounds=50, random_seed=3,
    )  # fmt: skip
    return {
        "mcnemar": [
            {"table": t, "exact": float(mcnemar(m, exact=True)[1])}
            for t, m in zip(TABLES, tables, strict=True)
        ],
        "five_two_f": {"differences": (scores[:, 0] - scores[:, 1]).tolist(), "f": float(f), "p": float(p)},
        "bias_variance": [float(part) for part in parts],
    }


def by_baycomp() -> dict[str, Any]:
    import baycomp

    differences = np.random.default_rng(5).normal(0.01, 0.03, 30).round(4)
    first, equal, second = baycomp.two_on_single(differences, np.zeros(30), rope=0.01, runs=3)
    return {
        "differences": differences.tolist(),
        "rope": 0.01,
        "test_share": 0.1,
        "chances": [second, equal, first],
    }


def by_mlstatkit() -> dict[str, Any]:
    from MLstatkit import Delong_test

    rng = np.random.default_rng(8)
    truth = rng.integers(0, 2, 61)
    first, second = (truth + rng.normal(0, s, 61) for s in (1.0, 1.6))
    second = second.round(1)  # with ties
    z, p = Delong_test(truth, first, second, return_ci=False, return_auc=False)[:2]
    return {
        "truth": truth.tolist(),
        "first": first.tolist(),
        "second": second.tolist(),
        "z": float(z),
        "p": float(p),
    }


def by_proc() -> dict[str, Any]:
    """Areas, their variance, their test and the band of the curve, by R's pROC."""
    rng = np.random.default_rng(9)
    truth = np.sort(rng.integers(0, 2, 200))
    first, second = ((truth + rng.normal(0, s, 200)).round(2) for s in (0.9, 1.1))
    script = f"""
    suppressMessages(library(pROC))
    y <- c({",".join(map(str, truth))})
    a <- roc(y, c({",".join(map(str, first))}), direction = "<", quiet = TRUE)
    b <- roc(y, c({",".join(map(str, second))}), direction = "<", quiet = TRUE)
    both <- roc.test(a, b, method = "delong", paired = TRUE)
    set.seed(1)
    band <- ci.se(a, specificities = c(0.9, 0.7, 0.5, 0.3), boot.n = 4000, progress = "none")
    cat(auc(a), auc(b), sqrt(var(a)), sqrt(var(b)), both$statistic, both$p.value, "\\n")
    cat(t(band), "\\n")
    """
    lines = _numbers(script)
    names = ("area", "second_area", "std_error", "second_std_error", "z", "p")
    return {
        "truth": truth.tolist(),
        "first": first.tolist(),
        "second": second.tolist(),
        **dict(zip(names, lines[0], strict=True)),
        "specificity": [0.9, 0.7, 0.5, 0.3],
        "band": np.reshape(lines[1], (4, 3)).tolist(),  # low, middle, high
    }


def _numbers(script: str) -> list[list[float]]:
    """What R prints, line by line."""
    run = subprocess.run(
        ["Rscript", "-e", "options(digits = 15)", "-e", script], capture_output=True, text=True, check=True
    )
    return [[float(word) for word in line.split()] for line in run.stdout.splitlines() if line.strip()]


def by_r() -> dict[str, Any]:
    scores = np.random.default_rng(2).normal(size=(9, 4)).round(1) + np.array([0, 0.4, 0.8, 1.2])
    script = f"""
    s <- matrix(c({",".join(map(str, scores.ravel()))}), ncol = 4, byrow = TRUE)
    f <- friedman.test(-s)
    r <- colMeans(t(apply(-s, 1, rank)))
    q <- abs(outer(r, r, "-")) / sqrt(4 * 5 / (6 * 9)) * sqrt(2)
    cat(f$statistic, f$p.value, "\\n")
    cat(ptukey(q, 4, Inf, lower.tail = FALSE), "\\n")
    cat(qtukey(0.95, 4, Inf) / sqrt(2) * sqrt(4 * 5 / (6 * 9)), "\\n")
    cat(prop.test(37, 50, correct = FALSE)$conf.int, binom.test(37, 50)$conf.int, "\\n")
    cat(mcnemar.test(matrix(c(30, 9, 25, 36), 2), correct = FALSE)$statistic, "\\n")
    cat(prop.test(37, 50, correct = FALSE, conf.level = 0.9)$conf.int, "\\n")
    """
    lines = _numbers(script)
    return {
        "scores": scores.tolist(),
        "friedman": lines[0],
        "nemenyi_p": lines[1],
        "critical_difference": lines[2][0],
        "wilson_37_of_50": lines[3][:2],
        "clopper_pearson_37_of_50": lines[3][2:],
        "mcnemar_25_9": lines[4][0],
        "wilson_37_of_50_90": lines[5],
    }


def main() -> None:
    warnings.simplefilter("ignore")
    found = {
        "mlxtend": by_mlxtend(),
        "baycomp": by_baycomp(),
        "MLstatkit": by_mlstatkit(),
        "pROC": by_proc(),
        "R": by_r(),
    }
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
