// Linear machines under the sanitizers: both methods, dense and sparse, several threads, equal bits.
#include "check.hpp"
#include "linear/machine.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Dice;

namespace {

struct Case {
  int64_t n, d;
  std::vector<double> values, target, cost;
  std::vector<int64_t> start{0};
  std::vector<int32_t> column;
  std::vector<int8_t> side;

  Case(Dice& dice, int64_t rows, int64_t columns, bool sparse) : n(rows), d(columns) {
    for (int64_t i = 0; i < n; ++i) {
      double sum = dice.unit() - 0.5;
      for (int64_t j = 0; j < d; ++j) {
        if (sparse && dice.chance(0.7)) continue;
        values.push_back(dice.unit() * 2 - 1);
        sum += values.back();
        if (sparse) column.push_back(static_cast<int32_t>(j));
      }
      if (sparse) start.push_back(static_cast<int64_t>(values.size()));
      side.push_back(sum > 0 ? 1 : -1);
      target.push_back(side.back());
      cost.push_back(dice.chance(0.1) ? 0.0 : 1.0);
    }
  }
  linear::Rows rows() const {
    if (column.empty()) return {n, d, values.data()};
    return {n, d, values.data(), start.data(), column.data()};
  }
};

}  // namespace

TEST(linear_machines_reach_their_gap_with_equal_bits) {
  Dice dice(7);
  for (const bool sparse : {false, true})
    for (const bool squared : {false, true})
      for (const bool dual : {false, true}) {
        const Case c(dice, sparse ? 500 : 4000, sparse ? 600 : 11, sparse);
        const linear::Rows rows = c.rows();
        const linear::Machine machine{c.target.data(), c.cost.data(), c.side.data(), 0.0, squared, true};
        std::vector<double> first;
        for (const int threads : {1, 3}) {
          Stop stop;
          Crew crew(threads, stop);
          const linear::Limits limits{1e-3, 60.0, 400};
          const linear::Answer found = dual ? linear::descend(rows, machine, limits, nullptr, 1, crew)
                                            : linear::newton(rows, machine, limits, nullptr, crew);
          CHECK(found.w.size() == static_cast<size_t>(c.d));
          CHECK(dual || found.ending == linear::Ending::reached);
          if (first.empty())
            first = found.w;
          else
            CHECK(first == found.w);
        }
      }
}
