#include <cmath>

#include "base/decimal.h"
#include "cfrules/write.h"
#include "io/csv_cell.h"
#include "io/range_text.h"

namespace cfrules {
namespace {

std::string number_cell(double value) { return std::isfinite(value) ? shortest_decimal(value) : std::string(); }

std::string joined(const std::vector<std::string>& names, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) text.append(i > 0 ? separator : "").append(names[i]);
  return text;
}

std::string closed_cell(double side, bool closed) {
  if (!std::isfinite(side)) return {};
  return closed ? "true" : "false";
}

std::string cell_value(const Cell& cell) { return cell.name.empty() ? number_cell(cell.value) : cell.name; }

std::string condition_cells(const Condition& condition) {
  const std::string from = cell_value(condition.from);
  const std::string start =
      csv_cell(condition.feature) + "," + std::string(name_of(condition.kind)) + "," + csv_cell(from);
  if (has_names(condition.kind)) return start + ",,,,," + csv_cell(joined(condition.values, "|"));
  const Condition sides = as_printed(condition);
  return start + "," + number_cell(sides.low) + "," + closed_cell(sides.low, sides.low_closed) + "," +
         number_cell(sides.high) + "," + closed_cell(sides.high, sides.high_closed) + ",";
}

std::string rule_cells(const Rule& rule) {
  const Probability& probability = rule.probability;
  return number_cell(probability.stated()) + "," + number_cell(probability.low) + "," + number_cell(probability.high) +
         "," + number_cell(rule.mass) + "," + std::to_string(rule.support) + "," + number_cell(rule.cost);
}

std::string sides_cell(const std::vector<Condition>& sides) {
  std::vector<std::string> texts;
  for (const Condition& side : sides) texts.push_back(stated_condition(side));
  return csv_cell(joined(texts, "; "));
}

std::string recourse_line(const Explanation& explanation, std::size_t rule, const Recourse& recourse,
                          const Table& people) {
  std::vector<std::string> cells;
  for (std::size_t feature = 0; feature < people.features(); ++feature) {
    cells.push_back(text_of(people.schema()[feature], people.value(explanation.row, feature)));
  }
  for (const ChangedValue& changed : recourse.values) cells[changed.index] = cell_value(changed.cell);
  std::string line = std::to_string(explanation.row) + "," + std::to_string(rule) + "," +
                     std::string(name_of(recourse.method)) + "," + number_cell(recourse.probability) + "," +
                     number_cell(recourse.inlier_score) + "," + number_cell(recourse.cost) + "," +
                     number_cell(recourse.stays_in_box);
  for (const std::string& cell : cells) line += "," + csv_cell(cell);
  return line + "\n";
}

std::string groups_to_csv(const Summary& summary) {
  std::string text = "group,people,served";
  for (std::size_t rule = 0; rule < summary.rules.size(); ++rule) text += ",served_by_" + std::to_string(rule);
  text += ",cost\n";
  for (const SummaryGroup& group : summary.groups) {
    text += csv_cell(group_text(group, summary.by)) + "," + std::to_string(group.people) + "," +
            std::to_string(group.served);
    for (const std::size_t served : group.served_by) text += "," + std::to_string(served);
    text += "," + number_cell(group.cost) + "\n";
  }
  return text;
}

}  // namespace

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",;\t|\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char letter : text) quoted.append(letter == '"' ? 2 : 1, letter);
  return quoted + "\"";
}

std::string csv_header() {
  return "row,status,target,rule,feature,kind,from,low,low_closed,high,high_closed,values,"
         "probability,probability_low,probability_high,mass,support,cost\n";
}

std::string to_csv(const Explanation& explanation) {
  const std::string person = std::to_string(explanation.row) + "," + std::string(name_of(explanation.status)) + "," +
                             csv_cell(joined(explanation.target, "|")) + ",";
  if (explanation.rules.empty()) return person + ",,,,,,,,,,,,,,\n";
  std::string text;
  for (std::size_t rule = 0; rule < explanation.rules.size(); ++rule) {
    for (const Condition& condition : explanation.rules[rule].conditions) {
      text += person + std::to_string(rule) + "," + condition_cells(condition) + "," +
              rule_cells(explanation.rules[rule]) + "\n";
    }
  }
  return text;
}

std::string recourse_csv_header(const Schema& schema) {
  std::string header = "row,rule,method,probability,inlier_score,cost,stays_in_box";
  for (const Feature& feature : schema) header += "," + csv_cell(feature.name);
  return header + "\n";
}

std::string recourses_to_csv(const Explanation& explanation, const Table& people) {
  std::string lines;
  for (std::size_t rule = 0; rule < explanation.rules.size(); ++rule) {
    for (const Recourse& recourse : explanation.rules[rule].recourses) {
      lines += recourse_line(explanation, rule, recourse, people);
    }
  }
  return lines;
}

std::string to_csv(const Summary& summary) {
  if (!summary.by.empty()) return groups_to_csv(summary);
  std::string text =
      "rule,who,bring,people,served,reached,probability,probability_low,probability_high,mass,support,cost,plausible\n";
  for (std::size_t rule = 0; rule < summary.rules.size(); ++rule) {
    const RegionalRule& regional = summary.rules[rule];
    text += std::to_string(rule) + "," + sides_cell(regional.who) + "," + sides_cell(regional.rule.conditions) + "," +
            std::to_string(regional.people) + "," + std::to_string(regional.served) + "," +
            std::to_string(regional.reached) + "," + rule_cells(regional.rule) + "," +
            std::to_string(regional.plausible) + "\n";
  }
  return text;
}

}  // namespace cfrules
