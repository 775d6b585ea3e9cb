// Absolute error around the median. Its loss is not a function of sums, so it has a scan of its own
// (scan_absolute.hpp); this is only its name and nature.
#pragma once

#include "criteria/criterion.hpp"

namespace hedgerow {

struct AbsoluteError {
  static constexpr std::string_view name = "absolute_error";
  static constexpr bool of_classes = false;
  static constexpr bool sums_terms = false;
  static constexpr bool centred = false;

  static double merit(const double*, double, const MomentContext&) { return 0.0; }
};

}  // namespace hedgerow
