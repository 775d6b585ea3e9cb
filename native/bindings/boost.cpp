// Codes, groups, weights -> the best stump.
#include "bindings/bindings.hpp"
#include "bindings/grown.hpp"
#include "boost/score.hpp"
#include "boost/step.hpp"
#include "boost/stumps.hpp"
#include "boost/words.hpp"

namespace hedgerow::bindings {
namespace {

OutMatrix<double> empty_scores(size_t n, size_t width) {
  auto* data = new double[std::max<size_t>(1, n * width)];  // not cleared: every cell is written
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return OutMatrix<double>(data, {n, width}, owner);
}

std::vector<CodeColumn> code_columns(const std::vector<AnyColumn>& codes, const In<int64_t>& n_codes,
                                     const In<int32_t>& n_levels) {
  const size_t d = codes.size();
  if (d == 0) throw nb::value_error("a stump needs at least one column");
  if (n_codes.shape(0) != d || n_levels.shape(0) != d)
    throw nb::value_error("n_codes and n_levels need one entry a column");
  std::vector<CodeColumn> columns(d);
  for (size_t j = 0; j < d; ++j) {
    same_length(codes[j].shape(0), codes[0].shape(0), "a column of codes");
    columns[j] = code_column(codes[j], n_codes.data()[j], n_levels.data()[j], 0);
  }
  return columns;
}

void groups_below(int n_groups, const In<uint16_t>& group) {
  uint16_t largest = 0;
  for (size_t i = 0; i < group.shape(0); ++i) largest = std::max(largest, group.data()[i]);
  if (largest >= n_groups) throw nb::value_error("a group is out of range");
}

nb::tuple coarse_columns_py(const std::vector<AnyColumn>& codes, In<int64_t> n_codes, In<int32_t> n_levels,
                            int threads) {
  const auto columns = code_columns(codes, n_codes, n_levels);
  const size_t n = codes[0].shape(0), d = codes.size();
  if (n > 0x7fffffffull) throw nb::value_error("more than 2^31 - 1 rows");
  CoarseColumns made = work_freely(
      threads, [&](ThreadTeam& team) { return coarse_columns(columns, static_cast<int64_t>(n), team); });
  const size_t teams = static_cast<size_t>(teams_of(static_cast<int64_t>(d)));
  return nb::make_tuple(give_matrix(std::move(made.coarse), teams * n, kTogether),
                        give(std::move(made.order)), give(std::move(made.order_start)),
                        give_matrix(std::move(made.bin_start), d, kCoarse),
                        give_matrix(std::move(made.last_code), d, kCoarse));
}

nb::tuple best_stump_py(const std::vector<AnyColumn>& codes, In<int64_t> n_codes, In<int32_t> n_levels,
                        InMatrix<uint8_t> coarse, In<uint32_t> order, In<int64_t> order_start,
                        InMatrix<int64_t> bin_start, InMatrix<int64_t> last_code,
                        std::optional<In<double>> signs, std::optional<In<uint16_t>> group, int n_groups,
                        In<double> weight, const std::string& merit, int threads) {
  StumpInput input;
  input.columns = code_columns(codes, n_codes, n_levels);
  const size_t n = codes[0].shape(0), d = codes.size();
  input.n_rows = static_cast<int64_t>(n);
  same_length(coarse.shape(0), n * static_cast<size_t>(teams_of(static_cast<int64_t>(d))), "coarse");
  same_length(weight.shape(0), n, "weight");
  if (coarse.shape(1) != kTogether || order_start.shape(0) != d || bin_start.shape(0) != d ||
      last_code.shape(0) != d || bin_start.shape(1) != kCoarse || last_code.shape(1) != kCoarse)
    throw nb::value_error("the coarse columns are those of other columns");
  if (n_groups == 2 && signs) {
    same_length(signs->shape(0), n, "signs");
    input.signs = signs->data();
  } else if (n_groups > 2 && group && (merit == "error" || merit == "gini")) {
    same_length(group->shape(0), n, "group");
    groups_below(n_groups, *group);
    input.group = group->data();
  } else {
    throw nb::value_error("two groups are signs; more are for the merits error and gini");
  }
  input.coarse = coarse.data();
  input.order = order.data();
  input.order_start = order_start.data();
  input.bin_start = bin_start.data();
  input.last_code = last_code.data();
  input.n_groups = n_groups;
  input.weight = weight.data();
  input.merit = merit;
  BestStump best = work_freely(threads, [&](ThreadTeam& team) { return best_stump(input, team); });
  return nb::make_tuple(best.column, best.code, best.low_row, best.high_row, best.missing_first, best.merit,
                        give(std::move(best.first)), give(std::move(best.second)),
                        give(std::move(best.missing)), give(std::move(best.level_first)));
}

OutMatrix<double> side_answers_py(const AnyColumn& codes, int64_t n_codes, int64_t last, double first,
                                  double second, double missing) {
  const CodeColumn column = code_column(codes, n_codes, 0, 0);
  auto out = empty_scores(codes.shape(0), 1);
  nb::gil_scoped_release release;
  side_answers(column, static_cast<int64_t>(codes.shape(0)), last, first, second, missing, out.data());
  return out;
}

OutMatrix<double> word_masses_py(In<int64_t> start, In<int32_t> row, In<uint16_t> group, int n_groups,
                                 In<double> weight, int threads) {
  if (start.shape(0) == 0) throw nb::value_error("start needs an entry more than there are columns");
  same_length(group.shape(0), weight.shape(0), "group");
  const auto d = static_cast<int64_t>(start.shape(0)) - 1;
  const auto n = static_cast<int64_t>(weight.shape(0)), entries = static_cast<int64_t>(row.shape(0));
  for (int64_t j = 0; j < d; ++j)
    if (start.data()[j] < 0 || start.data()[j] > start.data()[j + 1] || start.data()[j + 1] > entries)
      throw nb::value_error("start must rise from 0 to the number of entries");
  for (int64_t i = 0; i < entries; ++i)
    if (row.data()[i] < 0 || row.data()[i] >= n) throw nb::value_error("a row number is out of range");
  groups_below(n_groups, group);
  auto mass = work_freely(threads, [&](ThreadTeam& team) {
    return word_masses(start.data(), row.data(), d, group.data(), n_groups, weight.data(), team);
  });
  return give_matrix(std::move(mass), static_cast<size_t>(d), static_cast<size_t>(n_groups));
}

using InOut = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::tuple answer_masses_py(In<double> signs, In<double> answers, In<double> weight, int threads) {
  const size_t n = signs.shape(0);
  same_length(answers.shape(0), n, "answers");
  same_length(weight.shape(0), n, "weight");
  const AnswerMasses m = work_freely(threads, [&](ThreadTeam& team) {
    return answer_masses(signs.data(), answers.data(), weight.data(), static_cast<int64_t>(n), team);
  });
  return nb::make_tuple(m.yes_right, m.yes_wrong, m.no_right, m.no_wrong, m.silent, m.answered);
}

nb::tuple boost_step_py(In<double> signs, In<double> answers, double yes, double no, In<double> base,
                        const std::string& loss, InOut margins, InOut since, InOut weight, int threads) {
  const size_t n = signs.shape(0);
  same_length(answers.shape(0), n, "answers");
  same_length(base.shape(0), n, "base");
  same_length(margins.shape(0), n, "margins");
  same_length(since.shape(0), n, "since");
  same_length(weight.shape(0), n, "weight");
  if (loss != "exponential" && loss != "logistic")
    throw nb::value_error("boost_step knows the losses exponential and logistic; others take the NumPy step");
  const StepInput input{signs.data(),       answers.data(),         yes, no, base.data(),
                        loss == "logistic", static_cast<int64_t>(n)};
  const StepSums sums = work_freely(threads, [&](ThreadTeam& team) {
    return boost_step(input, margins.data(), since.data(), weight.data(), team);
  });
  return nb::make_tuple(sums.normaliser, sums.loss, sums.error);
}

Matrix score_matrix(const AnyMatrix& m) {
  return {m.data(), is_wide(m.dtype()), static_cast<int64_t>(m.shape(0)), m.stride(0), m.stride(1)};
}

OutMatrix<double> table_scores_py(In<int32_t> column, In<int32_t> n_levels, In<int64_t> end_start,
                                  In<double> ends, In<int64_t> line_start, InMatrix<double> lines,
                                  const AnyMatrix& rows, int threads) {
  const size_t many = column.shape(0), width = lines.shape(1);
  if (n_levels.shape(0) != many || end_start.shape(0) != many + 1 || line_start.shape(0) != many + 1)
    throw nb::value_error("tables need one entry a column");
  std::vector<ScoreTable> tables(many);
  for (size_t k = 0; k < many; ++k) {
    const int64_t first = end_start.data()[k], last = end_start.data()[k + 1], line = line_start.data()[k];
    const int64_t pieces = n_levels.data()[k] > 0 ? n_levels.data()[k] : last - first + 1;
    if (column.data()[k] < 0 || static_cast<size_t>(column.data()[k]) >= rows.shape(1) || first < 0 ||
        last < first || last > static_cast<int64_t>(ends.shape(0)) || line < 0 ||
        line_start.data()[k + 1] - line != pieces + 2 ||
        line_start.data()[k + 1] > static_cast<int64_t>(lines.shape(0)))
      throw nb::value_error("a table is out of range");
    tables[k] = {column.data()[k], n_levels.data()[k], ends.data() + first, last - first,
                 lines.data() + line * static_cast<int64_t>(width)};
  }
  auto out = empty_scores(rows.shape(0), width);
  const Matrix m = score_matrix(rows);
  work_freely(threads, [&](ThreadTeam& team) {
    table_scores(tables, m, static_cast<int>(width), out.data(), team);
    return 0;
  });
  return out;
}

OutMatrix<double> tree_scores_py(InMatrix<uint8_t> nodes, In<uint64_t> words, In<int64_t> root,
                                 In<int32_t> depth, In<int32_t> column, In<double> amount,
                                 const AnyMatrix& rows, int width, int threads) {
  if (nodes.shape(1) != sizeof(WideNode)) throw nb::value_error("packed nodes are 16 bytes each");
  same_length(depth.shape(0), root.shape(0), "depth");
  same_length(column.shape(0), nodes.shape(0), "column");
  same_length(amount.shape(0), nodes.shape(0), "amount");
  ScoreTrees trees;
  trees.nodes = reinterpret_cast<const WideNode*>(nodes.data());
  trees.words = words.data();
  trees.root = root.data();
  trees.depth = depth.data();
  trees.n_trees = static_cast<int64_t>(root.shape(0));
  trees.column = column.data();
  trees.amount = amount.data();
  trees.any_subset = words.shape(0) > 0;
  trees.n_columns = static_cast<int64_t>(rows.shape(1));
  auto out = empty_scores(rows.shape(0), static_cast<size_t>(width));
  const Matrix m = score_matrix(rows);
  work_freely(threads, [&](ThreadTeam& team) {
    tree_scores(trees, m, width, out.data(), team);
    return 0;
  });
  return out;
}

}  // namespace

void add_boost(nb::module_& m) {
  m.def("coarse_columns", &coarse_columns_py, nb::arg("codes"), nb::arg("n_codes"), nb::arg("n_levels"),
        nb::arg("threads"));
  m.def("best_stump", &best_stump_py, nb::kw_only(), nb::arg("codes"), nb::arg("n_codes"),
        nb::arg("n_levels"), nb::arg("coarse"), nb::arg("order"), nb::arg("order_start"),
        nb::arg("bin_start"), nb::arg("last_code"), nb::arg("signs").none(), nb::arg("group").none(),
        nb::arg("n_groups"), nb::arg("weight"), nb::arg("merit"), nb::arg("threads"));
  m.def("side_answers", &side_answers_py, nb::arg("codes"), nb::arg("n_codes"), nb::arg("last"),
        nb::arg("first"), nb::arg("second"), nb::arg("missing"));
  m.def("word_masses", &word_masses_py, nb::arg("start"), nb::arg("row"), nb::arg("group"),
        nb::arg("n_groups"), nb::arg("weight"), nb::arg("threads"));
  m.def("answer_masses", &answer_masses_py, nb::arg("signs"), nb::arg("answers"), nb::arg("weight"),
        nb::arg("threads"));
  m.def("boost_step", &boost_step_py, nb::arg("signs"), nb::arg("answers"), nb::arg("yes"), nb::arg("no"),
        nb::arg("base"), nb::arg("loss"), nb::arg("margins"), nb::arg("since"), nb::arg("weight"),
        nb::arg("threads"));
  m.def("table_scores", &table_scores_py, nb::arg("column"), nb::arg("n_levels"), nb::arg("end_start"),
        nb::arg("ends"), nb::arg("line_start"), nb::arg("lines"), nb::arg("rows"), nb::arg("threads"));
  m.def("tree_scores", &tree_scores_py, nb::arg("nodes"), nb::arg("words"), nb::arg("root"), nb::arg("depth"),
        nb::arg("column"), nb::arg("amount"), nb::arg("rows"), nb::arg("width"), nb::arg("threads"));
}

}  // namespace hedgerow::bindings
