"""A tree grows node by node, with what every column offers.   In: LessonRows.   Out: what the page shows."""

from typing import Any

from hedgerow.estimators import DecisionTreeClassifier
from hedgerow.grow.trace import offer_in_words, offers
from hedgerow.recipe_book import recipe
from hedgerow.teaching.lesson_rows import LessonRows, tree_nodes
from hedgerow.tree.labels import label_tree

TITLE = "A tree grows"
LEAD = (
    "At each node every column offers its best question; the one that gains most is used. The gain is how much less "
    "impure the branches are, each counted by its share of the rows."
)
KEYS = "Keys: ← → one split, Home and End; click a node, or focus it and press Enter, to see what was offered there."
EXAMPLE = "restaurant"


def prepare(rows: LessonRows) -> dict[str, Any]:
    if all(column.kind in ("category", "boolean") for column in rows.table.columns):
        model, measure = recipe("id3", trace=True), "entropy, bits"
    else:
        model, measure = DecisionTreeClassifier(max_depth=4, trace=True), "Gini impurity"
    model.fit(rows.table, rows.labels)
    tree, words = model.hedgerow_tree_, label_tree(model.hedgerow_tree_, model.labels_)
    nodes = tree_nodes(tree, model.labels_)
    for k, node in enumerate(nodes):
        node["impurity"] = float(tree.impurity[k])
        node["offers"] = [
            {"question": offer_in_words(words, k, one), "gain": one.decrease, "chosen": one.chosen}
            for one in offers(tree, model.trace_, k)
            if node["children"]
        ]
    return {"nodes": nodes, "classes": list(rows.classes), "measure": measure}
