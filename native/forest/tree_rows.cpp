// What one tree of a forest is made of: its rows and their weights, its thresholds.
#include <algorithm>

#include "forest/forest.hpp"
#include "grow/grid.hpp"

namespace hedgerow {

void draw_rows(const ForestInput& input, int64_t tree, TreeRows& rows) {
  const GrowInput& one = input.one;
  rows.counts.resize(one.n_rows);
  rows.weight.clear();
  draw_counts(input.draws, tree, rows.counts.data());
  if (!one.weight && !input.class_weight && !input.balanced) return;
  rows.weight.assign(rows.counts.begin(), rows.counts.end());
  if (one.weight)
    for (int64_t i = 0; i < one.n_rows; ++i) rows.weight[i] *= one.weight[i];
  std::vector<double> factor(std::max(1, one.n_classes), 1.0);
  if (input.balanced) {
    std::vector<double> mass(one.n_classes, 0.0);
    double total = 0;
    for (int64_t i = 0; i < one.n_rows; ++i) mass[one.classes[i]] += rows.weight[i];
    for (const double m : mass) total += m;
    for (int k = 0; k < one.n_classes; ++k)
      if (mass[k] > 0) factor[k] = total / (one.n_classes * mass[k]);
  }
  if (input.class_weight)
    for (int k = 0; k < one.n_classes; ++k) factor[k] *= input.class_weight[k];
  if (input.balanced || input.class_weight) {
    double total = 0;
    for (int64_t i = 0; one.exact && i < one.n_rows; ++i) total += rows.weight[i];
    const double grid = grid_of(total * *std::max_element(factor.begin(), factor.end()));
    for (int64_t i = 0; i < one.n_rows; ++i)
      rows.weight[i] = round_to_grid(rows.weight[i] * factor[one.classes[i]], grid);
  }
  for (int64_t i = 0; i < one.n_rows; ++i)
    if (!(rows.weight[i] > 0)) rows.counts[i] = 0;
}

double threshold_between(const ForestInput& input, int32_t column, uint32_t low, uint32_t high) {
  if (input.edges[column]) return input.edges[column][low];
  const double below = input.one.columns[column].values[low], above = input.one.columns[column].values[high];
  const double middle = below / 2 + above / 2;
  return middle >= above || middle < below ? below : middle;
}

double undivided(const ForestInput& input, int32_t column, double threshold) {
  if (!input.edges[column]) return threshold;
  const double* values = input.one.columns[column].values;
  const double* end = values + input.one.columns[column].n_codes;
  return input.edges[column][std::upper_bound(values, end, threshold) - values - 1];
}

}  // namespace hedgerow
