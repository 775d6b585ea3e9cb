"""Rules are read back as they were written, whatever the names; and what is shown is safe."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.examples import HOSTILE, embedded, learned, mixed
from tests.rules.test_from_tree import labels_for
from tests.tree.strategies import trees

from hedgerow.rules import from_json, parse, rules_from_tree
from hedgerow.tree.formatting import cells
from hedgerow.tree.tree import Tree


def hostile(seed=0):
    """Hostile names of columns, levels and classes."""
    table, y = mixed(seed, names=HOSTILE[2:8])
    _, _, rules, rows, _ = learned(table, y)
    levels = tuple(tuple(HOSTILE[: len(levels)]) for levels in rules.labels.levels)
    labels = replace(rules.labels, levels=levels, classes=HOSTILE[-3:], target=HOSTILE[12])
    return replace(rules, labels=labels), rows


LISTS = {
    "restaurant": lambda: learned(*embedded("restaurant"))[2:4],
    "titanic": lambda: learned(*embedded("titanic"))[2:4],
    "heart, unpruned": lambda: (learned(*embedded("heart"))[1], learned(*embedded("heart"))[3]),
    "mixed": lambda: learned(*mixed(1))[2:4],
    "weights": lambda: learned(*mixed(2), np.random.default_rng(0).uniform(0, 1, 173))[2:4],
    "hostile": hostile,
    "no rules": lambda: learned(np.arange(4.0)[:, None], np.zeros(4, int))[2:4],
}


@pytest.mark.parametrize("name", LISTS)
def test_text_and_json_are_read_back_exactly(name):
    rules, rows = LISTS[name]()
    for again in (parse(rules.to_text()), from_json(rules.to_json())):
        assert again == rules
        assert np.array_equal(again.match(rows), rules.match(rows))
        assert np.array_equal(again.predict_proba(rows), rules.predict_proba(rows))


@given(trees(spread=False).filter(lambda tree: tree.n_outputs > 1))
def test_rules_of_any_tree_are_read_back(tree: Tree):
    rules = rules_from_tree(tree, labels_for(tree))
    assert parse(rules.to_text()) == rules
    assert from_json(rules.to_json()) == rules


@given(st.lists(st.text(st.characters(codec=None), max_size=12), min_size=2, max_size=4, unique=True))
def test_any_names_are_read_back(names):
    _, _, rules, _, _ = learned(*mixed(0))
    many = (*names, *(f"{names[0]} {k}" for k in range(9)))[:6]
    if len(set(many)) < 6:
        return
    labels = replace(rules.labels, features=many, classes=many[:3], levels=tuple(
        many[: len(levels)] if len(levels) <= 6 else levels for levels in rules.labels.levels
    ))  # fmt: skip
    rules = replace(rules, labels=labels)
    assert parse(rules.to_text()) == rules
    assert all(line.isprintable() for line in rules.to_text().split("\n"))


def test_what_is_written_can_be_edited():
    rules, _ = LISTS["titanic"]()
    lines = rules.to_text().splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("if "))
    shorter = parse("\n".join(lines[:first] + lines[first + 1 :]))
    assert shorter.rules == rules.rules[1:]


BROKEN = {
    "": "does not begin with 'hedgerow rules 1'",
    "hello": "does not begin with",
    "hedgerow rules 1\n": "end where a line that begins with 'classes'",
    "hedgerow rules 1\nclasses a, a\nall [1, 1; rows 2]\nelse a [0, 0; rows 0]": "the class 'a' twice",
    "hedgerow rules 1\nclasses a, b\ncolumn x: numbr": "the kind 'numbr'",
}
START = "hedgerow rules 1\nclasses a, b\ncolumn x: number\ncolumn c: category {u, v}\nall [1, 1; rows 2]\n"
WRONG = {
    "if y <= 2 then a [1, 0; rows 1]": "Line 6 of the rules names the column 'y'",
    "if x <= two then a [1, 0; rows 1]": "'two' where a number is wanted",
    "if x = 2 then a [1, 0; rows 1]": "has '=' where '<=' is wanted",
    "if c = w then a [1, 0; rows 1]": "names the level 'w'",
    "if x <= 2 then z [1, 0; rows 1]": "names the class 'z'",
    "if x <= 2 and x > 1 then a [1, 0; rows 1]": "two conditions on one column",
    "if x <= 2 then a [1; rows 1]": "wanted 2 weights",
    "if x <= 2 then a [1, 0; rows 1] more": "'more' where it should end",
    "if x <= 2": "its end where 'and' is wanted",
    "if (x <= 2 then a [1, 0; rows 1]": "'then' where 'or' is wanted",
    'if "x <= 2 then a [1, 0; rows 1]': "cannot be read from",
    'if "\\x" <= 2 then a [1, 0; rows 1]': "not quoted as in JSON",
    "when x": "'when' where 'if' is wanted",
}


@pytest.mark.parametrize("text", BROKEN)
def test_broken_text_is_refused_with_the_reason(text):
    with pytest.raises(ValueError, match=re.escape(BROKEN[text])):
        parse(text)


@pytest.mark.parametrize("line", WRONG)
def test_a_broken_line_is_named(line):
    with pytest.raises(ValueError, match=re.escape(WRONG[line])):
        parse(START + line + "\nelse a [0, 1; rows 1]")


def test_broken_json_is_refused():
    rules, _ = LISTS["restaurant"]()
    content = json.loads(rules.to_json())
    for change in ({"format": "x"}, {"rules": [{}]}, {"classes": 3}, {"else": {"then": "w"}}, {"all": {}}):
        with pytest.raises(ValueError, match=r"not JSON as RuleList\.to_json writes it"):
            from_json(json.dumps({**content, **change}))
    with pytest.raises(ValueError, match="not JSON as"):
        from_json("[" * 99_999)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("width", [40, 71, 72, 100])
def test_the_table_fits_the_terminal(name, width):
    rules, _ = LISTS[name]()
    text = rules.to_table().to_text(width=width)
    assert max(map(cells, text.split("\n"))) <= width
    assert all(line.isprintable() for line in text.split("\n"))


def test_the_table_is_plain_data():
    rules, _ = LISTS["titanic"]()
    rows = list(rules.to_table())
    assert len(rows) == len(rules) + 1
    assert rows[0].keys() == {"rule", "condition", "class", "rows", "support", "confidence", "lift"}
    assert (rows[-1]["rule"], rows[-1]["condition"]) == (-1, "otherwise")
    assert "sex = female and pclass = 1st" in str(rules)


def test_html_is_escaped():
    rules, _ = hostile()
    for shown in (rules._repr_html_(), rules.to_table()._repr_html_()):
        assert "<b>" not in shown
        assert "\x1b" not in shown


def test_a_long_list_says_what_it_leaves_out():
    _, full, _, _, _ = learned(*embedded("titanic"))
    assert f"{len(full) - 60:,} of {len(full):,} rules are not shown." in str(full)
    assert f"{len(full) - 200:,} of {len(full):,} rules are not shown." in full._repr_html_()


def test_explanations_name_rule_and_reason():
    rules, rows = LISTS["titanic"]()
    fired = rules.match(rows)
    for k, output in zip(fired, rules.explain(rows), strict=True):
        assert f": rule {k}, " in output if k >= 0 else ": no rule holds" in output
