#include "grow/subsets.hpp"

#include <algorithm>
#include <numeric>

namespace hedgerow {

void SubsetScratch::sort_by_key() {
  order.resize(groups.size);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return key[a] < key[b]; });
}

void find_orders(const Groups& groups, int n_moments, std::vector<int32_t>& found) {
  found.resize(n_moments);
  std::iota(found.begin(), found.end(), 0);
  if (n_moments <= kMostOrders) return;
  std::vector<double> sum(n_moments, 0.0);
  for (int64_t g = 0; g < groups.size; ++g)
    for (int k = 0; k < n_moments; ++k) sum[k] += groups.moments[g * n_moments + k];
  std::stable_sort(found.begin(), found.end(), [&](int32_t a, int32_t b) { return sum[a] > sum[b]; });
  found.resize(kMostOrders);
  std::sort(found.begin(), found.end());
}

bool draw_subset(Random& random, SubsetScratch& t) {
  const auto size = static_cast<uint32_t>(t.groups.size);
  t.goes_left.assign(size, 0);
  if (size < 2) return false;
  for (auto& side : t.goes_left) side = random.bits() & 1;
  const uint32_t fixed = random.below(size);
  t.goes_left[fixed] = 1;
  t.goes_left[(fixed + 1) % size] = 0;
  return true;
}

void principal_order(const Groups& groups, int n_moments, std::vector<double>& key) {
  const int m = n_moments;
  std::vector<double> mean(m, 0.0), axis(m), next(m);
  double weight = 0;
  for (int64_t g = 0; g < groups.size; ++g) weight += groups.weight[g];
  for (int64_t g = 0; g < groups.size; ++g)
    for (int k = 0; k < m; ++k) mean[k] += groups.moments[g * m + k] / weight;
  auto share = [&](int64_t g, int k) { return groups.moments[g * m + k] / groups.weight[g] - mean[k]; };
  key.assign(groups.size, 0.0);
  for (int k = 0; k < m; ++k) axis[k] = 1.0 + k;  // any start that is not orthogonal to the answer
  for (int step = 0; step < 16; ++step) {
    std::fill(next.begin(), next.end(), 0.0);
    for (int64_t g = 0; g < groups.size; ++g) {
      key[g] = 0;
      for (int k = 0; k < m; ++k) key[g] += share(g, k) * axis[k];
      for (int k = 0; k < m; ++k) next[k] += groups.weight[g] * key[g] * share(g, k);
    }
    double norm = 0;
    for (const double x : next) norm += x * x;
    if (!(norm > 0)) return;
    for (int k = 0; k < m; ++k) axis[k] = next[k] / std::sqrt(norm);
  }
}

}  // namespace hedgerow
