#include "forest/shard.hpp"

#include <algorithm>
#include <bit>

#include "common/random.hpp"

namespace hedgerow {
namespace {

// A set of places: its rows are found by counting the bits before a place.
class Places {
 public:
  Places(const int64_t* place, int64_t n, int64_t n_order)
      : bits_(n_order / 64 + 1, 0), before_(n_order / 64 + 1) {
    for (int64_t i = 0; i < n; ++i) bits_[place[i] / 64] |= uint64_t{1} << (place[i] % 64);
    int64_t sum = 0;
    for (size_t k = 0; k < bits_.size(); ++k) {
      before_[k] = static_cast<uint32_t>(sum);
      sum += std::popcount(bits_[k]);
    }
  }
  // -1: it is elsewhere.
  int64_t row(int64_t place) const {
    const uint64_t word = bits_[place / 64], bit = uint64_t{1} << (place % 64);
    return word & bit ? int64_t{before_[place / 64]} + std::popcount(word & (bit - 1)) : -1;
  }

 private:
  std::vector<uint64_t> bits_;
  std::vector<uint32_t> before_;
};

void bootstrap(const PlacePlan& plan, Random random, uint32_t* counts) {
  const Places places(plan.place, plan.n, plan.n_order);
  const auto n = static_cast<double>(plan.n_order);
  for (int64_t i = 0; i < plan.size; ++i) {
    const int64_t row = places.row(static_cast<int64_t>(random.unit() * n));
    if (row >= 0) ++counts[row];
  }
}

// The first stretch that ends after a point has it, if it is here; the last one has what is beyond all.
void bootstrap_on_line(const PlacePlan& plan, Random random, uint32_t* counts) {
  const bool has_last = plan.n && plan.place[plan.n - 1] == plan.n_order - 1;
  for (int64_t i = 0; i < plan.size; ++i) {
    const double point = random.unit() * plan.line_end;
    const int64_t row = std::upper_bound(plan.end, plan.end + plan.n, point) - plan.end;
    if (row < plan.n && point >= plan.begin[row])
      ++counts[row];
    else if (point >= plan.line_end && has_last)
      ++counts[plan.n - 1];
  }
}

void subsample(const PlacePlan& plan, Random random, uint32_t* counts) {
  auto left = static_cast<double>(plan.n_order), wanted = static_cast<double>(plan.size);
  int64_t row = 0;
  for (int64_t k = 0; k < plan.n_order && wanted > 0 && row < plan.n; ++k, left -= 1) {
    const bool taken = random.unit() * left < wanted;
    wanted -= taken;
    if (plan.place[row] == k) counts[row++] = taken;
  }
}

template <class Code>
void count_codes_of(const void* codes, const uint32_t* rows, int64_t n, const int32_t* classes,
                    const uint32_t* counts, int n_classes, int64_t* cells) {
  const auto* own = static_cast<const Code*>(codes);
  const int64_t width = n_classes + 1;
  for (int64_t k = 0; k < n; ++k) {
    const uint32_t row = rows[k];
    int64_t* cell = cells + own[row] * width;
    cell[classes[row]] += counts[row];
    cell[n_classes] += 1;
  }
}

}  // namespace

void draw_counts_of_places(const PlacePlan& plan, int64_t tree, uint32_t* counts) {
  std::fill_n(counts, plan.n, plan.how == How::kAll ? 1u : 0u);
  const Random random = drawing(plan.seed, tree);
  if (plan.how == How::kSubsample)
    subsample(plan, random, counts);
  else if (plan.how == How::kBootstrap)
    plan.line_end > 0 ? bootstrap_on_line(plan, random, counts) : bootstrap(plan, random, counts);
}

void count_codes(const CodeColumn& column, const uint32_t* rows, int64_t n, const int32_t* classes,
                 const uint32_t* counts, int n_classes, int64_t* cells) {
  if (column.width == 1)
    count_codes_of<uint8_t>(column.codes, rows, n, classes, counts, n_classes, cells);
  else if (column.width == 2)
    count_codes_of<uint16_t>(column.codes, rows, n, classes, counts, n_classes, cells);
  else
    count_codes_of<uint32_t>(column.codes, rows, n, classes, counts, n_classes, cells);
}

}  // namespace hedgerow
