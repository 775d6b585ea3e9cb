from dataclasses import replace

from hedgerow.tree.labels import label_tree
from hedgerow.tree.wording import decision, describe_node, rows_in_words, rows_share, values_in_words

from .examples import Builder, bushy, deep, houses, titanic


def test_classes() -> None:
    words = label_tree(*titanic())
    assert words.shares
    assert decision(words, 4) == "died"
    assert values_in_words(words, 0) == "died 0.62, survived 0.38"
    assert rows_in_words(words, 1) == "65% · 577 rows"
    assert describe_node(words, 7) == (
        "node 7: sex = male and age <= 9.5 and sibsp <= 2.5\n2% · 22 rows\n"
        "decides survived\ndied 0.00, survived 1.00\nimpurity 0"
    )


def test_numbers() -> None:
    words = label_tree(*houses())
    assert not words.shares
    assert decision(words, 0) == "206,856"
    assert "asks median income <= 5.03514\nmean 206,856" in describe_node(words, 0)


def test_scores_per_class_are_no_shares() -> None:
    tree, labels = titanic()
    words = label_tree(replace(tree, value=tree.value - 0.5), labels)
    assert not words.shares
    assert decision(words, 0) == "0.12, -0.12"


def test_many_classes_and_conditions_are_not_all_told() -> None:
    assert values_in_words(label_tree(*bushy()), 0, 2).endswith(", …")
    assert len(describe_node(label_tree(*deep(200)), 400)) < 2_000


def test_a_tree_without_rows_has_shares_all_the_same() -> None:
    b = Builder((0,))
    b.root([1.0], 0)
    b.threshold(0, 0, 1.0, [([1.0], 0), ([2.0], 0)])
    tree = b.tree()
    words = label_tree(tree, replace(houses()[1], features=("x",), levels=((),)))
    assert [rows_share(words, node) for node in range(3)] == [1.0, 0.0, 0.0]
