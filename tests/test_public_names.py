"""One word for one thing across the public API."""

import inspect
from collections.abc import Iterator
from typing import Any

import hedgerow

OTHER_WORDS = {  # a word, and the one we use
    "seed": "random_state",
    "metric": "scoring",
    "score": "scoring",
    "scores": "scoring",
    "level": "confidence_level",
    "confidence": "confidence_level",
    "multiclass": "multi_class",
    "threads": "n_jobs",
}
ALLOWED = {("RuleListClassifier", "confidence")}  # C4.5's, of the pessimistic estimate


def public_functions() -> Iterator[tuple[str, Any]]:
    """Every public function and class, and their own public methods."""
    for name in hedgerow.__all__:
        found = getattr(hedgerow, name)
        if not callable(found):
            continue
        yield name, found
        if inspect.isclass(found):
            for method, function in inspect.getmembers(found, inspect.isfunction):
                if not method.startswith("_") and function.__module__.startswith("hedgerow"):
                    yield f"{name}.{method}", function


def test_parameters_have_one_name() -> None:
    wrong = [
        f"{name}({parameter}=): {OTHER_WORDS[parameter]}"
        for name, function in public_functions()
        for parameter in inspect.signature(function).parameters
        if parameter in OTHER_WORDS and (name, parameter) not in ALLOWED
    ]
    assert wrong == []


def test_results_are_plain_data_by_one_name() -> None:
    methods = [name for name, _ in public_functions()]
    assert [name for name in methods if name.endswith((".as_dict", ".plain"))] == []
