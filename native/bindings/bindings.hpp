// What every file of the bindings needs: arrays in and out, work without the interpreter's lock.
//
// Arrays, numbers and strings in; arrays and numbers out. Inputs are borrowed for the call only. The
// interpreter's lock is released while the core works; the calling thread takes it back for a moment to look
// for signals.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <optional>
#include <string>

#include "common/thread_team.hpp"
#include "walk/walk.hpp"

namespace hedgerow::bindings {

namespace nb = nanobind;

using AnyColumn = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using AnyMatrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using InMatrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using InOutBytes = nb::ndarray<uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using OutMatrix = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

// Signals reach the main thread only. When it was stopped while others work for it, it asks them to end.
inline std::atomic<bool> calls_must_end{false};

inline bool signal_waits() {
  nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) return true;
  if (!calls_must_end) return false;
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  return true;
}

// Runs the core without the lock; Ctrl-C becomes Python's own exception.
template <class Work>
auto work_freely(int threads, Work work) {
  try {
    nb::gil_scoped_release release;
    Stop stop(signal_waits);
    ThreadTeam team(threads, stop);
    return work(team);
  } catch (const Stopped&) {
    throw nb::python_error();
  }
}

template <class T>
Out<T> give(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Out<T>(kept->data(), {kept->size()}, owner);
}

template <class T>
OutMatrix<T> give_matrix(std::vector<T>&& values, size_t rows, size_t columns) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return OutMatrix<T>(kept->data(), {rows, columns}, owner);
}

inline bool is_wide(const nb::dlpack::dtype& type) {
  if (type == nb::dtype<double>()) return true;
  if (type == nb::dtype<float>()) return false;
  throw nb::type_error("numbers must be float32 or float64");
}

inline Matrix matrix(const AnyMatrix& m) {
  return {m.data(), is_wide(m.dtype()), static_cast<int64_t>(m.shape(0)), m.stride(0), m.stride(1)};
}

inline void same_length(size_t found, size_t wanted, const char* what) {
  if (found == wanted) return;
  throw nb::value_error((std::string(what) + " has " + std::to_string(found) + " entries, but there are " +
                         std::to_string(wanted) + " rows")
                            .c_str());
}

// Each file of the bindings adds its functions to the module.
void add_encode(nb::module_& m);
void add_explain(nb::module_& m);
void add_forest(nb::module_& m);
void add_forest_shard(nb::module_& m);
void add_grow(nb::module_& m);
void add_prune(nb::module_& m);
void add_optimal(nb::module_& m);
void add_neurons(nb::module_& m);
void add_linear(nb::module_& m);
void add_svm(nb::module_& m);
void add_rules(nb::module_& m);
void add_tree(nb::module_& m);
void add_boost(nb::module_& m);
void add_gradient(nb::module_& m);
void add_gradient_parts(nb::module_& m);

}  // namespace hedgerow::bindings
