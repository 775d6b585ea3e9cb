#include "check.hpp"
#include "rules/sums.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Dice;

TEST(rule_sums_row_by_row) {
  Dice dice(9);
  for (int round = 0; round < 150; ++round) {
    const int64_t n = dice.between(1, 200), words = (n + 63) / 64, parts = dice.between(1, 9);
    std::vector<uint64_t> holds(parts * words, 0), of_class(2 * words, 0);
    std::vector<double> weight(n);
    auto bit = [&](const std::vector<uint64_t>& bits, int64_t k, int64_t row) {
      return (bits[k * words + (row >> 6)] >> (row & 63) & 1) != 0;
    };
    for (int64_t row = 0; row < n; ++row) {
      for (int64_t k = 0; k < parts; ++k)
        if (dice.chance(0.7)) holds[k * words + (row >> 6)] |= uint64_t{1} << (row & 63);
      of_class[dice.between(0, 1) * words + (row >> 6)] |= uint64_t{1} << (row & 63);
      weight[row] = 0.5 + dice.unit();
    }
    std::vector<int64_t> begin{0};
    std::vector<int32_t> part, decision;
    for (int64_t rule = dice.between(1, 40); rule > 0; --rule) {
      for (int64_t i = dice.between(0, 4); i > 0; --i)
        part.push_back(static_cast<int32_t>(dice.between(0, parts - 1)));
      begin.push_back(static_cast<int64_t>(part.size()));
      decision.push_back(static_cast<int32_t>(dice.between(0, 1)));
    }
    std::vector<uint8_t> left(part.size());
    for (auto& flag : left) flag = dice.chance(0.8);
    const auto rules = static_cast<int64_t>(decision.size());
    const RuleBits in{holds.data(),
                      n,
                      words,
                      begin.data(),
                      rules,
                      part.data(),
                      left.data(),
                      of_class.data(),
                      round % 2 ? weight.data() : nullptr};
    std::vector<double> covered(2 * rules), gained(2 * part.size()), counts(2 * rules);
    std::vector<int64_t> rows(rules);
    std::vector<int32_t> taker(n, -1);
    Stop stop;
    ThreadTeam team(3, stop);
    rule_sums(in, decision.data(), covered.data(), gained.data(), team);
    rule_counts(in, 2, counts.data(), rows.data(), team);
    take_rows(in, decision.data(), 0, taker.data(), stop);
    std::vector<double> again(2 * rules, 0.0), coming(2 * part.size(), 0.0);
    for (int64_t r = 0; r < rules; ++r) {
      int64_t many = 0;
      for (int64_t row = 0; row < n; ++row) {
        int64_t fails = 0, which = 0;
        for (int64_t i = begin[r]; i < begin[r + 1]; ++i)
          if (left[i] && !bit(holds, part[i], row)) ++fails, which = i;
        const double w = in.weight ? weight[row] : 1.0;
        const int right = bit(of_class, decision[r], row);
        if (fails == 0) again[2 * r + right] += w, ++many;
        if (fails == 1) coming[2 * which + right] += w;
      }
      CHECK(rows[r] == many);
      CHECK_NEAR(counts[2 * r] + counts[2 * r + 1], again[2 * r] + again[2 * r + 1], 1e-12);
    }
    for (size_t k = 0; k < again.size(); ++k) CHECK_NEAR(covered[k], again[k], 1e-12);
    for (size_t k = 0; k < coming.size(); ++k) CHECK_NEAR(gained[k], coming[k], 1e-12);
    for (const int32_t rule : taker) CHECK(rule >= -1 && rule < rules);
  }
}
