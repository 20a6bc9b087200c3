#include "cfrules/credit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "base/text.h"
#include "cfrules/error.h"

namespace cfrules {
namespace {

enum CreditColumn {
  age,
  income,
  savings,
  debt,
  duration,
  employment_years,
  housing,
  purpose,
  job,
  guarantor,
  prior_defaults
};
constexpr std::size_t kColumns = 11;

// Cells of the categories the generator and the law speak of: places in credit_schema's lists.
constexpr double kOwn = 1;
constexpr double kBusiness = 0;
constexpr double kStudent = 2;

constexpr double kSavingsMissing = 0.06;
constexpr double kEmploymentMissing = 0.03;

Schema credit_schema() {
  return {{"age", Kind::integer, {}},
          {"income", Kind::number, {}},
          {"savings", Kind::number, {}},
          {"debt", Kind::number, {}},
          {"duration", Kind::integer, {}},
          {"employment_years", Kind::integer, {}},
          {"housing", Kind::category, {"free", "own", "rent"}},
          {"purpose", Kind::category, {"business", "car", "education", "home", "other"}},
          {"job", Kind::category, {"manager", "skilled", "student", "unskilled"}},
          {"guarantor", Kind::boolean, {"no", "yes"}},
          {"prior_defaults", Kind::integer, {}}};
}

// Index of the weight that a uniform draw falls on.
template <std::size_t N>
double draw_one(RandomStream& random, const std::array<double, N>& weights) {
  double total = 0;
  for (const double weight : weights) total += weight;
  double left = random.uniform() * total;
  for (std::size_t i = 0; i + 1 < N; ++i) {
    if (left < weights[i]) return static_cast<double>(i);
    left -= weights[i];
  }
  return static_cast<double>(N - 1);
}

double round_to(double value, double step) { return std::round(value / step) * step; }

using Person = std::array<double, kColumns>;

void draw_work(RandomStream& random, Person& person) {
  person[age] = 19 + std::floor(56 * std::pow(random.uniform(), 1.5));
  const bool young = person[age] < 27;
  person[job] = young ? draw_one<4>(random, {0.03, 0.42, 0.35, 0.20}) : draw_one<4>(random, {0.20, 0.56, 0.01, 0.23});
  const double working_life = person[job] == kStudent ? 2 : std::min(person[age] - 18, 40.0);
  person[employment_years] = std::floor(working_life * std::pow(random.uniform(), 1.6));
  constexpr std::array<double, 4> kUsualIncome = {54000, 33000, 11000,
                                                  22000};  // a year, in the order of the categories
  const double seniority = 1 + 0.01 * std::min(person[age] - 19, 30.0);
  person[income] =
      round_to(kUsualIncome[static_cast<std::size_t>(person[job])] * seniority * std::exp(0.28 * random.normal()), 100);
}

void draw_means(RandomStream& random, Person& person) {
  const double thrift = person[age] < 30 ? 0.10 : 0.20;
  const bool saves = random.uniform() < 0.85;
  const double share_saved = thrift * std::exp(1.0 * random.normal());
  person[savings] = saves ? round_to(person[income] * share_saved, 10) : 0;
  const double wealth = person[income] / 30000 + person[age] / 40;
  person[housing] = draw_one<3>(random, {person[age] < 27 ? 0.35 : 0.08, 0.22 * wealth, 0.45});
  const bool indebted = random.uniform() < 0.75;
  const double share_owed = 0.28 * std::exp(0.8 * random.normal());
  person[debt] = indebted ? round_to(person[income] * share_owed, 10) : 0;
  const double strain = person[income] > 0 ? person[debt] / person[income] : 0;
  person[prior_defaults] = draw_one<4>(random, {1.0, 0.10 + 0.25 * strain, 0.04 + 0.12 * strain, 0.01 + 0.06 * strain});
}

void draw_request(RandomStream& random, Person& person) {
  const bool learning = person[job] == kStudent;
  person[purpose] = draw_one<5>(random, {learning ? 0.02 : 0.14, 0.34, learning ? 0.45 : 0.10, 0.24, 0.22});
  constexpr std::array<double, 5> kUsualMonths = {42, 36, 30, 48, 20};  // in the order of the categories
  const double months = kUsualMonths[static_cast<std::size_t>(person[purpose])] + 14 * random.normal();
  person[duration] = std::clamp(round_to(months, 6), 6.0, 72.0);
  person[guarantor] = random.uniform() < (person[age] < 27 ? 0.30 : 0.10) ? 1 : 0;
}

Person draw_person(RandomStream& random) {
  Person person{};
  draw_work(random, person);
  draw_means(random, person);
  draw_request(random, person);
  if (random.uniform() < kSavingsMissing) person[savings] = std::numeric_limits<double>::quiet_NaN();
  if (random.uniform() < kEmploymentMissing) person[employment_years] = std::numeric_limits<double>::quiet_NaN();
  return person;
}

double approval_points(const Person& person) {
  const double saved = std::isnan(person[savings]) ? 0 : person[savings];
  const double employed = std::isnan(person[employment_years]) ? 0 : person[employment_years];
  double points = -5;
  points += 5 * std::clamp((person[income] - 15000) / 25000, 0.0, 1.0);
  points += saved >= 5000 ? 5 : saved >= 2000 ? 2.5 : 0;
  points -= person[debt] > 0.5 * person[income] ? 5 : person[debt] > 0.25 * person[income] ? 2 : 0;
  points += person[duration] <= 24 ? 3 : person[duration] <= 48 ? 0 : -3;
  points += employed >= 2 ? 1.5 : 0;
  points += person[housing] == kOwn ? 1.5 : 0;
  points -= person[purpose] == kBusiness ? 1.5 : 0;
  points += person[guarantor] == 1 ? 3 : 0;
  points -= 3 * std::min(person[prior_defaults], 2.0);
  return points;
}

double probability_of(const Person& person) { return 1 / (1 + std::exp(-approval_points(person))); }

// The cell in the order of this file's enumerations, whatever the order of the given schema and its categories.
double cell_in_own_terms(const Feature& own_feature, const Schema& schema, std::span<const double> row) {
  const std::size_t at = find_feature(schema, own_feature.name);
  if (at == schema.size() || at >= row.size())
    throw InputError("the credit law needs the column " + quote(own_feature.name) + ", which the row does not have");
  const double value = row[at];
  if (std::isnan(value) && own_feature.name != "savings" && own_feature.name != "employment_years")
    throw InputError("the credit law says nothing about a missing " + quote(own_feature.name));
  if (own_feature.kind != Kind::category) return value;
  const std::string name = text_of(schema[at], value);
  const auto known = std::find(own_feature.categories.begin(), own_feature.categories.end(), name);
  if (known == own_feature.categories.end())
    throw InputError("the credit law does not know " + quote(name) + " in the column " + quote(own_feature.name) +
                     "; it knows " + quote_list(own_feature.categories));
  return static_cast<double>(known - own_feature.categories.begin());
}

}  // namespace

CreditData credit_table(std::size_t rows, std::uint64_t seed) {
  std::vector<std::vector<double>> columns(kColumns, std::vector<double>(rows));
  Outcome outcome{"decision", {"approved", "rejected"}, std::vector<double>(rows)};
  for (std::size_t row = 0; row < rows; ++row) {
    RandomStream random(seed, Purpose::demo_data, row);
    const Person person = draw_person(random);
    for (std::size_t column = 0; column < kColumns; ++column) columns[column][row] = person[column];
    outcome.values[row] = random.uniform() < probability_of(person) ? 0 : 1;
  }
  return {Table(credit_schema(), std::move(columns)), std::move(outcome)};
}

double credit_approval_probability(const Schema& schema, std::span<const double> row) {
  const Schema own_schema = credit_schema();
  Person person{};
  for (std::size_t column = 0; column < kColumns; ++column)
    person[column] = cell_in_own_terms(own_schema[column], schema, row);
  return probability_of(person);
}

std::string credit_law_description() {
  return "The chance of approval is 1 / (1 + exp(-points)). Everyone starts at -5 points.\n"
         "  income            0 points up to 15000 a year, rising evenly to +5 at 40000 and above\n"
         "  savings           +2.5 from 2000, +5 from 5000; missing counts as none\n"
         "  debt              -2 above a quarter of a year's income, -5 above half of it\n"
         "  duration          +3 up to 24 months, -3 above 48\n"
         "  employment_years  +1.5 from 2 years; missing counts as 0\n"
         "  housing           +1.5 for own\n"
         "  purpose           -1.5 for business\n"
         "  guarantor         +3 for yes\n"
         "  prior_defaults    -3 each, counting two at most\n"
         "age and job have no effect of their own; they go with income and the rest.\n";
}

}  // namespace cfrules
