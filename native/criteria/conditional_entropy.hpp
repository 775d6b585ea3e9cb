// Conditional entropy: how uncertain the class still is once the branch is known. Making it small and making
// the information gain large are one thing, since they add up to the node's entropy; so it is entropy by
// another name, and `using SameAs` says so: nothing is compiled for it.
#pragma once

#include "criteria/entropy.hpp"

namespace hedgerow {

struct ConditionalEntropy : Entropy {
  using SameAs = Entropy;
  static constexpr int kOrder = 5;
};

}  // namespace hedgerow
