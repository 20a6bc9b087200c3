// May these trees be walked? Throws Flaw naming tree and node if a walk could leave the arrays, never end, or meet a
// number that is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "forest/grid.h"
#include "forest/tree.h"

namespace cfrules {

class TreeChecker {
 public:
  // What is checked: "tree" or "inlier tree"; rows of the table, 0 if the trees hold none; values per leaf.
  struct Kind {
    std::string_view name;
    std::size_t rows;
    std::size_t outputs;
    LeafRange leaves;
  };

  // The grid must have been checked.
  TreeChecker(const Kind& kind, const Grid& grid);

  // Every node but the root has one parent, before it; siblings are adjacent; leaf ids are 0, 1, ... in some order;
  // splits are on features and at cuts that exist.
  void check_nodes(std::size_t index, const std::vector<Node>& nodes);
  // Leaf values are in their range and as many as they should be; rows exist and are there at most once. After
  // check_nodes.
  void check_contents(std::size_t index, const Tree& tree);
  // The root has all rows, and every split's children have its rows between them. After check_nodes.
  void check_ranges(std::size_t index, const Tree& tree) const;

  [[noreturn]] void fail(std::size_t index, const std::string& what) const;
  [[noreturn]] void fail(std::size_t index, std::size_t node, const std::string& what) const;

 private:
  void check_split(std::size_t index, std::size_t node, const std::vector<Node>& nodes);
  void check_rows(std::size_t index, const std::vector<std::uint32_t>& rows);
  void check_leaf(std::size_t index, std::size_t node, const std::vector<Node>& nodes);

  std::string name_;
  std::vector<Code> last_codes_;  // per feature
  std::size_t rows_;
  std::size_t outputs_;
  LeafRange leaves_;
  std::vector<std::uint32_t> depth_;    // per node: of the root 1; 0 where no parent was met yet
  std::vector<std::uint8_t> leaf_met_;  // per leaf id
  std::vector<std::uint64_t> row_met_;  // a bit per row
};

}  // namespace cfrules
