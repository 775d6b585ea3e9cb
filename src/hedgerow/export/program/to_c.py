"""The steps of a scoring program in C.   In: the Program.   Out: C text for arrays and helpers; for each step its call
and how many numbers it makes.

Each step is data and a call of a helper; a helper is written only where a step needs it, for unused functions warn.
"""

from typing import Any, NamedTuple

from hedgerow.export.program.steps import CELLS, EACH, Program, Step


class Written(NamedTuple):
    lines: list[str]  # arrays and helpers
    calls: list[str]  # one a step, into the array s<k>
    widths: list[int]


def write_number(x: float) -> str:
    """Without rounding: 0x1.8p+1"""
    return float(x).hex()


def write_steps(program: Program) -> Written:
    helpers: set[str] = {"decide"} if len(program["classes"] or ()) > 1 else set()
    data: list[str] = []
    calls: list[str] = []
    widths: list[int] = []
    for k, step in enumerate(program["steps"]):
        source = "cells" if step["of"] == CELLS else f"s{step['of']}"
        width_in = len(program["columns"]) if step["of"] == CELLS else widths[step["of"]]
        own, call, width, needs = WRITE[step["do"]](step, k, source, width_in)
        data += own
        calls.append(call)
        widths.append(width)
        helpers |= set(needs)
    used = [text for name, text in HELPERS.items() if name in helpers]
    return Written([*used, *data, ""], calls, widths)


One = tuple[list[str], str, int, tuple[str, ...]]


def _array(kind: str, name: str, items: list[Any]) -> str:
    """Long lines are cut; an empty array is none in C."""
    text = [str(item) for item in items] or ["0"]
    rows = [", ".join(text[k : k + 12]) for k in range(0, len(text), 12)]
    return f"static const {kind} {name}[] = {{\n  " + ",\n  ".join(rows) + "};"


def _numbers(name: str, items: list[float]) -> str:
    return _array("double", name, [write_number(x) for x in items])


def _nodes(trees: list[dict[str, Any]], k: int) -> tuple[list[str], int]:
    """Nodes of all trees, one behind the other; bits of their sets; values of their leaves."""
    nodes, bits, values, roots = list[str](), list[int](), list[float](), list[int]()
    for tree in trees:
        roots.append(len(nodes))
        for at, child in enumerate(tree["child"]):
            if child < 0:
                nodes.append(f"{{0, 0, -1, {len(values)}, 0, 0}}")
                values += tree["value"][at]
                continue
            levels, place, threshold = tree["levels"][at], -1, tree["threshold"][at] or 0.0
            if levels == EACH:
                place = -2
            elif levels is not None:
                place = len(bits)
                bits += _bytes(levels)
            size = 0 if place < 0 else len(bits) - place
            children = tree["children"][at] if place == -2 else size * 8
            nodes.append(
                f"{{{write_number(threshold)}, {tree['column'][at]}, {child}, {tree['missing'][at]}, {place}, "
                f"{children}}}"
            )
    return [
        _array("struct node", f"nodes_{k}", nodes),
        _array("unsigned char", f"bits_{k}", bits),
        _array("int", f"roots_{k}", roots),
        _numbers(f"values_{k}", values),
    ], len(trees)


def _bytes(levels: list[int]) -> list[int]:
    out = [0] * (max(levels, default=0) // 8 + 1)
    for level in levels:
        out[level // 8] |= 1 << level % 8
    return out


def _trees(step: Step, k: int, source: str, width: int) -> One:
    lines, n = _nodes(step["trees"], k)
    outputs = [-1 if tree["output"] is None else tree["output"] for tree in step["trees"]]
    many, divide = len(step["start"]), step["divide"]
    lines += [_array("int", f"outputs_{k}", outputs), _numbers(f"start_{k}", step["start"])]
    divisor = write_number(1.0 if divide is None else divide)
    call = (
        f"add_trees({source}, s{k}, nodes_{k}, bits_{k}, roots_{k}, values_{k}, outputs_{k}, start_{k}, {n}, {many}, "
        f"{divisor});"
    )
    return lines, call, many, ("walk", "add_trees")


def _leaves(step: Step, k: int, source: str, width: int) -> One:
    lines, n = _nodes(step["trees"], k)
    call = f"find_leaves({source}, s{k}, nodes_{k}, bits_{k}, roots_{k}, values_{k}, {n});"
    return lines, call, n, ("walk", "find_leaves")


def _rules(step: Step, k: int, source: str, width: int) -> One:
    conditions, bits, begin = [], list[int](), [0]
    for rule in step["rules"]:
        for one in rule:
            place, size = -1, 0
            if one["levels"] is not None:
                place, some = len(bits), _bytes([int(x) for x in one["levels"]])
                bits, size = bits + some, len(some) * 8
            low = "-HUGE_VAL" if one["low"] is None else write_number(one["low"])
            high = "HUGE_VAL" if one["high"] is None else write_number(one["high"])
            conditions.append(f"{{{low}, {high}, {one['column']}, {place}, {size}, {int(one['missing'])}}}")
        begin.append(len(conditions))
    many = len(step["value"][0])
    lines = [
        _array("struct condition", f"conditions_{k}", conditions or ["{0, 0, 0, 0, 0, 0}"]),
        _array("unsigned char", f"bits_{k}", bits),
        _array("int", f"begin_{k}", begin),
        _numbers(f"values_{k}", [x for value in step["value"] for x in value]),
    ]
    call = f"first_rule({source}, s{k}, conditions_{k}, bits_{k}, begin_{k}, values_{k}, {len(step['rules'])}, {many});"
    return lines, call, many, ("first_rule",)


def _take(step: Step, k: int, source: str, width: int) -> One:
    n = len(step["columns"])
    call = f"{{ int i; for (i = 0; i < {n}; ++i) s{k}[i] = {source}[columns_{k}[i]]; }}"
    return [_array("int", f"columns_{k}", step["columns"])], call, n, ()


def _recode(step: Step, k: int, source: str, width: int) -> One:
    known, begin = list[str](), [0]
    for some in step["columns"]:
        known += ["NAN" if x is None else write_number(x) for x in some or []]
        begin.append(len(known))
    same = [int(some is None) for some in step["columns"]]
    lines = [
        _array("double", f"known_{k}", known),
        _array("int", f"begin_{k}", begin),
        _array("int", f"same_{k}", same),
    ]
    return lines, f"recode({source}, s{k}, known_{k}, begin_{k}, same_{k}, {width});", width, ("recode",)


def _prepare(step: Step, k: int, source: str, width: int) -> One:
    parts, n = list[str](), 0
    for j, column in enumerate(step["columns"]):
        x = f"{source}[{j}]"
        if column["levels"] is None:
            parts.append(
                f"s{k}[{n}] = scaled({x}, {write_number(column['centre'])}, {write_number(column['scale'])});"
            )
            n += 1
        for level in column["levels"] or []:
            parts.append(f"s{k}[{n}] = {x} == {level};")
            n += 1
        if column["gap"]:
            parts.append(f"s{k}[{n}] = isnan({x}) ? 1.0 : 0.0;")
            n += 1
    scaled = ("scaled",) if any(column["levels"] is None for column in step["columns"]) else ()
    return [], "\n  ".join(parts) or ";", n, scaled


def _linear(step: Step, k: int, source: str, width: int) -> One:
    many = len(step["intercept"])
    lines = [
        _numbers(f"coef_{k}", [x for line in step["coef"] for x in line]),
        _numbers(f"intercept_{k}", step["intercept"]),
    ]
    return lines, f"linear({source}, s{k}, coef_{k}, intercept_{k}, {many}, {width});", many, ("linear",)


def _kernel(step: Step, k: int, source: str, width: int) -> One:
    kernel, many, n = step["kernel"], len(step["intercept"]), len(step["rows"])
    lines = [
        _numbers(f"rows_{k}", [x for row in step["rows"] for x in row]),
        _numbers(f"coef_{k}", [x for coef in step["coef"] for x in coef]),
        _numbers(f"intercept_{k}", step["intercept"]),
        _numbers(f"centre_{k}", step["centre"]),
        _numbers(f"spread_{k}", step["spread"]),
    ]
    number = ("linear", "poly", "rbf", "sigmoid").index(kernel["name"])
    settings = (
        f"{number}, {write_number(kernel['gamma'])}, {write_number(kernel['coef0'])}, {kernel['degree']}"
    )
    call = (
        f"{{ double scaled_{k}[{max(1, width)}]; kernel_sum({source}, scaled_{k}, s{k}, rows_{k}, coef_{k}, "
        f"intercept_{k}, centre_{k}, spread_{k}, {n}, {many}, {width}, {settings}); }}"
    )
    return lines, call, many, ("kernel_sum",)


def _link(step: Step, k: int, source: str, width: int) -> One:
    name, factor = step["name"], write_number(step["factor"])
    if name == "identity":
        return [], f"memcpy(s{k}, {source}, {width} * sizeof(double));", width, ()
    if name == "exp":
        return [], f"{{ int i; for (i = 0; i < {width}; ++i) s{k}[i] = exp({source}[i]); }}", width, ()
    if name == "logistic":
        call = f"s{k}[1] = 1.0 / (1.0 + exp(-{factor} * {source}[0])); s{k}[0] = 1.0 - s{k}[1];"
        return [], call, 2, ()
    if name == "shares":
        slope = f"({source}[0] > 0 ? {write_number(step['above'])} : {factor})"
        call = f"s{k}[0] = 0.0; s{k}[1] = {source}[0] * {slope}; softmax(s{k}, s{k}, 2, 1.0);"
        return [], call, 2, ("divide", "softmax")
    if name == "odds":
        many = 2 if width == 1 else width
        return [], f"odds({source}, s{k}, {width}, {factor});", many, ("divide", "odds")
    return [], f"softmax({source}, s{k}, {width}, {factor});", width, ("divide", "softmax")


def _pairs(step: Step, k: int, source: str, width: int) -> One:
    n = step["classes"]
    call = f"{{ double sure_{k}[{n}]; pairs({source}, s{k}, sure_{k}, {n}, {int(step['rounded'])}); }}"
    return [], call, n, ("pairs",)


def _vote(step: Step, k: int, source: str, width: int) -> One:
    many = max(2, width)
    call = f"{{ int i, best = decide({source}, {width}); for (i = 0; i < {many}; ++i) s{k}[i] = i == best; }}"
    return [], call, many, ("decide",)


def _weigh(step: Step, k: int, source: str, width: int) -> One:
    parts = [f"{{ int i; for (i = 0; i < {step['width']}; ++i) s{k}[i] = 0.0; }}"]
    for one, weight, places in zip(step["sources"], step["weights"], step["places"], strict=True):
        factor = "" if weight is None else f"{write_number(weight)} * "
        parts += [f"s{k}[{place}] += {factor}s{one}[{i}];" for i, place in enumerate(places)]
    if step["divide"] is not None:
        parts.append(
            f"{{ int i; for (i = 0; i < {step['width']}; ++i) s{k}[i] /= {write_number(step['divide'])}; }}"
        )
    return [], "\n  ".join(parts), step["width"], ()


def _median(step: Step, k: int, source: str, width: int) -> One:
    call = f"{{ int order_{k}[{width}]; s{k}[0] = median({source}, weights_{k}, order_{k}, {width}); }}"
    return [_numbers(f"weights_{k}", step["weights"])], call, 1, ("median",)


WRITE: dict[str, Any] = {
    "take": _take,
    "recode": _recode,
    "prepare": _prepare,
    "trees": _trees,
    "leaves": _leaves,
    "rules": _rules,
    "linear": _linear,
    "kernel": _kernel,
    "link": _link,
    "pairs": _pairs,
    "vote": _vote,
    "weigh": _weigh,
    "median": _median,
}

HELPERS = {
    "decide": """static int decide(const double *scores, int n) {
  int k, best = 0;
  if (n == 1) return scores[0] > 0;
  for (k = 1; k < n; ++k)
    if (scores[k] > scores[best]) best = k;
  return best;
}
""",
    "walk": """struct node { double threshold; int column, child, missing, bits, children; };

/* The place of the leaf's values. A set: bits >= 0; a child for each level: bits == -2; a leaf: child < 0. */
static int walk(const struct node *nodes, const unsigned char *bits, const double *cells) {
  const struct node *at = nodes;
  while (at->child >= 0) {
    const double x = cells[at->column];
    int next;
    if (isnan(x)) {
      next = at->missing;
    } else if (at->bits == -1) {
      next = at->child + !(x <= at->threshold);
    } else if (at->bits == -2) {
      next = x < at->children ? at->child + (int)x : at->missing;
    } else {
      const int level = (int)x;
      next = at->child + !(level < at->children && (bits[at->bits + level / 8] >> (level % 8) & 1));
    }
    at = nodes + next;
  }
  return at->missing;
}
""",
    "add_trees": """\
static void add_trees(const double *cells, double *out, const struct node *nodes, const unsigned char *bits,
                      const int *roots, const double *values, const int *outputs, const double *start, int n,
                      int width, double divisor) {
  int t, k;
  for (k = 0; k < width; ++k) out[k] = start[k];
  for (t = 0; t < n; ++t) {
    const double *value = values + walk(nodes + roots[t], bits, cells);
    if (outputs[t] >= 0) {
      out[outputs[t]] += value[0];
    } else {
      for (k = 0; k < width; ++k) out[k] += value[k];
    }
  }
  for (k = 0; k < width; ++k) out[k] /= divisor;
}
""",
    "find_leaves": """static void find_leaves(const double *cells, double *out, const struct node *nodes,
                        const unsigned char *bits, const int *roots, const double *values, int n) {
  int t;
  for (t = 0; t < n; ++t) out[t] = values[walk(nodes + roots[t], bits, cells)];
}
""",
    "first_rule": """struct condition { double low, high; int column, bits, levels, missing; };

static int holds(const struct condition *one, const unsigned char *bits, double x) {
  if (isnan(x)) return one->missing;
  if (one->bits < 0) return one->low < x && x <= one->high;
  return (int)x < one->levels && (bits[one->bits + (int)x / 8] >> ((int)x % 8) & 1);
}

static void first_rule(const double *cells, double *out, const struct condition *conditions,
                       const unsigned char *bits, const int *begin, const double *values, int n, int width) {
  int r, c;
  for (r = 0; r < n; ++r) {
    for (c = begin[r]; c < begin[r + 1]; ++c)
      if (!holds(conditions + c, bits, cells[conditions[c].column])) break;
    if (c == begin[r + 1]) break;
  }
  memcpy(out, values + (size_t)r * (size_t)width, (size_t)width * sizeof(double));
}
""",
    "recode": """\
static void recode(const double *cells, double *out, const double *known, const int *begin, const int *same,
                   int n) {
  int j, k;
  for (j = 0; j < n; ++j) {
    out[j] = cells[j];
    if (same[j] || isnan(cells[j])) continue;
    for (k = begin[j]; k < begin[j + 1]; ++k)
      if (known[k] == cells[j]) break;
    out[j] = k - begin[j];
  }
}
""",
    "scaled": """static double scaled(double x, double centre, double scale) {
  const double away = isnan(x) ? 0.0 : (x / 2 - centre / 2) / scale * 2;
  return away < -1e100 ? -1e100 : away > 1e100 ? 1e100 : away;
}
""",
    "linear": """\
static void linear(const double *x, double *out, const double *coef, const double *intercept, int n, int width) {
  int m, j;
  for (m = 0; m < n; ++m) {
    double total = 0.0;
    for (j = 0; j < width; ++j) total += coef[m * width + j] * x[j];
    out[m] = total + intercept[m];
  }
}
""",
    "kernel_sum": """\
static double kernel_of(const double *x, const double *z, int width, int kernel, double gamma, double coef0,
                        int degree) {
  double total = 0.0, power = 1.0;
  int j;
  for (j = 0; j < width; ++j) total += kernel == 2 ? (x[j] - z[j]) * (x[j] - z[j]) : x[j] * z[j];
  if (kernel == 0) return total;
  if (kernel == 2) return exp(-gamma * total);
  total = gamma * total + coef0;
  if (kernel == 3) return tanh(total);
  for (j = 0; j < degree; ++j) power *= total;
  return power;
}

static void kernel_sum(const double *cells, double *x, double *out, const double *rows, const double *coef,
                       const double *intercept, const double *centre, const double *spread, int n, int many,
                       int width, int kernel, double gamma, double coef0, int degree) {
  int i, m, j;
  for (j = 0; j < width; ++j) x[j] = (cells[j] - centre[j]) / spread[j];
  for (m = 0; m < many; ++m) out[m] = 0.0;
  for (i = 0; i < n; ++i) {
    const double value = kernel_of(x, rows + (size_t)i * (size_t)width, width, kernel, gamma, coef0, degree);
    for (m = 0; m < many; ++m) out[m] += value * coef[i * many + m];
  }
  for (m = 0; m < many; ++m) out[m] += intercept[m];
}
""",
    "divide": """static void divide(double *parts, int n) {
  double total = 0.0;
  int k;
  for (k = 0; k < n; ++k) total += parts[k];
  for (k = 0; k < n; ++k) parts[k] = total > 0 ? parts[k] / total : 1.0 / n;
}
""",
    "softmax": """static void softmax(const double *scores, double *out, int n, double factor) {
  double top = scores[0];
  int k;
  for (k = 1; k < n; ++k) top = scores[k] > top ? scores[k] : top;
  for (k = 0; k < n; ++k) out[k] = exp(factor * (scores[k] - top));
  divide(out, n);
}
""",
    "odds": """static void odds(const double *scores, double *out, int n, double factor) {
  int k;
  for (k = 0; k < n; ++k) {
    const double z = factor * scores[k], small = exp(-fabs(z));
    out[k] = (z >= 0 ? 1.0 : small) / (1.0 + small);
    if (n == 1) {
      out[1] = out[0];
      out[0] = (z >= 0 ? small : 1.0) / (1.0 + small);
    }
  }
  if (n > 1) divide(out, n);
}
""",
    "pairs": """static void pairs(const double *scores, double *out, double *sure, int n, int rounded) {
  int i, j, k = 0;
  for (i = 0; i < n; ++i) out[i] = sure[i] = 0.0;
  for (i = 0; i < n; ++i)
    for (j = i + 1; j < n; ++j, ++k) {
      out[scores[k] > 0 ? i : j] += 1.0;
      sure[i] += scores[k];
      sure[j] -= scores[k];
    }
  for (i = 0; i < n && !rounded; ++i) out[i] += sure[i] / (3 * (fabs(sure[i]) + 1));
}
""",
    "median": """static double median(const double *values, const double *weights, int *order, int n) {
  double total = 0.0, reached = 0.0;
  int i, k;
  for (i = 0; i < n; ++i) {
    for (k = i; k > 0 && values[order[k - 1]] > values[i]; --k) order[k] = order[k - 1];
    order[k] = i;
  }
  for (i = 0; i < n; ++i) total += weights[order[i]];
  for (i = 0; i < n - 1; ++i) {
    reached += weights[order[i]];
    if (reached >= 0.5 * total) break;
  }
  return values[order[i]];
}
""",
}
