// One rule for everybody in a region: given by the user, a leaf of the forest, or a sufficient rule.
#include <algorithm>

#include "api/impl.h"
#include "base/decimal.h"
#include "base/parallel.h"
#include "cfrules/error.h"
#include "explain/condition_writer.h"
#include "explain/donor_points.h"

namespace cfrules {

namespace {

// Rules for groups against one target and one set of constraints.
class GroupExplainer {
 public:
  GroupExplainer(const Explainer::Impl& impl, const Target& target, const ExplainOptions& options, const Run& run)
      : impl_(impl),
        settings_(impl.group_settings(options, target)),
        reading_(impl.reading(target, run)),
        forest_(reading_->forest),
        context_(reading_->context),
        reach_(options.constraints, impl.model.rows.schema(), impl.model.grid, impl.values),
        run_{run.threads, run.stop, {}} {}

  struct Answer {
    Explanation explanation;
    std::size_t people = 0;            // looked at
    std::vector<std::size_t> reached;  // rows of those of them whom the rule serves, one by one
  };

  // The group's people are the training rows inside that are not in the target; none: no answer.
  [[nodiscard]] std::optional<Answer> explain(const Region& region) const {
    const std::vector<std::size_t> rows = rows_in(region);
    if (rows.empty()) return std::nullopt;
    std::vector<CodedPerson> people;
    for (const std::size_t row : rows) people.push_back(impl_.coded(context_.rows.row(row)));
    std::vector<const CodedPerson*> group;
    for (const CodedPerson& person : people) group.push_back(&person);
    const auto stop = [this] { check_stop(run_); };
    Answer answer{LocalSearch(context_, reach_, settings_, {group, region}, stop).explain(), people.size(), {}};
    if (answer.explanation.rules.empty()) return answer;
    std::vector<std::uint8_t> served(group.size());
    parallel_for(group.size(), run_,
                 [&](std::size_t i) { served[i] = reaches(answer.explanation.rules.front(), group[i]) ? 1 : 0; });
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (served[i] != 0) answer.reached.push_back(rows[i]);
    return answer;
  }

  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const TargetForest& forest() const { return forest_; }

 private:
  [[nodiscard]] std::vector<std::size_t> rows_in(const Region& region) const {
    std::vector<CodeSide> box;
    for (std::size_t feature = 0; feature < region.features(); ++feature)
      if (region.side(feature) != context_.grid.everything(feature)) box.push_back({feature, region.side(feature)});
    std::vector<std::uint32_t> rows = context_.conditional.blocks().rows_in(box);
    std::erase_if(rows, [this](std::uint32_t row) { return forest_.hits()[row] != 0; });
    constexpr std::size_t kMost = 200;  // an even sample of a large group speaks for it
    const std::size_t stride = std::max<std::size_t>(1, (rows.size() + kMost - 1) / kMost);
    std::vector<std::size_t> some;
    for (std::size_t i = 0; i < rows.size(); i += stride) some.push_back(rows[i]);
    return some;
  }

  [[nodiscard]] bool reaches(const Rule& rule, const CodedPerson* person) const {
    std::vector<std::size_t> features;
    std::vector<Interval> box;
    for (const Condition& condition : rule.conditions) {
      features.push_back(condition.index);
      box.push_back(condition.codes);
    }
    double mass = 0;
    double sum = 0;
    for (const DonorPoint& point : donor_points(context_, features, box, std::span(&person, 1))) {
      mass += point.mass;
      sum += point.mass * point.probability;
    }
    return mass > 0 && sum >= settings_.min_probability * mass;
  }

  const Explainer::Impl& impl_;
  Settings settings_;
  std::shared_ptr<const TargetReading> reading_;
  const TargetForest& forest_;
  const Context& context_;
  Reach reach_;
  Run run_;
};

// A leaf as a region, with how many training rows outside the target it holds.
struct LeafRegion {
  Region region;
  std::size_t people = 0;
};

void collect_leaves(const Tree& tree, std::size_t node, const Region& here, const Grid& grid,
                    std::span<const std::uint8_t> hits, std::vector<LeafRegion>& leaves) {
  const Node& at = tree.nodes[node];
  if (at.is_leaf()) {
    std::size_t people = 0;
    for (std::uint32_t i = tree.node_rows[node].begin; i < tree.node_rows[node].end; ++i)
      people += hits[tree.rows[i]] == 0 ? 1 : 0;
    if (people > 0) leaves.push_back({here, people});
    return;
  }
  const std::size_t feature = at.split_feature();
  const Interval side = here.side(feature);
  Region left = here;
  left.limit(feature, {side.low, std::min(side.high, at.cut)});
  collect_leaves(tree, static_cast<std::size_t>(at.left), left, grid, hits, leaves);
  Region right = here;
  right.limit(feature, {std::max(side.low, static_cast<Code>(at.cut + 1)), side.high});
  collect_leaves(tree, static_cast<std::size_t>(at.left) + 1, right, grid, hits, leaves);
}

// The sides of a region that say something, in words; the code of missing has none, so a side that is missing alone is
// left out.
std::vector<Condition> words_of(const Region& region, const Explainer::Impl& impl) {
  const Grid& grid = impl.model.grid;
  std::vector<Condition> who;
  for (std::size_t feature = 0; feature < region.features(); ++feature) {
    const Interval side{std::max<Code>(1, region.side(feature).low), region.side(feature).high};
    if (region.role(feature) != Role::range || side.high < side.low || side == grid.all_values(feature)) continue;
    who.push_back(condition_of(impl.model.rows.schema(), grid, feature, side, kUnknown, impl.values));
  }
  return who;
}

Summary empty_summary(const Target& target, const GroupExplainer& groups) {
  Summary summary;
  summary.target = target.names();
  summary.min_probability = groups.settings().min_probability;
  return summary;
}

// served: those the rule reaches one by one.
void add_group(const GroupExplainer& groups, const Region& region, std::vector<Condition> who, Summary& summary) {
  std::optional<GroupExplainer::Answer> answer = groups.explain(region);
  if (!answer) return;
  summary.people += answer->people;
  if (answer->explanation.rules.empty()) return;
  const std::size_t reached = answer->reached.size();
  summary.served += reached;
  summary.rules.push_back({std::move(who), std::move(answer->explanation.rules.front()), answer->people, reached,
                           reached, answer->explanation.plausible ? reached : 0, std::move(answer->reached)});
}

}  // namespace

Explanation Explainer::explain_region(const RegionSpec& spec, const Target& target, const ExplainOptions& options,
                                      const Run& run) const {
  const GroupExplainer groups(*impl_, target, options, run);
  std::optional<GroupExplainer::Answer> answer = groups.explain(impl_->region(spec, {}));
  if (!answer) throw InputError("no training row in this region has another outcome than the target");
  Explanation& explanation = answer->explanation;
  if (!explanation.rules.empty())
    explanation.note += (explanation.note.empty() ? "" : "; ") + std::to_string(answer->reached.size()) + " of " +
                        std::to_string(answer->people) + " people looked at reach " +
                        shortest_decimal(groups.settings().min_probability) + " one by one";
  return std::move(explanation);
}

Summary Explainer::summarize_leaves(const Target& target, const RegionsOptions& options, const Run& run) const {
  const GroupExplainer groups(*impl_, target, options.explain, run);
  const Model& model = impl_->model;
  std::vector<LeafRegion> leaves;
  collect_leaves(model.forest.trees.front(), 0, Region::everything(model.grid), model.grid, groups.forest().hits(),
                 leaves);
  std::stable_sort(leaves.begin(), leaves.end(),
                   [](const LeafRegion& a, const LeafRegion& b) { return a.people > b.people; });
  Summary summary = empty_summary(target, groups);
  for (std::size_t i = 0; i < std::min(leaves.size(), options.max_regions); ++i)
    add_group(groups, leaves[i].region, words_of(leaves[i].region, *impl_), summary);
  return summary;
}

Summary Explainer::summarize_sufficient(const Table& people, const Target& target, const RegionsOptions& options,
                                        const Run& run) const {
  const GroupExplainer groups(*impl_, target, options.explain, run);
  Summary summary = empty_summary(target, groups);
  std::vector<std::vector<Condition>> seen;
  SufficientOptions why;
  why.pi = options.explain.pi;
  why.rules = true;
  Run quiet = run;
  quiet.progress = nullptr;
  for (std::size_t row = 0; row < people.rows() && summary.rules.size() < options.max_regions; ++row) {
    if (target.contains(impl_->predict(impl_->model.grid.codes(people.row(row))))) continue;
    SufficientExplanation reason;
    sufficient(
        people.select(std::span(&row, 1)), why, [&](SufficientExplanation&& answer) { reason = std::move(answer); },
        quiet);
    if (!reason.found || reason.sets.empty() || reason.sets.front().rule.empty()) continue;
    Region region = Region::everything(impl_->model.grid);
    for (const Condition& condition : reason.sets.front().rule) region.limit(condition.index, condition.codes);
    const auto same = [&](const std::vector<Condition>& other) {
      return std::equal(
          other.begin(), other.end(), reason.sets.front().rule.begin(), reason.sets.front().rule.end(),
          [](const Condition& a, const Condition& b) { return a.index == b.index && a.codes == b.codes; });
    };
    if (std::any_of(seen.begin(), seen.end(), same)) continue;
    seen.push_back(reason.sets.front().rule);
    add_group(groups, region, words_of(region, *impl_), summary);
  }
  return summary;
}

}  // namespace cfrules
