#include "explain/shap.hpp"

#include <algorithm>

#include "common/simd.hpp"

namespace hedgerow {
namespace {

constexpr int kRows = 8;        // rows that go through a tree together
constexpr int64_t kBlocks = 4;  // groups of rows a task

// An edge of the tree, in the order of a walk that finishes each subtree before its sibling.
struct Edge {
  int32_t node, parent;  // counted from the root
  int32_t depth;         // of the node; at least 1
  int32_t before;        // depth of the edge above that tests the same column; 0: none
  int32_t place;         // of the node among its siblings
  double part;           // its share of the siblings' weight
  double z;              // the product of such shares over the edges of this column, down to here
  double z_before;       // the same down to the edge before
};

struct Walk {
  std::vector<Edge> edges;
  int depth = 0, columns = 0;  // the deepest node; most columns on one path
  std::vector<double> base;
};

Walk walk_of(const FlatTrees& trees, int64_t root) {
  Walk walk;
  walk.base.assign(trees.n_outputs, 0.0);
  struct Open {
    int32_t node, depth, columns;  // columns tested on the way to it
    double reach;                  // the product of all shares on the way to it
  };
  std::vector<Open> open{{0, 0, 0, 1.0}};
  std::vector<Edge> above(1);       // the edge into each node of the current path; none into the root
  std::vector<int32_t> feature(1);  // the column it tests
  while (!open.empty()) {
    Open here = open.back();
    open.pop_back();
    if (here.depth > 0) {
      above.resize(here.depth + 1);
      feature.resize(here.depth + 1);
      Edge edge{};
      edge.node = here.node;
      edge.parent = above[here.depth - 1].node;
      edge.depth = here.depth;
      const FlatNode& up = trees.nodes[root + edge.parent];
      edge.place = here.node - up.first;
      edge.part = edge.z = part_of(trees, root, up, here.node);
      for (int d = here.depth - 1; d > 0 && edge.before == 0; --d)
        if (feature[d] == up.feature) edge.before = d;
      if (edge.before) {
        edge.z_before = above[edge.before].z;
        edge.z *= edge.z_before;
      }
      here.columns += edge.before == 0;
      here.reach *= edge.part;
      above[here.depth] = edge;
      feature[here.depth] = up.feature;
      walk.edges.push_back(edge);
    }
    walk.depth = std::max(walk.depth, here.depth);
    walk.columns = std::max(walk.columns, here.columns);
    const FlatNode& node = trees.nodes[root + here.node];
    if (node.n_children == 0)
      for (int c = 0; c < trees.n_outputs; ++c)
        walk.base[c] += here.reach * trees.value[(root + here.node) * trees.n_outputs + c];
    for (int32_t k = node.n_children; k-- > 0;)
      open.push_back({node.first + k, here.depth + 1, here.columns, here.reach});
  }
  return walk;
}

// What a worker needs for one group of rows: for each depth of the current path, for each point, for each
// row.
struct Scratch {
  std::vector<double> product;  // of the factors of the path so far, times the weight of the point
  std::vector<double> inverse;  // 1 / factor of the edge's column
  std::vector<double> known;    // o of the edge's column (no points)
  std::vector<double> pull;     // (o - z) / factor, less the same of the edge before
  std::vector<double> below;    // depth x outputs: value x product, summed over the leaves below
  std::vector<double> phi;      // columns x outputs x rows of the group
  std::vector<int32_t> place;   // the way each row goes at the node (no points)
  std::vector<int64_t> path;    // the edge into each node of the path

  void fit(int64_t depth, int64_t points, int64_t outputs, int64_t columns) {
    const int64_t wide = points * kRows;
    for (auto* array : {&product, &inverse}) array->resize((depth + 1) * wide);
    known.resize((depth + 1) * kRows);
    pull.resize(wide);
    below.resize((depth + 1) * outputs * wide);
    place.resize((depth + 1) * kRows);
    path.resize(depth + 1);
    phi.resize(columns * outputs * kRows);
  }
};

HEDGEROW_CLONES void enter(int points, const double* t, const double* known, double z, const double* above,
                           const double* inverse_before, double* product, double* inverse) {
  for (int k = 0; k < points; ++k)
    for (int r = 0; r < kRows; ++r) {
      const int at = k * kRows + r;
      const double factor = z + t[k] * (known[r] - z);
      const double up = inverse_before ? above[at] * inverse_before[at] : above[at];
      product[at] = up * factor;
      inverse[at] = factor > 0 ? 1 / factor : 0;
    }
}

HEDGEROW_CLONES void pull_of(int points, const double* known, double z, const double* inverse, double* pull) {
  for (int k = 0; k < points; ++k)
    for (int r = 0; r < kRows; ++r) pull[k * kRows + r] = (known[r] - z) * inverse[k * kRows + r];
}

HEDGEROW_CLONES void less_before(int points, const double* known, double z, const double* inverse,
                                 double* pull) {
  for (int k = 0; k < points; ++k)
    for (int r = 0; r < kRows; ++r) pull[k * kRows + r] -= (known[r] - z) * inverse[k * kRows + r];
}

// phi += sum over points of pull x what; up += what.
HEDGEROW_CLONES void leave(int points, const double* pull, const double* what, double* phi, double* up) {
  double sum[kRows] = {};
  for (int k = 0; k < points; ++k)
    for (int r = 0; r < kRows; ++r) {
      sum[r] += pull[k * kRows + r] * what[k * kRows + r];
      up[k * kRows + r] += what[k * kRows + r];
    }
  for (int r = 0; r < kRows; ++r) phi[r] += sum[r];
}

HEDGEROW_CLONES void pulled(int points, const double* pull, const double* product, double* sum) {
  for (int r = 0; r < kRows; ++r) sum[r] = 0;
  for (int k = 0; k < points; ++k)
    for (int r = 0; r < kRows; ++r) sum[r] += pull[k * kRows + r] * product[k * kRows + r];
}

HEDGEROW_CLONES void add_leaf(int points, double value, const double* product, const double* sum, double* phi,
                              double* up) {
  for (int at = 0; at < points * kRows; ++at) up[at] += value * product[at];
  for (int r = 0; r < kRows; ++r) phi[r] += value * sum[r];
}

class Group {
 public:
  Group(const FlatTrees& trees, int64_t root, const Walk& walk, const Quadrature& rule, const Matrix& rows,
        Scratch& scratch)
      : trees_(trees),
        root_(root),
        walk_(walk),
        rule_(rule),
        rows_(rows),
        s_(scratch),
        points_(static_cast<int>(rule.point.size())),
        wide_(int64_t{points_} * kRows) {}

  void run(int64_t first_row) {
    const int K = trees_.n_outputs;
    for (int k = 0; k < points_; ++k) std::fill_n(s_.product.data() + k * kRows, kRows, rule_.weight[k]);
    std::fill_n(s_.below.data(), K * wide_, 0.0);
    choose(0, 0, first_row);
    int open = 0;  // depth of the node we stand at
    for (size_t e = 0; e < walk_.edges.size(); ++e) {
      const Edge& edge = walk_.edges[e];
      while (open >= edge.depth) leave_inner(walk_.edges[s_.path[open--]]);
      go_down(edge);
      if (trees_.nodes[root_ + edge.node].n_children == 0) {
        leave_leaf(edge);
      } else {
        s_.path[edge.depth] = static_cast<int64_t>(e);
        open = edge.depth;
        std::fill_n(below(edge.depth), K * wide_, 0.0);
        choose(edge.depth, edge.node, first_row);
      }
    }
    while (open > 0) leave_inner(walk_.edges[s_.path[open--]]);
  }

 private:
  double* at(std::vector<double>& array, int depth) { return array.data() + depth * wide_; }
  double* known(int depth) { return s_.known.data() + int64_t{depth} * kRows; }
  double* below(int depth) { return s_.below.data() + depth * wide_ * trees_.n_outputs; }

  void choose(int depth, int32_t node_number, int64_t first_row) {
    const FlatNode& node = trees_.nodes[root_ + node_number];
    if (node.n_children == 0) return;
    for (int r = 0; r < kRows; ++r) {
      const int64_t row = std::min(first_row + r, rows_.n_rows - 1);
      s_.place[depth * kRows + r] =
          place_of(trees_, node, [&](int64_t column) { return cell(rows_, row, column); });
    }
  }

  void go_down(const Edge& edge) {
    const int d = edge.depth;
    double* o = known(d);
    for (int r = 0; r < kRows; ++r) {
      const int32_t place = s_.place[(d - 1) * kRows + r];
      o[r] = place == edge.place ? 1.0 : place == kToAll ? edge.part : 0.0;
      if (edge.before) o[r] *= known(edge.before)[r];
    }
    enter(points_, rule_.point.data(), o, edge.z, at(s_.product, d - 1),
          edge.before ? at(s_.inverse, edge.before) : nullptr, at(s_.product, d), at(s_.inverse, d));
  }

  void pull(const Edge& edge) {
    pull_of(points_, known(edge.depth), edge.z, at(s_.inverse, edge.depth), s_.pull.data());
    if (edge.before)
      less_before(points_, known(edge.before), edge.z_before, at(s_.inverse, edge.before), s_.pull.data());
  }

  double* phi(const Edge& edge, int c) {
    const int64_t column = trees_.nodes[root_ + edge.parent].feature;
    return s_.phi.data() + (column * trees_.n_outputs + c) * kRows;
  }

  void leave_inner(const Edge& edge) {
    pull(edge);
    for (int c = 0; c < trees_.n_outputs; ++c)
      leave(points_, s_.pull.data(), below(edge.depth) + c * wide_, phi(edge, c),
            below(edge.depth - 1) + c * wide_);
  }

  void leave_leaf(const Edge& edge) {
    pull(edge);
    double sum[kRows];
    pulled(points_, s_.pull.data(), at(s_.product, edge.depth), sum);
    const double* value = trees_.value + (root_ + edge.node) * trees_.n_outputs;
    for (int c = 0; c < trees_.n_outputs; ++c)
      if (value[c] != 0)
        add_leaf(points_, value[c], at(s_.product, edge.depth), sum, phi(edge, c),
                 below(edge.depth - 1) + c * wide_);
  }

  const FlatTrees& trees_;
  const int64_t root_;
  const Walk& walk_;
  const Quadrature& rule_;
  const Matrix& rows_;
  Scratch& s_;
  const int points_;
  const int64_t wide_;
};

// The group's values, added to rows x columns x outputs.
void add_up(const Scratch& s, int64_t first_row, int64_t n_rows, int64_t n_cells, double* out) {
  for (int64_t r = 0; r < std::min<int64_t>(kRows, n_rows - first_row); ++r)
    for (int64_t j = 0; j < n_cells; ++j) out[(first_row + r) * n_cells + j] += s.phi[j * kRows + r];
}

}  // namespace

Quadrature gauss_legendre(int n) {
  Quadrature rule{std::vector<double>(n), std::vector<double>(n)};
  for (int i = 0; i < n; ++i) {
    double x = std::cos(3.14159265358979323846 * (i + 0.75) / (n + 0.5)), slope = 0;
    for (int step = 0; step < 100; ++step) {  // Newton, on the Legendre polynomial of degree n
      double before = 1, now = x;
      for (int k = 2; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * now - (k - 1) * before) / k;
        before = now;
        now = next;
      }
      slope = n * (x * now - before) / (x * x - 1);
      const double move = now / slope;
      x -= move;
      if (std::abs(move) < 1e-15) break;
    }
    rule.point[i] = (1 - x) / 2;
    rule.weight[i] = 1 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

void shap_values(const FlatTrees& trees, const Matrix& rows, int64_t n_columns, double* out, double* base,
                 ThreadTeam& team) {
  const int64_t n_cells = n_columns * trees.n_outputs;
  std::fill_n(out, rows.n_rows * n_cells, 0.0);
  std::fill_n(base, trees.n_outputs, 0.0);
  std::vector<Scratch> scratch(team.size());
  constexpr int64_t step = kRows * kBlocks;
  for (int64_t t = 0; t < trees.n_trees; ++t) {
    team.stop().check();
    const int64_t root = trees.starts[t];
    const Walk walk = walk_of(trees, root);
    for (int c = 0; c < trees.n_outputs; ++c) base[c] += walk.base[c];
    if (walk.edges.empty()) continue;
    const Quadrature rule = gauss_legendre((walk.columns + 1) / 2);
    team.run((rows.n_rows + step - 1) / step, [&](int64_t task, int worker) {
      Scratch& s = scratch[worker];
      s.fit(walk.depth, static_cast<int64_t>(rule.point.size()), trees.n_outputs, n_columns);
      for (int64_t first = task * step; first < std::min(rows.n_rows, (task + 1) * step); first += kRows) {
        std::fill(s.phi.begin(), s.phi.end(), 0.0);
        Group(trees, root, walk, rule, rows, s).run(first);
        add_up(s, first, rows.n_rows, n_cells, out);
      }
    });
  }
}

}  // namespace hedgerow
