"""The words that tell most."""

from types import SimpleNamespace

import numpy as np

from hedgerow.features import class_outcome, learn_features
from hedgerow.features.words import as_text
from hedgerow.report.sections.words import summarize
from hedgerow.table import Table, to_table


def test_of_several_classes_each_word_names_its_own():
    texts = ["goal cup", "a goal cup", "vote law", "a vote law", "cells gene", "a cells gene"]
    classes, codes = np.unique(["sport", "sport", "law", "law", "science", "science"], return_inverse=True)
    read = to_table({"body": texts})
    table = Table((as_text(read.columns[0]),), read.n_rows, True)
    learned = learn_features(table, class_outcome(codes, classes))
    trained = SimpleNamespace(
        features=learned,
        loaded=SimpleNamespace(goal=SimpleNamespace(classes=classes), target="section"),
        rows=SimpleNamespace(target=codes),
    )
    words = dict(summarize(trained)["texts"][0]["sides"][0]["words"])
    assert {"goal (sport)", "vote (law)", "cells gene (science)"} <= set(words)
