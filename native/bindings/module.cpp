// The native module. This file and native/bindings/ are the only ones that know Python.
#include "bindings/bindings.hpp"
#include "common/instruction_set.hpp"

using namespace hedgerow::bindings;

NB_MODULE(_native, m) {
  m.doc() = "The native core of hedgerow. Its signatures are in hedgerow/core/_native.pyi.";
  m.def("end_calls", [](bool now) { calls_must_end = now; }, nanobind::arg("now"));
  m.def("instruction_set", &hedgerow::instruction_set);
  add_encode(m);
  add_explain(m);
  add_forest(m);
  add_forest_shard(m);
  add_grow(m);
  add_prune(m);
  add_optimal(m);
  add_neurons(m);
  add_linear(m);
  add_svm(m);
  add_rules(m);
  add_tree(m);
  add_boost(m);
  add_gradient(m);
  add_gradient_parts(m);
}
