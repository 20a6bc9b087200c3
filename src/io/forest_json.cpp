#include "io/forest_json.h"

#include <cmath>

#include "base/text.h"
#include "cfrules/error.h"
#include "io/json_checks.h"

namespace cfrules {
namespace {

std::vector<double> numbers(const JsonPlace& place) {
  std::vector<double> values;
  for (const Json& item : require_array(place, "allowed: a list with a number per node")) {
    if (item.number() == nullptr) place.item(item, values.size()).refuse("allowed: a number");
    values.push_back(*item.number());
  }
  return values;
}

std::vector<std::int64_t> whole_numbers(const JsonPlace& place) {
  std::vector<std::int64_t> values;
  for (const double number : numbers(place)) {
    const bool whole = number == std::trunc(number) && std::abs(number) < 2147483648.0;
    if (!whole) place.refuse("allowed: a list of whole numbers");
    values.push_back(static_cast<std::int64_t>(number));
  }
  return values;
}

const Json& required(const JsonPlace& place, std::string_view key) {
  const Json* part = place.value.find(key);
  if (part == nullptr) place.refuse("a tree needs feature, threshold, left and right");
  return *part;
}

std::vector<bool> flags(const JsonPlace& place) {
  std::vector<bool> values;
  for (const Json& item : require_array(place, "allowed: a list with true or false per node"))
    values.push_back(require_boolean(place.item(item, values.size())));
  return values;
}

// A number per node, or a list per node.
std::vector<std::vector<double>> leaf_values(const JsonPlace& place) {
  std::vector<std::vector<double>> values;
  for (const Json& item : require_array(place, "allowed: a list with a number, or a list of numbers, per node")) {
    if (item.number() != nullptr) {
      values.push_back({*item.number()});
    } else {
      values.push_back(numbers(place.item(item, values.size())));
    }
  }
  return values;
}

ImportedTree parse_tree(const JsonPlace& place) {
  (void)require_object(place, "a tree is an object with feature, threshold, left and right");
  require_keys(place, {"feature", "threshold", "left", "right", "missing_left", "value"});
  ImportedTree tree;
  tree.feature = whole_numbers(place.inside(required(place, "feature"), "feature"));
  tree.threshold = numbers(place.inside(required(place, "threshold"), "threshold"));
  tree.left = whole_numbers(place.inside(required(place, "left"), "left"));
  tree.right = whole_numbers(place.inside(required(place, "right"), "right"));
  if (const Json* part = place.value.find("missing_left"))
    tree.missing_left = flags(place.inside(*part, "missing_left"));
  if (const Json* part = place.value.find("value")) tree.value = leaf_values(place.inside(*part, "value"));
  return tree;
}

// Names of the features that the trees number; they may be in another order than the table's columns.
void renumber(const JsonPlace& place, const Schema& schema, std::vector<ImportedTree>& trees) {
  std::vector<std::int64_t> at;
  for (const std::string& name : require_names(place).values) {
    const std::size_t feature = find_feature(schema, name);
    if (feature == schema.size()) place.refuse("the table has no column " + quote(name));
    at.push_back(static_cast<std::int64_t>(feature));
  }
  for (ImportedTree& tree : trees)
    for (std::int64_t& feature : tree.feature)
      if (feature >= 0 && feature < static_cast<std::int64_t>(at.size()))
        feature = at[static_cast<std::size_t>(feature)];
}

void parse_combination(const JsonPlace& whole, ForestDocument& forest) {
  if (const Json* combine = whole.value.find("combine")) {
    const JsonPlace place = whole.inside(*combine, "combine");
    const std::string& word = require_string(place, "allowed: \"mean\" or \"sum\"");
    if (word != "mean" && word != "sum") place.refuse("allowed: \"mean\" or \"sum\"");
    forest.sum = word == "sum";
  }
  if (const Json* base = whole.value.find("base")) forest.base = numbers(whole.inside(*base, "base"));
}

}  // namespace

ForestDocument parse_forest(std::string_view json, std::string_view source, const Schema& schema) {
  const Json document = Json::parse(json, source);
  const JsonPlace whole{document, source, ""};
  (void)require_object(whole, "a forest is an object with trees");
  require_keys(whole, {"trees", "features", "categories", "combine", "base"});
  ForestDocument forest;
  const Json* trees = document.find("trees");
  if (trees == nullptr) whole.refuse("a forest is an object with trees");
  const JsonPlace place = whole.inside(*trees, "trees");
  for (const Json& tree : require_array(place, "allowed: a list of trees"))
    forest.trees.push_back(parse_tree(place.item(tree, forest.trees.size())));
  if (const Json* names = document.find("features")) renumber(whole.inside(*names, "features"), schema, forest.trees);
  if (const Json* orders = document.find("categories")) {
    const JsonPlace where = whole.inside(*orders, "categories");
    for (const auto& [name, order] :
         require_object(where, "allowed: an object from feature to its categories in order"))
      forest.category_orders.emplace_back(name, require_names(where.inside(order, name)).values);
  }
  parse_combination(whole, forest);
  return forest;
}

}  // namespace cfrules
