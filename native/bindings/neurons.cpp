// Rows, signs and weights -> neurons.
#include "neurons/descend.hpp"

#include "bindings/bindings.hpp"

namespace hedgerow::bindings {
namespace {

template <class T>
T named(const std::string& given, std::initializer_list<std::pair<const char*, T>> known, const char* what) {
  for (const auto& [name, value] : known)
    if (given == name) return value;
  throw nb::value_error((std::string(what) + " '" + given + "' is unknown").c_str());
}

nb::tuple descend_py(InMatrix<double> rows, In<double> signs, In<double> weight, InMatrix<double> starts,
                     const std::string& activation, double delta, const std::string& sampling, double l2,
                     double rate, int64_t steps, int64_t batch, uint64_t seed, int threads) {
  const size_t n = rows.shape(0), d = rows.shape(1), k = starts.shape(0);
  same_length(signs.shape(0), n, "signs");
  same_length(weight.shape(0), n, "weight");
  if (n == 0 || n > 0xffffffffull) throw nb::value_error("wanted 1 to 2^32 - 1 rows");
  if (starts.shape(1) != d + 2)
    throw nb::value_error("starts: wanted a column for each input, the bias, the height");
  if (steps < 0 || batch < 1) throw nb::value_error("wanted steps of 0 or more and a batch of at least 1");
  const Descent ask{
      rows.data(),
      signs.data(),
      weight.data(),
      static_cast<int64_t>(n),
      static_cast<int64_t>(d),
      named<Bend>(activation,
                  {{"linear", Bend::linear}, {"soft_threshold", Bend::soft_threshold}, {"tanh", Bend::tanh}},
                  "activation"),
      delta,
      named<Choose>(sampling, {{"weights", Choose::weights}, {"draws", Choose::draws}}, "sampling"),
      l2,
      rate,
      steps,
      batch,
      seed};
  auto done = work_freely(
      threads, [&](ThreadTeam& team) { return descend(ask, starts.data(), static_cast<int64_t>(k), team); });
  return nb::make_tuple(give_matrix(std::move(done.neurons), k, d + 2), give(std::move(done.loss)));
}

}  // namespace

void add_neurons(nb::module_& m) {
  m.def("descend", &descend_py, nb::kw_only(), nb::arg("rows"), nb::arg("signs"), nb::arg("weight"),
        nb::arg("starts"), nb::arg("activation"), nb::arg("delta"), nb::arg("sampling"), nb::arg("l2"),
        nb::arg("rate"), nb::arg("steps"), nb::arg("batch"), nb::arg("seed"), nb::arg("threads"));
}

}  // namespace hedgerow::bindings
