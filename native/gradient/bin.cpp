#include "gradient/bin.hpp"

#include <bit>
#include <cmath>
#include <cstring>

#include "common/random.hpp"
#include "common/simd.hpp"

namespace hedgerow::gradient {
namespace {

constexpr int64_t kSample = 65536;  // rows: about 256 for each bin
constexpr int64_t kRows = 4096;     // a task of encoding

double cell_of(const NumberColumn& c, int64_t row) {
  return c.wide ? static_cast<const double*>(c.data)[row * c.stride]
                : static_cast<const float*>(c.data)[row * c.stride];
}

// Between two neighbours, low <= middle < high even for adjacent numbers.
double middle_of(double low, double high) {
  const double middle = low / 2 + high / 2;
  return middle >= high || middle < low ? low : middle;
}

// Up to `most` distinct values; stops at the first one too many.
class FewValues {
 public:
  explicit FewValues(int most) : most_(most), slots_(kSlots, 0), used_(kSlots, 0) {}

  bool add(double x) {                                       // false: there are too many
    const uint64_t bits = std::bit_cast<uint64_t>(x + 0.0);  // -0 and 0 are one value
    size_t at = mix(bits) & (kSlots - 1);
    while (used_[at] && slots_[at] != bits) at = (at + 1) & (kSlots - 1);
    if (used_[at]) return true;
    if (static_cast<int>(values_.size()) == most_) return false;
    used_[at] = 1;
    slots_[at] = bits;
    values_.push_back(x + 0.0);
    return true;
  }
  std::vector<double> sorted() {
    std::sort(values_.begin(), values_.end());
    return values_;
  }

 private:
  static constexpr size_t kSlots = 1024;
  int most_;
  std::vector<uint64_t> slots_;
  std::vector<uint8_t> used_;
  std::vector<double> values_;
};

std::vector<double> edges_between(const std::vector<double>& values) {
  std::vector<double> edges;
  for (size_t k = 1; k < values.size(); ++k) edges.push_back(middle_of(values[k - 1], values[k]));
  return edges;
}

// Numbers as unsigned integers in the same order, and back.
template <class Float, class Key>
Key key_of(Float x) {
  const Key bits = std::bit_cast<Key>(x), top = Key{1} << (sizeof(Key) * 8 - 1);
  return bits & top ? ~bits : bits | top;
}
template <class Float, class Key>
Float number_of(Key key) {
  const Key top = Key{1} << (sizeof(Key) * 8 - 1);
  return std::bit_cast<Float>(key & top ? key ^ top : ~key);
}

// Byte by byte from the lowest; a byte that is the same in all keys is passed over.
template <class Key>
void sort_keys(std::vector<Key>& keys) {
  std::vector<Key> other(keys.size());
  for (size_t shift = 0; shift < sizeof(Key) * 8; shift += 8) {
    size_t start[257] = {};
    for (Key key : keys) ++start[(key >> shift & 0xff) + 1];
    if (std::find(start + 1, start + 257, keys.size()) != start + 257) continue;
    for (int b = 0; b < 256; ++b) start[b + 1] += start[b];
    for (Key key : keys) other[start[key >> shift & 0xff]++] = key;
    keys.swap(other);
  }
}

template <class Float, class Key>
void sort_numbers(std::vector<double>& values) {
  std::vector<Key> keys;
  keys.reserve(values.size());
  for (double x : values) keys.push_back(key_of<Float, Key>(static_cast<Float>(x)));
  sort_keys(keys);
  for (size_t k = 0; k < keys.size(); ++k) values[k] = number_of<Float, Key>(keys[k]);
}

std::vector<double> sample_of(const NumberColumn& column, int64_t n) {
  std::vector<double> values;
  const int64_t many = std::min(n, kSample);
  values.reserve(many);
  for (int64_t k = 0; k < many; ++k) {
    int64_t row = k;
    if (n > kSample) {  // one row, drawn, of each of kSample equal stretches
      const int64_t first = k * n / kSample, last = (k + 1) * n / kSample;
      row = first + static_cast<int64_t>(mix(static_cast<uint64_t>(k)) % static_cast<uint64_t>(last - first));
    }
    const double x = cell_of(column, row);
    if (x == x) values.push_back(x + 0.0);
  }
  if (column.wide)
    sort_numbers<double, uint64_t>(values);
  else
    sort_numbers<float, uint32_t>(values);
  return values;
}

// Values in order with their counts, divided into bins of about equal count.
std::vector<double> edges_by_count(const std::vector<double>& value, const std::vector<int64_t>& count,
                                   int max_bins) {
  const size_t n = value.size();
  if (static_cast<int>(n) <= max_bins) return edges_between(value);
  int64_t left = 0;  // rows that are not in a bin of their own
  for (int64_t c : count) left += c;
  const double fair = static_cast<double>(left) / max_bins;
  std::vector<uint8_t> alone(n);
  int64_t bins_left = max_bins;
  for (size_t k = 0; k < n; ++k)
    if (static_cast<double>(count[k]) >= fair) {
      alone[k] = 1;
      left -= count[k];
      --bins_left;
    }
  double wanted = bins_left > 0 ? static_cast<double>(left) / static_cast<double>(bins_left) : HUGE_VAL;
  std::vector<double> edges;
  int64_t here = 0;
  for (size_t k = 0; k + 1 < n && static_cast<int>(edges.size()) < max_bins - 1; ++k) {
    here += count[k];
    if (!alone[k]) left -= count[k];
    const bool before_one = alone[k + 1] && static_cast<double>(here) >= std::max(1.0, wanted / 2);
    if (!alone[k] && static_cast<double>(here) < wanted && !before_one) continue;
    edges.push_back(middle_of(value[k], value[k + 1]));
    here = 0;
    if (!alone[k]) {
      --bins_left;
      wanted = bins_left > 0 ? static_cast<double>(left) / static_cast<double>(bins_left) : HUGE_VAL;
    }
  }
  return edges;
}

std::vector<double> edges_of(const NumberColumn& column, int64_t n, int max_bins) {
  FewValues few(max_bins);
  bool many = false;
  for (int64_t i = 0; i < n && !many; ++i) {
    const double x = cell_of(column, i);
    many = x == x && !few.add(x);
  }
  if (!many) return edges_between(few.sorted());
  const std::vector<double> sample = sample_of(column, n);
  std::vector<double> value;
  std::vector<int64_t> count;
  for (double x : sample) {
    if (value.empty() || value.back() != x) {
      value.push_back(x);
      count.push_back(0);
    }
    ++count.back();
  }
  return edges_by_count(value, count, max_bins);
}

// Codes of a stretch of one column; `padded`: 256 edges, infinite after the last. Eight halvings, no branch.
template <class T>
int64_t encode_stretch(const T* cells, int64_t stride, int64_t n, const double* padded, int n_bins,
                       uint8_t* codes) {
  int64_t missing = 0;
  for (int64_t i = 0; i < n; ++i) {
    const auto x = static_cast<double>(cells[i * stride]);
    int at = 0;
#pragma GCC unroll 8
    for (int half = 128; half > 0; half /= 2) at += padded[at + half - 1] < x ? half : 0;
    const bool is_missing = x != x;
    missing += is_missing;
    codes[i] = static_cast<uint8_t>(is_missing ? n_bins : at);
  }
  return missing;
}

}  // namespace

std::vector<std::vector<double>> bin_edges(const std::vector<NumberColumn>& columns, int64_t n_rows,
                                           int max_bins, ThreadTeam& team) {
  std::vector<std::vector<double>> edges(columns.size());
  team.run(static_cast<int64_t>(columns.size()),
           [&](int64_t j, int) { edges[j] = edges_of(columns[j], n_rows, max_bins); });
  return edges;
}

std::vector<int64_t> bin_codes(const std::vector<NumberColumn>& columns, int64_t n_rows,
                               const std::vector<std::vector<double>>& edges,
                               const std::vector<int64_t>& place, uint8_t* codes, ThreadTeam& team) {
  const size_t d = columns.size();
  std::vector<double> padded(d * 256, HUGE_VAL);
  for (size_t j = 0; j < d; ++j) std::copy(edges[j].begin(), edges[j].end(), padded.begin() + j * 256);
  const int64_t tasks = (n_rows + kRows - 1) / kRows;
  std::vector<int64_t> missing(tasks * d), total(d);
  team.run(tasks, [&](int64_t task, int) {
    const int64_t begin = task * kRows, n = std::min(n_rows, begin + kRows) - begin;
    for (size_t j = 0; j < d; ++j) {
      const NumberColumn& c = columns[j];
      uint8_t* out = codes + place[j] * n_rows + begin;
      const double* own = padded.data() + j * 256;
      const int n_bins = static_cast<int>(edges[j].size()) + 1;
      missing[task * d + j] = c.wide ? encode_stretch(static_cast<const double*>(c.data) + begin * c.stride,
                                                      c.stride, n, own, n_bins, out)
                                     : encode_stretch(static_cast<const float*>(c.data) + begin * c.stride,
                                                      c.stride, n, own, n_bins, out);
    }
  });
  for (int64_t task = 0; task < tasks; ++task)
    for (size_t j = 0; j < d; ++j) total[j] += missing[task * d + j];
  return total;
}

void group_codes(const BinnedTable& table, uint8_t* grouped, ThreadTeam& team) {
  const auto& groups = table.groups.groups;
  const int64_t blocks = (table.n_rows + kRows - 1) / kRows;
  team.run(blocks * static_cast<int64_t>(groups.size()), [&](int64_t task, int) {
    const Group& group = groups[task / blocks];
    const int64_t begin = task % blocks * kRows, end = std::min(table.n_rows, begin + kRows);
    const auto width = static_cast<int64_t>(group.columns.size());
    uint8_t* out = grouped + group.codes_start;
    for (int64_t k = 0; k < width; ++k) {
      const uint8_t* codes = table.column(group.columns[k]);
      for (int64_t i = begin; i < end; ++i) out[i * width + k] = codes[i];
    }
  });
}

}  // namespace hedgerow::gradient
