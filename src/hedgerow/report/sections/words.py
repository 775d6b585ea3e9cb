"""The words of free text that tell most: how much the outcome differs in rows that have them."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult
    from hedgerow.studies.train import Trained

TITLE = "Words"
HEADING = "The words that tell most"
ORDER = 44
MOST_WORDS = 12  # of a side

TEMPLATE = """
  <p>Words and pairs of words whose presence in a training row depends most on {{ w.target }}, and by how much
  {{ w.outcome }} in rows that have them.</p>
  <div class="figures">
    {% for text in w.texts %}{% for side in text.sides %}{% if side.words %}
    <div class="figure scroll"><h3>{{ text.name }}: {{ side.title }}</h3><table>
      <tbody>
      {% for word, value in side.words %}<tr><td>{{ word }}</td><td class="num">{{ value }}</td></tr>{% endfor %}
      </tbody>
    </table></div>
    {% endif %}{% endfor %}{% endfor %}
  </div>
"""


def summarize(trained: "Trained") -> dict[str, Any] | None:
    features = None if trained.features is None else trained.features.features
    if features is None or not features.words:
        return None
    classes, target = trained.loaded.goal.classes, trained.loaded.target
    many = classes is not None and len(classes) > 2
    wanted, sign = "", 1.0
    if classes is not None and not many:
        order = trained.benchmark.data.classes
        of_interest = (classes if order is None else order).tolist()[1]
        wanted, sign = f" of {of_interest}", 1.0 if of_interest == classes.tolist()[1] else -1.0
    numbers = f"{target} is higher on average"
    rates = f"the share{wanted or ' of the class that differs most'} is higher"
    return {
        "target": target,
        "outcome": numbers if classes is None else rates,
        "texts": [
            {
                "name": features.schema.names[one.column],
                "sides": [
                    {
                        "title": title,
                        "words": [
                            (_name(trained, one.column, term) if many else term, _show(value, classes))
                            for term, value in words
                        ],
                    }
                    for title, words in _sides([(term, sign * value) for term, value in one.telling])
                ],
            }
            for one in features.words
        ],
    }


def _sides(telling: Any) -> list[tuple[str, Any]]:
    up = [pair for pair in telling if pair[1] > 0][:MOST_WORDS]
    down = [pair for pair in telling if pair[1] < 0][:MOST_WORDS]
    return [("higher", up), ("lower", down)]


def _name(trained: "Trained", column: int, term: str) -> str:
    """The word, and of more than two classes the one whose share differs most in rows that have it."""
    import numpy as np

    features, classes = trained.features, trained.loaded.goal.classes
    assert features is not None
    assert classes is not None
    cells = features.table.column(f"{features.features.schema.names[column]}: {term}").values
    codes, here = trained.rows.target, np.asarray(cells) > 0
    shares = [np.bincount(part, minlength=len(classes)) / len(part) for part in (codes[here], codes)]
    return f"{term} ({classes.tolist()[int(np.abs(shares[0] - shares[1]).argmax())]})"


def _show(value: float, classes: Any) -> str:
    return f"{value:+.3g}" if classes is None else f"{100 * value:+.1f} points"


def context(result: "StudyResult") -> dict[str, Any] | None:
    found = result.extra.get("words")
    return {"w": found} if found else None
