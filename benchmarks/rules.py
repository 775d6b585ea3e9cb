"""Rule lists: seconds to learn, rules, held-out accuracy, beside the tree they are made of.

    python benchmarks/rules.py                        50,000 x 20, two classes
    python benchmarks/rules.py --rows 10000 --repeats 5

No peer of ours learns rule lists of this kind in Python, so the tree is what is beside them.
"""

import argparse
import time

from common import THREADS, tabular


def main() -> None:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=3, help="of each fit; the least counts")
    args = parser.parse_args()
    from hedgerow import DecisionTreeClassifier, RuleListClassifier

    data = tabular(args.rows, args.columns, seed=5, held_out=10_000)
    print(f"{args.rows:,} x {args.columns} float32, 2 classes, {THREADS} threads")
    models = {
        "tree": DecisionTreeClassifier(n_jobs=THREADS),
        "rules": RuleListClassifier(n_jobs=THREADS),
        "rules, leaves of 5": RuleListClassifier(min_samples_leaf=5, n_jobs=THREADS),
    }
    for name, model in models.items():
        seconds = []
        for _ in range(args.repeats):
            begin = time.perf_counter()
            model.fit(data["Xtr"], data["ytr"])
            seconds.append(time.perf_counter() - begin)
        size = (
            f"{len(model.rules_):,} rules" if hasattr(model, "rules_") else f"{model.get_n_leaves():,} leaves"
        )
        accuracy = model.score(data["Xte"], data["yte"])
        print(f"{name:<22}{min(seconds):9.3f} s   {size}, held-out accuracy {accuracy:.4f}")


if __name__ == "__main__":
    main()
