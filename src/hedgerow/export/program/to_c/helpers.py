"""Helpers of an exported model, in C99, by name. One may need those before it."""

HELPERS = {
    "decide": """static int decide(const double *scores, int n) {
  int k, best = 0;
  if (n == 1) return scores[0] > 0;
  for (k = 1; k < n; ++k)
    if (scores[k] > scores[best]) best = k;
  return best;
}
""",
    "node": """struct node { double threshold; int column, child, missing, bits, children; };

static int in_set(const unsigned char *bits, int size, double x) {
  const int level = (int)x;
  return level < size && (bits[level / 8] >> (level % 8) & 1);
}
""",
    "walk": """\
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
      next = at->child + !in_set(bits + at->bits, at->children, x);
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
    "add_plain": """\
/* column: twice its number, plus 1 where missing cells go to the second child. */
struct plain_node { double threshold; unsigned column; int child; };

static int step(const struct plain_node *nodes, int at, const double *cells) {
  const struct plain_node here = nodes[at];
  const double x = cells[here.column >> 1];
  const int at_most = x <= here.threshold;
  return here.child + ((1 - at_most) & ((x == x) | (int)(here.column & 1u)));
}

static void add_value(double *out, const double *value, int output, int width) {
  int k;
  if (output >= 0) {
    out[output] += value[0];
    return;
  }
  for (k = 0; k < width; ++k) out[k] += value[k];
}

static void add_plain(const double *cells, double *out, const struct plain_node *nodes, const int *places,
                      const int *roots, const int *steps, const double *values, const int *outputs,
                      const double *start, int n, int width, double divisor) {
  int t = 0, k;
  for (k = 0; k < width; ++k) out[k] = start[k];
  for (; t + 8 <= n; t += 8) {
    const int *r = roots + t;
    int a = r[0], b = r[1], c = r[2], d = r[3], e = r[4], f = r[5], g = r[6], h = r[7], most = 0;
    for (k = 0; k < 8; ++k) most = steps[t + k] > most ? steps[t + k] : most;
    for (k = 0; k < most; ++k) {
      a = step(nodes, a, cells);
      b = step(nodes, b, cells);
      c = step(nodes, c, cells);
      d = step(nodes, d, cells);
      e = step(nodes, e, cells);
      f = step(nodes, f, cells);
      g = step(nodes, g, cells);
      h = step(nodes, h, cells);
    }
    add_value(out, values + places[a], outputs[t], width);
    add_value(out, values + places[b], outputs[t + 1], width);
    add_value(out, values + places[c], outputs[t + 2], width);
    add_value(out, values + places[d], outputs[t + 3], width);
    add_value(out, values + places[e], outputs[t + 4], width);
    add_value(out, values + places[f], outputs[t + 5], width);
    add_value(out, values + places[g], outputs[t + 6], width);
    add_value(out, values + places[h], outputs[t + 7], width);
  }
  for (; t < n; ++t) {
    int at = roots[t];
    for (k = 0; k < steps[t]; ++k) at = step(nodes, at, cells);
    add_value(out, values + places[at], outputs[t], width);
  }
  for (k = 0; k < width; ++k) out[k] /= divisor;
}
""",
    "add_spread": """struct surrogate { double threshold; int column, bits, size, known, below; };

struct trees {
  const struct node *nodes;
  const unsigned char *bits;
  const double *values;
  const struct surrogate *surrogates;
  const unsigned char *surrogate_bits;
  const int *begin; /* of each node's surrogates */
  const double *shares;
};

/* The child a row goes to; -1: to all of them. */
static int way(const struct trees *all, int root, int at, const double *cells) {
  const struct node *here = all->nodes + root + at;
  const double x = cells[here->column];
  int k;
  if (!isnan(x)) {
    if (here->bits == -1) return here->child + !(x <= here->threshold);
    if (here->bits >= 0) return here->child + !in_set(all->bits + here->bits, here->children, x);
    if (x < here->children) return here->child + (int)x;
  }
  for (k = all->begin[root + at]; k < all->begin[root + at + 1]; ++k) {
    const struct surrogate *one = all->surrogates + k;
    const double y = cells[one->column];
    int first;
    if (isnan(y) || (one->known >= 0 && !(y < one->known))) continue;
    first = one->bits < 0 ? y <= one->threshold : in_set(all->surrogate_bits + one->bits, one->size, y);
    return here->child + (first != one->below);
  }
  return here->missing;
}

static void spread(const struct trees *all, int root, int at, double share, const double *cells, double *out,
                   int width) {
  const struct node *nodes = all->nodes + root;
  int k;
  while (nodes[at].child >= 0) {
    const int to = way(all, root, at, cells), child = nodes[at].child;
    if (to < 0) {
      const int many = nodes[at].bits == -2 ? nodes[at].children : 2;
      for (k = child; k < child + many; ++k)
        spread(all, root, k, share * all->shares[root + k], cells, out, width);
      return;
    }
    at = to;
  }
  for (k = 0; k < width; ++k) out[k] += share * all->values[nodes[at].missing + k];
}

static void add_spread(const double *cells, double *out, const struct trees *all, const int *roots,
                       const int *outputs, const double *start, int n, int width, double divisor) {
  int t, k;
  for (k = 0; k < width; ++k) out[k] = start[k];
  for (t = 0; t < n; ++t) {
    if (outputs[t] < 0)
      spread(all, roots[t], 0, 1.0, cells, out, width);
    else
      spread(all, roots[t], 0, 1.0, cells, out + outputs[t], 1);
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
    "date_part": """\
/* Days since 1970-01-01 -> year, month from 0, weekday from Monday, hour; by eras of 400 years from 1 March on. */
static double date_part(double days, int part) {
  const double whole = floor(days), day = whole + 719468, era = floor(day / 146097), of_era = day - 146097 * era;
  const double year =
      floor((of_era - floor(of_era / 1460) + floor(of_era / 36524) - floor(of_era / 146096)) / 365);
  const double of_year = of_era - (365 * year + floor(year / 4) - floor(year / 100));
  const double month = floor((5 * of_year + 2) / 153);
  if (!(fabs(days) < 3000000)) return NAN;
  if (part == 0) return year + 400 * era + (month < 10 ? 0 : 1);
  if (part == 1) return month < 10 ? month + 2 : month - 10;
  if (part == 2) return whole + 3 - 7 * floor((whole + 3) / 7);
  return floor((days - whole) * 24 + 1e-6);
}
""",
    "days_between": """\
static double days_between(double first, double second) {
  const double days = second - first;
  return isfinite(days) ? days : NAN;
}
""",
    "rates": """\
/* The last row is for a level that is missing or was never seen. */
static void rates(double level, double *out, const double *values, int n, int width) {
  const int row = level < n ? (int)level : n;
  memcpy(out, values + (size_t)row * (size_t)width, (size_t)width * sizeof(double));
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
    "clip": """static double clip(double x, double most) { return x > most ? most : x < -most ? -most : x; }
""",
    "dead_zone": """static double dead_zone(double x, double zone) {
  return x > zone ? 1.0 : x < -zone ? -1.0 : 0.0;
}
""",
    "soft_threshold": """static double soft_threshold(double x, double zone) {
  return x > zone ? x - zone : x < -zone ? x + zone : 0.0;
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
