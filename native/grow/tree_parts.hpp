// Putting a grown tree together: subtrees that were grown on their own, and one order of the nodes.
#pragma once

#include "grow/grow.hpp"

namespace hedgerow {

// Puts a subtree in the place of the leaf of `tree` that surrogates for its root.
void graft(GrownTree& tree, int32_t at, const GrownTree& sub);

// The nodes in one order, whatever the order they were grown in: depth-first, siblings adjacent.
void into_canonical_order(GrownTree& tree, int n_columns);

}  // namespace hedgerow
