// Tables: what an auditor reads about a group, and the measures of a whole run.
#include <algorithm>
#include <array>
#include <cmath>

#include "cfrules/write.h"
#include "io/ink.h"
#include "io/number_text.h"
#include "io/range_text.h"

namespace cfrules {
namespace {

using Lines = std::vector<std::string>;

struct TableColumn {
  std::string title;
  bool right = false;
  std::vector<Lines> cells;  // one per row; a cell may take several lines
};

std::size_t width_of(const TableColumn& column) {
  std::size_t width = columns_of(column.title);
  for (const Lines& cell : column.cells) {
    for (const std::string& line : cell) width = std::max(width, columns_of(line));
  }
  return width;
}

std::string padded(const TableColumn& column, const std::string& text, std::size_t width) {
  return column.right ? pad_left(text, width) : pad_right(text, width);
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string table_text(const std::vector<TableColumn>& columns, const Ink& ink) {
  std::vector<std::size_t> widths;
  for (const TableColumn& column : columns) widths.push_back(width_of(column));
  std::string title;
  for (std::size_t c = 0; c < columns.size(); ++c)
    title += (c > 0 ? "  " : "") + padded(columns[c], columns[c].title, widths[c]);
  std::string text = ink.strong(without_trailing_spaces(title)) + "\n";
  for (std::size_t row = 0; row < columns.front().cells.size(); ++row) {
    std::size_t height = 1;
    for (const TableColumn& column : columns) height = std::max(height, column.cells[row].size());
    for (std::size_t line = 0; line < height; ++line) {
      std::string shown;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const Lines& cell = columns[c].cells[row];
        shown += (c > 0 ? "  " : "") + padded(columns[c], line < cell.size() ? cell[line] : "", widths[c]);
      }
      text += without_trailing_spaces(shown) + "\n";
    }
  }
  return text;
}

Lines who_lines(const RegionalRule& regional) {
  Lines lines;
  for (const Condition& side : regional.who) lines.push_back(stated_condition(side));
  if (lines.empty()) lines.emplace_back("everybody");
  return lines;
}

Lines change_lines(const Rule& rule) {
  Lines lines;
  for (const Condition& side : rule.conditions) lines.push_back(side.feature + " " + into_range(side));
  return lines;
}

double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? kUnknown : static_cast<double>(part) / static_cast<double>(whole);
}

std::string reached_text(const Summary& summary) {
  if (std::isnan(summary.min_probability)) return {};
  return ", each with probability " + grouped(summary.min_probability) + " or more";
}

std::string summary_headline(const Summary& summary) {
  const std::string target = target_text(summary.target);
  if (summary.people == 0) return "Nobody needs to change anything: everybody's outcome is " + target + " already.";
  const std::string need = grouped(summary.people) + (summary.people == 1 ? " person needs" : " people need");
  if (summary.rules.empty()) return "To reach " + target + ", " + need + " a change, and no rule serves any of them.";
  const std::string rules =
      summary.rules.size() == 1 ? "1 rule serves " : grouped(summary.rules.size()) + " rules serve ";
  return "To reach " + target + ", " + need + " a change; " + rules + grouped(summary.served) + " of them (" +
         percent(share(summary.served, summary.people)) + ")" + reached_text(summary) + ".";
}

std::vector<TableColumn> summary_columns(const Summary& summary) {
  std::vector<TableColumn> columns = {{"", true, {}},         {"who", false, {}},         {"bring", false, {}},
                                      {"in group", true, {}}, {"newly served", true, {}}, {"plausibly", true, {}},
                                      {"in all", true, {}},   {"probability", true, {}},  {"there already", true, {}}};
  std::size_t served = 0;
  for (std::size_t i = 0; i < summary.rules.size(); ++i) {
    const RegionalRule& regional = summary.rules[i];
    served += regional.served;
    const std::vector<Lines> row = {{std::to_string(i + 1)},
                                    who_lines(regional),
                                    change_lines(regional.rule),
                                    {grouped(regional.people)},
                                    {grouped(regional.served)},
                                    {grouped(regional.plausible)},
                                    {percent(share(served, summary.people))},
                                    {probability_text(regional.rule.probability.stated())},
                                    {percent(regional.rule.mass)}};
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].cells.push_back(row[c]);
  }
  return columns;
}

std::string shortfall(const Summary& summary) {
  const double reached = share(summary.served, summary.people);
  if (std::isnan(reached) || std::isnan(summary.cover) || reached >= summary.cover) return {};
  return "This is less than the " + percent(summary.cover) + " asked for.\n";
}

std::vector<TableColumn> group_columns(const Summary& summary) {
  std::vector<TableColumn> columns = {{"group", false, {}}, {"people", true, {}}, {"served", true, {}}};
  for (std::size_t rule = 0; rule < summary.rules.size(); ++rule)
    columns.push_back({"by rule " + std::to_string(rule + 1), true, {}});
  columns.push_back({"mean cost", true, {}});
  for (const SummaryGroup& group : summary.groups) {
    std::size_t column = 0;
    const auto add = [&](std::string text) { columns[column++].cells.push_back({std::move(text)}); };
    add(group_text(group, summary.by));
    add(grouped(group.people));
    add(percent(share(group.served, group.people)));
    for (const std::size_t served : group.served_by) add(percent(share(served, group.people)));
    add(std::isnan(group.cost) ? "-" : fixed(group.cost, 2));
  }
  return columns;
}

std::string measure(std::string_view name, const std::string& value, std::string_view meaning) {
  return "    " + pad_right(name, 20) + pad_left(value, 9) + "   " + std::string(meaning) + "\n";
}

std::string stability_text(const std::vector<double>& stability) {
  constexpr std::array<std::string_view, 3> kVariances = {"0.01", "0.025", "0.05"};
  std::string text;
  for (std::size_t i = 0; i < stability.size() && i < kVariances.size(); ++i) {
    text += measure("stability", fixed(stability[i], 3),
                    "recourses still accepted under noise of variance " + std::string(kVariances[i]));
  }
  return text;
}

std::string reliability_text(const std::vector<ReliabilityBin>& bins) {
  std::string lines;
  for (const ReliabilityBin& bin : bins) {
    if (bin.count == 0) continue;
    lines += pad_left(probability_text(bin.stated), 10) + pad_left(probability_text(bin.observed), 12) +
             pad_left(grouped(bin.count), 9) + "\n";
  }
  if (lines.empty()) return {};
  return "\nStated against what came true\n    stated   came true    cases\n" + lines;
}

}  // namespace

std::string to_text(const Summary& summary, const TextStyle& style) {
  std::string text = wrapped(summary_headline(summary), style.width) + "\n";
  if (summary.rules.empty()) return text;
  text += "\n" + table_text(summary_columns(summary), Ink(style)) + shortfall(summary);
  if (summary.groups.empty()) return text;
  return text + "\nBy " + summary.by + "\n\n" + table_text(group_columns(summary), Ink(style));
}

std::string to_text(const Evaluation& evaluation, const TextStyle&) {
  std::string text = grouped(evaluation.people) + " people needed a change (" + grouped(evaluation.already) +
                     " had the wanted outcome already); judged by " + evaluation.judged_by + ".\n\n";
  text += measure("coverage", fixed(evaluation.coverage, 3), "people with a recourse");
  text += measure("accuracy", fixed(evaluation.accuracy, 3), "recourses accepted, of all people asked");
  text += measure("accuracy, if found", fixed(evaluation.accuracy_found, 3), "recourses accepted, of people with one");
  text +=
      measure("donor accuracy", fixed(evaluation.donor_accuracy, 3), "points drawn from the rules that are accepted");
  text += measure("stated", fixed(evaluation.stated, 3), "probability promised, on average");
  text += measure("calibration error", fixed(evaluation.calibration_error, 3),
                  "promised against accepted; 95 % interval " + fixed(evaluation.calibration_error_low, 3) + " to " +
                      fixed(evaluation.calibration_error_high, 3));
  text += measure("below one half", fixed(evaluation.below_half, 3), "rules that come true less than half of the time");
  text += measure("plausibility", fixed(evaluation.plausibility, 3), "recourses that look like people seen");
  text += measure("sparsity", fixed(evaluation.sparsity, 2), "features changed");
  text += measure("cost", fixed(evaluation.cost, 2), "a changed category counts 1, a tenth of the way 0.1");
  text += measure("mass", fixed(evaluation.mass, 3), "people who are in the rule already");
  text += stability_text(evaluation.stability);
  text += measure("seconds", fixed(evaluation.seconds_per_person, 4), "per person");
  return text + reliability_text(evaluation.reliability);
}

}  // namespace cfrules
