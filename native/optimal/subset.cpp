#include "optimal/subset.hpp"

#include <algorithm>
#include <bit>

#include "common/random.hpp"
#include "optimal/bits.hpp"

namespace hedgerow::optimal {

Totals Totals::minus(const Totals& part) const {
  Totals rest{n - part.n, base - part.base, {key.first - part.key.first, key.second - part.key.second}, sums};
  for (size_t m = 0; m < sums.size(); ++m) rest.sums[m] -= part.sums[m];
  return rest;
}

Points::Points(const Problem& problem) : problem_(problem), keys_(problem.n_points) {
  const int64_t n = problem.n_points, words = problem.words();
  for (int64_t p = 0; p < n; ++p) keys_[p] = {mix(2 * p), mix(2 * p + 1)};
  for (int64_t p = 1; p < n; ++p) even_farthest_ &= problem.farthest[p] == problem.farthest[0];
  for (int m = 0; m < problem.n_channels; ++m) {
    const int64_t* values = problem.channels + m * n;
    for (const int sign : {1, -1}) {
      uint64_t seen = 0;
      for (int64_t p = 0; p < n; ++p) seen |= static_cast<uint64_t>(std::max<int64_t>(sign * values[p], 0));
      for (int b = 0; b < static_cast<int>(std::bit_width(seen)); ++b) {
        planes_.push_back({m, sign * (int64_t{1} << b)});
        plane_bits_.resize(planes_.size() * words);
        uint64_t* to = &plane_bits_[(planes_.size() - 1) * words];
        for (int64_t p = 0; p < n; ++p)
          to[p / 64] |= ((static_cast<uint64_t>(std::max<int64_t>(sign * values[p], 0)) >> b) & 1)
                        << (p % 64);
      }
    }
  }
  add_cells();
}

void Points::add_cells() {
  const int64_t n = problem_.n_points, words = problem_.words();
  for (int g = 0; g < problem_.n_groups; ++g) {
    const uint16_t* cell = problem_.cells + g * n;
    n_cells_.push_back(n ? *std::max_element(cell, cell + n) + 1 : 0);
  }
  for (int q = 0; q < problem_.n_questions; ++q) {
    const int g = problem_.group[q];
    std::vector<uint8_t> answers(n_cells_[g]);
    const uint64_t* bits = problem_.bits + q * words;
    for (int64_t p = 0; p < n; ++p) answers[problem_.cells[g * n + p]] = (bits[p / 64] >> (p % 64)) & 1;
    answers_.push_back(std::move(answers));
  }
}

// Fills in `questions` from the packed rows: those with both answers move to the front, planes behind them.
void Points::keep_asking(Subset& subset, const std::vector<int>& from) const {
  const int64_t words = subset.words;
  size_t to = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    const int64_t ones = count_ones(&subset.bits[i * words], words);
    if (ones == 0 || ones == subset.n) continue;
    if (to != i) std::copy_n(&subset.bits[i * words], words, &subset.bits[to * words]);
    subset.questions.push_back(from[i]);
    ++to;
  }
  if (to != from.size())
    std::copy_n(subset.bits.begin() + from.size() * words, planes_.size() * words,
                subset.bits.begin() + to * words);
  subset.bits.resize((to + planes_.size()) * words);
  for (size_t b = 0; b < planes_.size(); ++b) {
    int64_t used = words;
    while (used > 0 && subset.plane(b)[used - 1] == 0) --used;
    subset.plane_words.push_back(used);
  }
}

Subset Points::all() const {
  Subset root;
  root.n = problem_.n_points;
  root.words = problem_.words();
  root.bits.assign(problem_.bits, problem_.bits + problem_.n_questions * root.words);
  root.bits.insert(root.bits.end(), plane_bits_.begin(), plane_bits_.end());
  std::vector<int> questions(problem_.n_questions);
  for (int q = 0; q < problem_.n_questions; ++q) questions[q] = q;
  keep_asking(root, questions);
  root.points.resize(root.n);
  root.totals.n = root.n;
  root.totals.sums.assign(problem_.n_channels, 0);
  for (int64_t p = 0; p < root.n; ++p) {
    root.points[p] = static_cast<uint32_t>(p);
    root.totals.base += problem_.base[p];
    root.totals.key.first += keys_[p].first;
    root.totals.key.second += keys_[p].second;
    for (int m = 0; m < problem_.n_channels; ++m)
      root.totals.sums[m] += problem_.channels[m * problem_.n_points + p];
  }
  return root;
}

Subset Points::part(const Subset& whole, int i, bool yes, const Totals& totals) const {
  std::vector<uint64_t> kept(whole.answers(i), whole.answers(i) + whole.words);
  if (!yes) {
    for (auto& word : kept) word = ~word;
    kept.back() &= tail_of(whole.n);
  }
  Subset part;
  part.n = totals.n;
  part.words = (part.n + 63) / 64;
  part.totals = totals;
  const size_t rows = whole.questions.size() + planes_.size();
  part.bits.resize(rows * part.words);
  for (size_t r = 0; r < rows; ++r)
    pack(&whole.bits[r * whole.words], kept.data(), whole.words, &part.bits[r * part.words]);
  keep_asking(part, whole.questions);
  part.points.reserve(part.n);
  for (int64_t w = 0; w < whole.words; ++w)
    for (uint64_t left = kept[w]; left; left &= left - 1)
      part.points.push_back(whole.points[64 * w + std::countr_zero(left)]);
  return part;
}

Totals Points::totals_of_yes(const Subset& subset, int i) const {
  const uint64_t* bits = subset.answers(i);
  const int64_t n_points = problem_.n_points;
  const int channels = problem_.n_channels;
  Totals yes;
  yes.sums.assign(channels, 0);
  for (int64_t w = 0; w < subset.words; ++w)
    for (uint64_t left = bits[w]; left; left &= left - 1) {
      const uint32_t p = subset.points[64 * w + std::countr_zero(left)];
      ++yes.n;
      yes.base += problem_.base[p];
      yes.key.first += keys_[p].first;
      yes.key.second += keys_[p].second;
      for (int m = 0; m < channels; ++m) yes.sums[m] += problem_.channels[m * n_points + p];
    }
  return yes;
}

double Points::farthest_between(const Subset& subset, int i, bool yes_i, int j, bool yes_j,
                                double enough) const {
  const uint64_t *a = subset.answers(i), *b = subset.answers(j);
  const uint64_t flip_a = yes_i ? 0 : ~0ull, flip_b = yes_j ? ~0ull : 0;
  const double each = static_cast<double>(problem_.farthest[0]);
  double sum = 0.0;
  for (int64_t w = 0; w < subset.words && sum < enough; ++w) {
    uint64_t only_a = (a[w] ^ flip_a) & (b[w] ^ flip_b);
    if (w + 1 == subset.words) only_a &= tail_of(subset.n);
    if (even_farthest_)
      sum += each * std::popcount(only_a);
    else
      for (; only_a; only_a &= only_a - 1)
        sum += static_cast<double>(problem_.farthest[subset.points[64 * w + std::countr_zero(only_a)]]);
  }
  return sum;
}

}  // namespace hedgerow::optimal
