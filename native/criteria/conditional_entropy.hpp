// Conditional entropy: what is still to be told about the class once the branch is known. Making it small and
// making the information gain large are one thing, since they add up to the node's entropy; so it is entropy
// by another name.
#pragma once

#include "criteria/entropy.hpp"

namespace hedgerow {

struct ConditionalEntropy : Entropy {
  static constexpr std::string_view name = "conditional_entropy";
};

}  // namespace hedgerow
