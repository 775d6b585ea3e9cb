"""Words of the page and the terminal.   In: scores, a StudyResult.   Out: numbers as people read them, sentences."""

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from hedgerow.candidate import BASELINE
from hedgerow.display.numbers import figure
from hedgerow.display.sentences import many
from hedgerow.evaluation.metric import best_constant, metrics
from hedgerow.evaluation.run import NOT_STARTED
from hedgerow.tree.formatting import number

if TYPE_CHECKING:
    from hedgerow.studies.records import CandidateRecord, CostRecord, Question, ScoreRecord
    from hedgerow.studies.result import StudyResult

OF_PROBABILITIES = ("log_loss", "brier")
USUAL_COVERAGE = 0.9  # of prediction intervals, where one is spoken of
SMALLEST = 1e-7  # that is shown as something else than 0,
DUST = 1e-6  # and of a score, as a share of the baseline's
FEW = 4  # classes that are listed one by one
KINDS = {
    "number": "numbers",
    "category": "categories",
    "text": "free texts",
    "boolean": "yes-or-no columns",
    "date": "dates",
    "datetime": "dates with a time",
}
KIND = {"text": "free text", "boolean": "yes-or-no column", "datetime": "date with a time"}


def format_score(value: float | None, is_percentage: bool = False) -> str:
    if value is None:
        return "–"
    if is_percentage:
        return f"{round(value, 3) + 0.0:.1%}"  # never -0.0%
    if 0 < abs(value) < 0.01:
        return "0" if abs(value) < SMALLEST else f"{Decimal(f'{value:#.2g}'):f}"  # never 5.6e-06
    return figure(value) if abs(value) < 1000 else number(value)


def format_difference(value: float, is_percentage: bool) -> str:
    """Between two scores: 4.2 points are 4.2 % of the rows."""
    return f"{100 * value:.1f} points" if is_percentage else format_score(value)


def format_share(share: float) -> str:
    """In whole per cent; what is not all or nothing is not written so."""
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{share:.0%}"


def format_value(score: "ScoreRecord") -> str:
    return format_score(_without_dust(score.value, score), score.is_percentage)


def format_interval(score: "ScoreRecord") -> str:
    """0.77 to 0.85"""
    if score.low is None or score.high is None:
        return "not known"
    low, high = (
        format_score(_without_dust(end, score), score.is_percentage) for end in (score.low, score.high)
    )
    return f"{low} to {high}"


def _without_dust(value: float | None, score: "ScoreRecord") -> float | None:
    """A sum that is learned to the last digits has an error of 9e-7 where guessing has 173: that is none."""
    if value is None or score.baseline is None or abs(value) >= DUST * abs(score.baseline):
        return value
    return 0.0


def format_count(value: float) -> str:
    return f"{value:,.0f}"


def capitalize(words: str) -> str:
    """With a capital letter at its start, the rest as it is."""
    return words[:1].upper() + words[1:]


def find_score(scores: "tuple[ScoreRecord, ...]", name: str) -> float | None:
    return next((score.value for score in scores if score.name == name), None)


def find_candidate(result: "StudyResult", name: str) -> "CandidateRecord":
    return next(one for one in result.candidates if one.name == name)


def failure_words(one: "CandidateRecord") -> str:
    """Why a model has no score."""
    return one.failure if one.failure == NOT_STARTED.failure else f"failed: {one.failure}"


def partial_words(one: "CandidateRecord", result: "StudyResult") -> str:
    """given up after 2 of 10 folds; on 1 of 10 folds, where there was no time for more, or others failed"""
    if one.given_up:
        return f"given up {one.given_up}"
    n_scored, n_folds = len(one.fold_scores), max(len(each.fold_scores) for each in result.candidates)
    return f"on {n_scored} of {n_folds} folds" if 0 < n_scored < n_folds else ""


def answer_sentence(result: "StudyResult") -> str:
    """The sentence at the top."""
    chosen, score = find_candidate(result, result.verdict.chosen), result.holdout.scores[0]
    target, rows = result.question.target, many(result.holdout.n_rows, "row")
    if not any(one.scores for one in result.candidates if one.name != BASELINE):
        return f"No model could be compared, so none is recommended to predict {target}; what is kept is a guess."
    if not result.verdict.is_recommended:
        has_classes = bool(result.question.classes)
        usual = "most frequent class" if has_classes else best_constant(metrics()[score.name])
        return (
            f"Nothing here is shown to predict {target} better than always guessing the {usual}. No model is "
            f"recommended; what is kept is that guess: {score.title} {format_value(score)} on {rows} it has not seen."
        )
    # "100 bagged trees"
    is_plural = chosen.description[0].isdigit() and not chosen.description.startswith("1 ")
    verb = "predict" if is_plural else "predicts"
    return (
        f"{capitalize(chosen.description)} {verb} {target} with {score.title} {format_value(score)}"
        f"{_score_beside(result)} on {rows} the model has not seen.{_name_leaks(result)}"
    )


def _name_leaks(result: "StudyResult") -> str:
    """Columns that alone outdo all others are named in the answer itself: it may rest on what is not known in time."""
    leaks = [
        name
        for note in result.notes
        if note.severe and "alone explains" in note.text
        for name in note.columns
    ]
    if not leaks:
        return ""
    target = result.question.target
    if len(leaks) == 1:
        return f" One column decides this: {leaks[0]}. Is it known before {target} is?"
    return f" Columns that each decide this alone: {', '.join(leaks)}. Are they known before {target} is?"


def baseline_sentence(result: "StudyResult") -> str:
    score = result.holdout.scores[0]
    if not result.verdict.is_recommended or score.baseline is None:
        return "More rows or other columns may help."
    usual = _usual_guess(score.name, bool(result.question.classes))
    known = f"{usual} gives {format_score(score.baseline, score.is_percentage)}"
    if score.difference is None or score.difference_low is None or score.difference_high is None:
        return f"{known}."
    sign = -1.0 if score.difference < 0 else 1.0  # worse by 2.1: how far, not -2.1 better
    ends = sorted(sign * end for end in (score.difference_low, score.difference_high))
    difference, low, high = (
        format_difference(value, score.is_percentage) for value in (sign * score.difference, *ends)
    )
    if not score.difference:
        return f"{known}: on these rows the model is no better (95 % interval {low} to {high})."
    is_sure = score.difference_low > 0 or score.difference_high < 0
    where, chance = ("", "") if is_sure else ("on these rows ", ", which may be chance")
    how = "better" if score.difference > 0 else "worse"
    return f"{known}: {where}the model is {how} by {difference}{chance} (95 % interval {low} to {high})."


def _usual_guess(scoring: str, has_classes: bool) -> str:
    if not has_classes:
        return f"Always guessing the {best_constant(metrics()[scoring])}"
    if scoring in OF_PROBABILITIES:
        return "Giving every row the shares of the classes"
    return "Always guessing the most frequent class"


def _score_beside(result: "StudyResult") -> str:
    """What stands beside the log loss, which few can read."""
    scores = result.holdout.scores
    if scores[0].name != "log_loss" or len(scores) < 2:
        return ""
    return f" ({scores[1].title} {format_value(scores[1])})"


def operating_point_sentence(result: "StudyResult") -> str:
    """status = bad is predicted from a probability of 0.048 on, for the least expected cost: 120 of 800 rows. ..."""
    found = result.holdout.operating_point
    if found is None or not result.verdict.is_recommended:
        return ""
    if found.threshold is None or found.positive is None:
        return f"Predicted classes are chosen for {found.aim}.{_all_right_words(result)}"
    target = result.question.target
    # Dead, of dead and alive, in a column called dead
    is_called_so = found.positive.casefold() == target.casefold()
    named = found.positive if is_called_so else f"{target} = {found.positive}"
    if found.threshold > 1:
        return f"{named} is never predicted: that is {found.aim}."
    threshold = format_score(found.threshold)
    begin = f"{named} is predicted from a probability of {threshold} on (for {found.aim})"
    rows = f"{found.n_alarms:,} of {many(result.holdout.n_rows, 'row')}" if found.n_alarms is not None else ""
    if found.recall is None or found.precision is None:
        return f"{begin}: {rows} of the hold-out."
    precision, recall = format_share(found.precision), format_share(found.recall)
    return (
        f"{begin}: {rows} of the hold-out, {precision} of them correctly. That finds {recall} of all rows "
        f"{'that are' if is_called_so else 'with'} {named}.{_all_right_words(result)}"
    )


def _all_right_words(result: "StudyResult") -> str:
    """Of rows that are all right the loss has no spread, and its interval no width: how many mistakes are possible."""
    found = next((one for one in result.holdout.scores if one.name == "accuracy"), None)
    if found is None or found.value != 1 or found.low is None:
        return ""
    most = f"{1 - found.low:.1%}"
    return f" No row of the hold-out is predicted wrongly; of new rows up to {most} may be (95 % interval)."


def cost_sentence(result: "StudyResult") -> str:
    """What a row costs, against doing nothing."""
    found = result.holdout.operating_point
    if found is None or found.cost is None:
        return ""
    cost = found.cost
    words = (
        f"A row costs {format_score(cost.cost)} (95 % interval {format_score(cost.low)} to {format_score(cost.high)}); "
        f"doing nothing, always predicting the most frequent class, costs {format_score(cost.nothing)}"
    )
    if cost.cheapest < cost.nothing:
        words += f", always predicting {cost.cheapest_class} {format_score(cost.cheapest)}"
    return f"{words}.{_saved_words(cost)}"


def _saved_words(cost: "CostRecord") -> str:
    """Row by row against the cheapest guess: the intervals of two costs may overlap where one is surely lower."""
    if not cost.saved or cost.saved_low is None or cost.saved_high is None:
        return ""
    sign = -1.0 if cost.saved < 0 else 1.0
    low, high = sorted((sign * cost.saved_low, sign * cost.saved_high))
    what = "less" if cost.saved > 0 else "more"
    guess = f"always predicting {cost.cheapest_class}" if cost.cheapest < cost.nothing else "doing nothing"
    chance = ", which may be chance" if low <= 0 else ""
    return (
        f" The model costs {format_score(sign * cost.saved)} {what} a row than {guess}{chance} (95 % interval "
        f"{format_score(low)} to {format_score(high)})."
    )


def interval_sentence(result: "StudyResult") -> str:
    """How far off a prediction is."""
    found = next((one for one in result.holdout.intervals if one.coverage == USUAL_COVERAGE), None)
    if found is None:
        return ""
    least = DUST * abs(result.holdout.scores[0].baseline or 0.0)
    if found.mean_width < least and abs(result.holdout.scores[0].value or 0.0) < least:
        return "Prediction intervals have no width that says anything: the model makes no errors but those of rounding."
    held = f"held {found.observed:.1%} of the hold-out (95 % interval {found.low:.1%} to {found.high:.1%})"
    wide = f"they are {format_score(found.mean_width)} wide on average."
    if found.high < found.coverage:
        return (
            f"Prediction intervals are too narrow: made for {found.coverage:.0%} of rows, they {held}; {wide}"
        )
    return f"Prediction intervals made for {found.coverage:.0%} of rows {held}; {wide}"


def seal_sentence(question: "Question") -> str:
    """Which rows are the hold-out."""
    rows = many(question.n_holdout, "row")
    if question.time is not None:
        return f"The last {rows} by {question.time} were sealed."
    how = ", each class in proportion" if question.classes else ""
    if question.groups is not None:  # classes are as they happen to be in these
        how = f", whole groups of {question.groups}"
    return f"{rows} were drawn with random state {question.random_state}{how}{',' if how else ''} and sealed."


def folds_words(question: "Question") -> str:
    """5-fold cross-validation on 900 rows, 2 times; in the order of time, in whole groups"""
    rows = many(question.n_compared or question.n_train, "row")
    times = f", {question.repeats} times" if question.repeats > 1 else ""
    if question.time is not None:
        times += f", each fold by models of the rows before it in {question.time}"
    elif question.groups is not None:
        times += f", in whole groups of {question.groups}"
    return f"{question.folds}-fold cross-validation on {rows}{times}"


def simplest_words(result: "StudyResult") -> str:
    """The second of the two answers, by what it is."""
    margin = result.question.margin
    return (
        "the simplest that cannot be distinguished from it"
        if margin is None
        else f"the simplest within {margin:g} of it"
    )


def describe_columns(result: "StudyResult") -> str:
    """3 numbers, 2 categories; cells are missing in 1 of them"""
    used = [column for column in result.profile.columns if column.used]
    counts = Counter(column.kind for column in used)
    words = ", ".join(many(counts[kind], KIND.get(kind, kind), KINDS[kind]) for kind in KINDS if counts[kind])
    gaps = sum(column.n_missing > 0 for column in used)
    return f"{words}; cells are missing in {'all' if gaps == len(used) else gaps} of them" if gaps else words


def describe_target(result: "StudyResult") -> str:
    """2 classes (died 62 %, survived 38 %); classification, because survived is text"""
    counts, total = result.profile.class_counts, sum(one.count for one in result.profile.class_counts)
    few = (
        ", ".join(f"{one.label} {format_share(one.count / total)}" for one in counts)
        if len(counts) <= FEW
        else ""
    )
    values = f"{result.profile.target}{f' ({few})' if few else ''}"
    return f"{values}; {describe_task(result)}"


def describe_task(result: "StudyResult") -> str:
    """classification, because survived is text; regression, set by --task regression"""
    question = result.question
    because = "" if question.task_reason.startswith("set by ") else "because "
    return f"{question.task}, {because}{question.task_reason}"


FILTERS: dict[str, Callable[..., Any]] = {
    "score": format_score,
    "value": format_value,
    "interval": format_interval,
    "count": format_count,
    "plural": many,
    "sentence": capitalize,
}
