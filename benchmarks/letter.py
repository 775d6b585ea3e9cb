"""Boosted C4.5-like trees on letter: the first 16,000 rows train, the last 4,000 test (lecture 000).

    python benchmarks/letter.py                 1,000 rounds, a few minutes
    python benchmarks/letter.py --rounds 100

Prints training and test error after 1, 5, 10, ... rounds. The lecture's figures beside ours (two busy cores, 162 s):

    rounds          1      5     10     20     50    100    200    500   1000
    train %       4.0      0      0      0      0      0      0      0      0
    test %       12.3    6.5    5.0    3.9    2.9    2.7    2.9    2.8    2.8
    lecture              8.4                         3.3                  3.1
"""

import argparse
import time

import numpy as np

from hedgerow import AdaBoostClassifier, datasets

SHOWN = (1, 5, 10, 20, 50, 100, 200, 500, 1000)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--multiclass", default="vote", choices=("vote", "samme"))
    asked = parser.parse_args()
    letter = datasets.letter()
    X = np.column_stack([column.values for column in letter.table.columns]).astype(float)
    y = np.asarray(letter.target)
    begin = time.perf_counter()
    model = AdaBoostClassifier("c45", n_estimators=asked.rounds, multiclass=asked.multiclass)
    model.fit(X[:16000], y[:16000])
    print(f"{len(model.rounds_)} rounds in {time.perf_counter() - begin:.0f} s; {model.stopped_}")
    print(f"{'rounds':>6} {'train %':>8} {'test %':>8}")
    for number, said in enumerate(model.staged_predict(X[16000:]), 1):
        if number in SHOWN:
            train = 100 * model.rounds_.rounds[number - 1].error
            print(f"{number:6d} {train:8.2f} {100 * np.mean(said != y[16000:]):8.2f}", flush=True)


if __name__ == "__main__":
    main()
