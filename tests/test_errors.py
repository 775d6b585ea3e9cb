"""Messages that name parameters: one text, two spellings."""

import pickle

import pytest

from hedgerow.errors import InPython, Message, ParameterError, Setting, check_choice, render, spell_as_option


def test_a_value_in_both_spellings() -> None:
    error = ParameterError("{target} is no column. Columns: {}.", "'age', 'fare'", target="nope")
    assert str(error) == "target='nope' is no column. Columns: 'age', 'fare'."
    assert error.render(spell_as_option) == "--target nope is no column. Columns: 'age', 'fare'."


def test_without_a_value_the_name_stands_alone() -> None:
    message = Message("Give {min_samples_leaf} or {folds}.")
    assert str(message) == "Give min_samples_leaf or folds."
    assert message.render(spell_as_option) == "Give --min-samples-leaf or --folds."


def test_a_proposed_setting() -> None:
    message = Message("Perhaps: {}", Setting("target", "the class"))
    assert str(message) == "Perhaps: target='the class'"
    assert message.render(spell_as_option) == "Perhaps: --target 'the class'"


@pytest.mark.parametrize(
    ("value", "python", "option"),
    [
        (0.25, "share=0.25", "--share 0.25"),
        (10.0, "share=10.0", "--share 10"),
        (("a", "b c"), "share=('a', 'b c')", "--share 'a,b c'"),
        (True, "share=True", "--share"),
        (False, "share=False", "--no-share"),
        (None, "share=None", "--share"),
        ("a\nb", "share='a\\nb'", "--share $'a\\x0ab'"),
    ],
)
def test_values_of_all_kinds(value: object, python: str, option: str) -> None:
    message = Message("{share}", share=value)
    assert str(message) == python
    assert message.render(spell_as_option) == option


def test_braces_in_a_text_or_a_value_are_only_braces() -> None:
    error = ParameterError("{drop} names {}. {{}}", "'{target}'", drop="{}")
    assert str(error) == "drop='{}' names '{target}'. {}"
    assert error.render(spell_as_option) == "--drop '{}' names '{target}'. {}"


def test_a_message_inside_a_message() -> None:
    inside = Message("{task} helps", task="regression")
    assert Message("No. {}", inside).render(spell_as_option) == "No. --task regression helps"
    assert render("plain", spell_as_option) == "plain"


def test_it_comes_back_from_another_process() -> None:
    error = ParameterError("{target} is no column. Columns: {}.", "'{'", target="nope")
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), str(back)) == (ParameterError, str(error))
    assert back.render(spell_as_option) == error.render(spell_as_option)


def test_choice() -> None:
    assert check_choice("task", "auto", ("auto", "regression")) == "auto"
    with pytest.raises(
        ParameterError, match=r"^task='regresion' is unknown. Known: auto, regression. Did you mean"
    ):
        check_choice("task", "regresion", ("auto", "regression"))
    with pytest.raises(ParameterError, match="task=3 is unknown"):
        check_choice("task", 3, ("auto", "regression"))


def test_words_for_python_alone() -> None:
    error = ParameterError("{n_jobs} has no meaning. Give {}.", InPython("-1 or None", "-1"), n_jobs=0)
    assert str(error) == "n_jobs=0 has no meaning. Give -1 or None."
    assert error.render(spell_as_option) == "--n-jobs 0 has no meaning. Give -1."
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
