#include "forest/forest_import_checks.h"

#include <cmath>
#include <limits>
#include <string>

#include "base/decimal.h"
#include "base/limits.h"
#include "cfrules/error.h"

namespace cfrules {
namespace {

class TreeChecker {
 public:
  TreeChecker(const ImportedTree& tree, std::size_t index, std::size_t features, const Outcome& outcome)
      : tree_(tree),
        index_(index),
        features_(features),
        outputs_(outcome.numeric() ? 1 : outcome.classes.size()),
        leaves_(outcome.numeric() ? kLeafNumbers : kLeafShares) {}

  void check() const {
    check_lengths();
    check_reached_once();
    for (std::size_t node = 0; node < tree_.left.size(); ++node)
      tree_.left[node] < 0 ? check_leaf(node) : check_split(node);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError("tree " + std::to_string(index_) + " " + what);
  }
  [[noreturn]] void refuse(std::size_t node, const std::string& what) const {
    throw InputError("tree " + std::to_string(index_) + ", node " + std::to_string(node) + ": " + what);
  }

  void check_lengths() const {
    const std::size_t nodes = tree_.feature.size();
    if (nodes == 0) refuse("has no nodes; at least the root is needed");
    if (nodes > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      refuse("has " + std::to_string(nodes) + " nodes; at most 2147483647 are possible");
    check_length("threshold", tree_.threshold.size(), nodes);
    check_length("left", tree_.left.size(), nodes);
    check_length("right", tree_.right.size(), nodes);
    if (!tree_.missing_left.empty()) check_length("missing_left", tree_.missing_left.size(), nodes);
    if (!tree_.value.empty()) check_length("value", tree_.value.size(), nodes);
  }

  void check_length(const std::string& array, std::size_t seen, std::size_t nodes) const {
    if (seen == nodes) return;
    refuse("has " + std::to_string(seen) + " entries in '" + array + "' but " + std::to_string(nodes) +
           " in 'feature'; all arrays must have one entry per node");
  }

  // A node reached twice covers both cycles and shared children.
  void check_reached_once() const {
    std::vector<bool> reached(tree_.left.size());
    std::vector<std::pair<std::size_t, std::size_t>> pending{{0, 1}};  // node, level
    reached[0] = true;
    while (!pending.empty()) {
      const auto [node, level] = pending.back();
      pending.pop_back();
      require_within(limits::kDepth, level, "tree " + std::to_string(index_));
      if ((tree_.left[node] < 0) != (tree_.right[node] < 0))
        refuse(node, "the children are " + std::to_string(tree_.left[node]) + " and " +
                         std::to_string(tree_.right[node]) + "; a split has two and a leaf none (both negative)");
      if (tree_.left[node] < 0) continue;
      for (const std::int64_t child : {tree_.left[node], tree_.right[node]}) {
        const std::size_t reaches = check_child(node, child);
        if (reached[reaches])
          refuse(node, "the child " + std::to_string(child) + " is reached a second time; every node has one parent");
        reached[reaches] = true;
        pending.emplace_back(reaches, level + 1);
      }
    }
    for (std::size_t node = 0; node < reached.size(); ++node)
      if (!reached[node]) refuse(node, "it cannot be reached from the root, node 0");
  }

  std::size_t check_child(std::size_t node, std::int64_t child) const {
    const auto last = static_cast<std::int64_t>(tree_.left.size()) - 1;
    if (child <= last) return static_cast<std::size_t>(child);
    refuse(node, "the child " + std::to_string(child) + " does not exist; nodes go from 0 to " + std::to_string(last));
  }

  void check_split(std::size_t node) const {
    const std::int64_t feature = tree_.feature[node];
    if (feature < 0 || feature >= static_cast<std::int64_t>(features_))
      refuse(node,
             "the feature is " + std::to_string(feature) + "; features go from 0 to " + std::to_string(features_ - 1));
    if (!std::isfinite(tree_.threshold[node]))
      refuse(node, "the threshold is " + shortest_decimal(tree_.threshold[node]) + "; it must be a finite number");
  }

  void check_leaf(std::size_t node) const {
    if (tree_.value.empty()) return;
    const std::vector<double>& value = tree_.value[node];
    if (value.size() != outputs_)
      refuse(node, "the leaf has " + std::to_string(value.size()) + " values; it must have " +
                       std::to_string(outputs_) + ", one per class or one number");
    for (const double output : value)
      if (!leaves_.contains(output))
        refuse(node,
               "the leaf's value is " + shortest_decimal(output) + "; it must be " +
                   (leaves_.high > 2 ? "a number between -1e100 and 1e100" : "a share or a count, never negative"));
  }

  const ImportedTree& tree_;
  std::size_t index_, features_, outputs_;
  LeafRange leaves_;
};

}  // namespace

void check_imported(const std::vector<ImportedTree>& trees, std::size_t features, const Outcome& outcome) {
  if (trees.empty()) throw InputError("the forest to import has no trees; at least one is needed");
  require_within(limits::kTrees, trees.size(), "the forest to import");
  if (features == 0) throw InputError("the table has no features; at least one is needed");
  for (std::size_t tree = 0; tree < trees.size(); ++tree) TreeChecker(trees[tree], tree, features, outcome).check();
}

}  // namespace cfrules
