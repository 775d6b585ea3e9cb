#include "optimal/pair_sums.hpp"

#include <algorithm>

#include "optimal/bits.hpp"

namespace hedgerow::optimal {
PairSums::PairSums(const Points& points, const Subset& subset)
    : points_(points), subset_(subset), channels_(points.problem().n_channels) {
  in_group_.resize(points.problem().n_groups);
  for (int i = 0; i < subset.size(); ++i) in_group_[points.problem().group[subset.questions[i]]].push_back(i);
  by_cells_ = cells_are_faster();
  if (by_cells_) {
    sums_.resize(static_cast<size_t>(subset.size()) * subset.size() * channels_);
    fill_tables();
  } else {
    sums_.resize(static_cast<size_t>(subset.size()) * channels_);
    masked_.resize(subset.words);
  }
}

bool PairSums::cells_are_faster() const {
  double n_groups = 0, questions = subset_.size(), tables = 0;
  for (size_t g = 0; g < in_group_.size(); ++g)
    if (!in_group_[g].empty()) {
      ++n_groups;
      tables += points_.n_cells(static_cast<int>(g));
    }
  double words = 0;
  for (const int64_t used : subset_.plane_words) words += static_cast<double>(used) + 2;
  const double by_planes = questions * questions / 2 * words * 0.6;
  const double each = static_cast<double>(subset_.n) * 1.5 * n_groups * n_groups / 2;
  return channels_ * (each + (tables + questions) * (tables + questions) / 2) < by_planes;
}

const int64_t* PairSums::row(int i) {
  if (by_cells_) return &sums_[static_cast<size_t>(i) * subset_.size() * channels_];
  row_by_planes(i);
  return sums_.data();
}

void PairSums::row_by_planes(int i) {
  const int64_t words = subset_.words;
  std::fill(sums_.begin(), sums_.end(), 0);
  const uint64_t* own = subset_.answers(i);
  const auto& planes = points_.planes();
  for (size_t b = 0; b < planes.size(); ++b) {
    const int64_t used = subset_.plane_words[b];
    if (used == 0) continue;
    for (int64_t w = 0; w < used; ++w) masked_[w] = own[w] & subset_.plane(b)[w];
    add_common(masked_.data(), used, subset_.answers(i + 1), subset_.size() - i - 1, words, planes[b].worth,
               channels_, &sums_[(i + 1) * channels_ + planes[b].channel]);
  }
}

void PairSums::fill_tables() {
  for (size_t g = 0; g < in_group_.size(); ++g)
    for (size_t h = g; h < in_group_.size(); ++h)
      if (!in_group_[g].empty() && !in_group_[h].empty())
        fill_group_pair(static_cast<int>(g), static_cast<int>(h));
}

// table[cell of g][cell of h], then lines (a question of g x cells of h), then sums (two questions).
void PairSums::fill_group_pair(int g, int h) {
  const Problem& problem = points_.problem();
  const int cells_g = points_.n_cells(g), cells_h = points_.n_cells(h);
  const uint16_t *code_g = problem.cells + g * problem.n_points,
                 *code_h = problem.cells + h * problem.n_points;
  table_.resize(static_cast<size_t>(cells_g) * cells_h);
  line_.resize(cells_h);
  for (int m = 0; m < channels_; ++m) {
    const int64_t* channel = problem.channels + m * problem.n_points;
    std::fill(table_.begin(), table_.end(), 0);
    for (const uint32_t p : subset_.points) table_[code_g[p] * cells_h + code_h[p]] += channel[p];
    for (const int i : in_group_[g]) {
      std::fill(line_.begin(), line_.end(), 0);
      const auto& yes_i = points_.answers(subset_.questions[i]);
      for (int c = 0; c < cells_g; ++c)
        if (yes_i[c])
          for (int k = 0; k < cells_h; ++k) line_[k] += table_[c * cells_h + k];
      for (const int j : in_group_[h]) {
        const auto& yes_j = points_.answers(subset_.questions[j]);
        int64_t sum = 0;
        for (int k = 0; k < cells_h; ++k) sum += yes_j[k] ? line_[k] : 0;
        const int low = std::min(i, j), high = std::max(i, j);
        sums_[(static_cast<size_t>(low) * subset_.size() + high) * channels_ + m] = sum;
      }
    }
  }
}

}  // namespace hedgerow::optimal
