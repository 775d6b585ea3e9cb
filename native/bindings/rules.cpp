// Rules: what they cover, and what they would cover without one of their preconditions.
#include "bindings/bindings.hpp"
#include "rules/sums.hpp"

namespace hedgerow::bindings {
namespace {

RuleBits rule_bits(const InMatrix<uint64_t>& holds, int64_t n_rows, const In<int64_t>& begin,
                   const In<int32_t>& part, const In<uint8_t>& left, const InMatrix<uint64_t>& of_class,
                   const std::optional<In<double>>& weight) {
  const auto n_words = static_cast<int64_t>(holds.shape(1));
  if (n_words != (n_rows + 63) / 64 || of_class.shape(1) != holds.shape(1))
    throw nb::value_error("one bit a row, in words of 64");
  if (begin.shape(0) == 0 || begin.data()[0] != 0 || left.shape(0) != part.shape(0))
    throw nb::value_error("a place for each rule and one more, a flag for each precondition");
  const auto n_rules = static_cast<int64_t>(begin.shape(0)) - 1;
  for (int64_t r = 0; r < n_rules; ++r)
    if (begin.data()[r] > begin.data()[r + 1]) throw nb::value_error("the places of rules must rise");
  if (begin.data()[n_rules] != static_cast<int64_t>(part.shape(0)))
    throw nb::value_error("the last place is the number of preconditions");
  for (size_t i = 0; i < part.shape(0); ++i)
    if (part.data()[i] < 0 || static_cast<size_t>(part.data()[i]) >= holds.shape(0))
      throw nb::value_error("a precondition has no bits");
  if (weight) same_length(weight->shape(0), static_cast<size_t>(n_rows), "weight");
  return {holds.data(), n_rows,          n_words,
          begin.data(), n_rules,         part.data(),
          left.data(),  of_class.data(), weight ? weight->data() : nullptr};
}

void check_decisions(const In<int32_t>& decision, const RuleBits& in, size_t n_classes) {
  same_length(decision.shape(0), static_cast<size_t>(in.n_rules), "decision");
  for (size_t r = 0; r < decision.shape(0); ++r)
    if (decision.data()[r] < 0 || static_cast<size_t>(decision.data()[r]) >= n_classes)
      throw nb::value_error("a decision is no class");
}

nb::tuple rule_sums_py(const InMatrix<uint64_t>& holds, int64_t n_rows, const In<int64_t>& begin,
                       const In<int32_t>& part, const In<uint8_t>& left, const InMatrix<uint64_t>& of_class,
                       std::optional<In<double>> weight, const In<int32_t>& decision, int threads) {
  const RuleBits in = rule_bits(holds, n_rows, begin, part, left, of_class, weight);
  check_decisions(decision, in, of_class.shape(0));
  std::vector<double> covered(2 * in.n_rules), gained(2 * part.shape(0));
  work_freely(threads, [&](ThreadTeam& team) {
    rule_sums(in, decision.data(), covered.data(), gained.data(), team);
    return 0;
  });
  return nb::make_tuple(give_matrix(std::move(covered), static_cast<size_t>(in.n_rules), 2),
                        give_matrix(std::move(gained), part.shape(0), 2));
}

nb::tuple rule_counts_py(const InMatrix<uint64_t>& holds, int64_t n_rows, const In<int64_t>& begin,
                         const In<int32_t>& part, const In<uint8_t>& left, const InMatrix<uint64_t>& of_class,
                         std::optional<In<double>> weight, int threads) {
  const RuleBits in = rule_bits(holds, n_rows, begin, part, left, of_class, weight);
  const size_t n_classes = of_class.shape(0), n_rules = static_cast<size_t>(in.n_rules);
  std::vector<double> counts(n_rules * n_classes);
  std::vector<int64_t> rows(n_rules);
  work_freely(threads, [&](ThreadTeam& team) {
    rule_counts(in, static_cast<int>(n_classes), counts.data(), rows.data(), team);
    return 0;
  });
  return nb::make_tuple(give_matrix(std::move(counts), n_rules, n_classes), give(std::move(rows)));
}

Out<int32_t> take_rows_py(const InMatrix<uint64_t>& holds, int64_t n_rows, const In<int64_t>& begin,
                          const In<int32_t>& part, const In<uint8_t>& left,
                          const InMatrix<uint64_t>& of_class, const In<int32_t>& decision, int32_t first,
                          const In<int32_t>& taker) {
  const RuleBits in = rule_bits(holds, n_rows, begin, part, left, of_class, std::nullopt);
  check_decisions(decision, in, of_class.shape(0));
  same_length(taker.shape(0), static_cast<size_t>(n_rows), "taker");
  std::vector<int32_t> out(taker.data(), taker.data() + taker.shape(0));
  work_freely(1, [&](ThreadTeam& team) {
    take_rows(in, decision.data(), first, out.data(), team.stop());
    return 0;
  });
  return give(std::move(out));
}

}  // namespace

void add_rules(nb::module_& m) {
  m.def("rule_sums", &rule_sums_py, nb::arg("holds"), nb::arg("n_rows"), nb::arg("begin"), nb::arg("part"),
        nb::arg("left"), nb::arg("of_class"), nb::arg("weight").none(), nb::arg("decision"),
        nb::arg("threads"));
  m.def("rule_counts", &rule_counts_py, nb::arg("holds"), nb::arg("n_rows"), nb::arg("begin"),
        nb::arg("part"), nb::arg("left"), nb::arg("of_class"), nb::arg("weight").none(), nb::arg("threads"));
  m.def("take_rows", &take_rows_py, nb::arg("holds"), nb::arg("n_rows"), nb::arg("begin"), nb::arg("part"),
        nb::arg("left"), nb::arg("of_class"), nb::arg("decision"), nb::arg("first"), nb::arg("taker"));
}

}  // namespace hedgerow::bindings
