// Growing one tree with multiway splits, fractional instances, surrogates or gain ratio
// (multiway_grower.hpp).
#pragma once

#include "grow/criterion_table.hpp"

namespace hedgerow {

// `narrow`: a row number, a label and two flags fit into 32 bits.
GrownTree grow_multiway(const GrowInput& input, const CriterionEntry& criterion, bool narrow,
                        ThreadTeam& team);

}  // namespace hedgerow
