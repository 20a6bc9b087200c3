#include "io/model_file.h"

#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include "base/parallel.h"
#include "cfrules/error.h"
#include "io/atomic_file.h"
#include "io/byte_source.h"
#include "io/model_check.h"
#include "io/model_metadata.h"
#include "io/model_parts.h"
#include "io/model_sections.h"
#include "io/number_array.h"
#include "io/sha256.h"

namespace cfrules {
namespace {

std::size_t blocks_of(std::size_t rows) { return (rows + kRowsPerBlock - 1) / kRowsPerBlock; }

std::size_t section_count(const Model& model) {
  constexpr std::size_t kAlways = 6;  // metadata, outcome, grid, forest, inlier grid, calibration
  return kAlways + (model.audit.empty() ? 0 : 1) + model.rows.features() + (model.weights.empty() ? 0 : 1) +
         blocks_of(model.rows.rows()) + model.forest.trees.size() + model.inliers.trees().size();
}

// Not less than the file will have, short of long names: reserved, but only touched where written.
std::size_t size_bound(const Model& model) {
  std::size_t bound = 1 << 20;
  bound += model.rows.rows() * (model.rows.features() + 2) * (sizeof(double) + sizeof(Code));
  bound += model.audit.cases.size() * 8 * sizeof(double);
  bound += (model.calibration.said.size() + 2 * model.calibration.cases()) * sizeof(double);
  for (const Tree& tree : model.forest.trees)
    bound += tree.nodes.size() * 12 + tree.leaf_values.size() * sizeof(double) + tree.rows.size() * 4 + 64;
  return bound;
}

void write_calibration(ByteWriter& out, const CalibrationSample& sample) {
  write_numbers(out, sample.said);
  write_numbers(out, sample.outcome);
  write_numbers(out, sample.weights);
}

// Column by column.
void write_audit(ByteWriter& out, const Audit& audit) {
  const auto column = [&](const auto& field) {
    std::vector<double> values;
    for (const AuditCase& one : audit.cases) values.push_back(field(one));
    write_numbers(out, values);
  };
  column([](const AuditCase& one) { return static_cast<double>(one.target); });
  column([](const AuditCase& one) { return static_cast<double>(one.person); });
  column([](const AuditCase& one) { return one.threshold; });
  column([](const AuditCase& one) { return one.stated; });
  column([](const AuditCase& one) { return one.came_true; });
  column([](const AuditCase& one) { return one.hit ? 1.0 : 0.0; });
  column([](const AuditCase& one) { return one.distance; });
}

class ModelReader {
 public:
  ModelReader(ByteSource& bytes, std::string_view source, const Run& run) : sections_(bytes, source), run_(run) {}

  Model read() {
    read_metadata();
    read_rows();
    read_outcome();
    read_grid_and_codes();
    read_forest();
    read_inliers();
    read_calibration();
    read_audit();
    sections_.expect_end();
    return std::move(model_);
  }

 private:
  ByteReader next(SectionKind kind, std::size_t index = 0) {
    check_stop(run_);
    return sections_.next(kind, index);
  }

  void read_metadata() {
    ByteReader in = next(SectionKind::metadata);
    const auto length = in.number<std::uint64_t>();
    metadata_ = parse_metadata(in.text(length));
    in.expect_end();
    model_.settings = metadata_.settings;
    model_.outcome.name = metadata_.outcome;
    model_.outcome.classes = metadata_.classes;
    check_shape(metadata_.rows, metadata_.schema.size());
    check_settings(model_.settings);
    check_names(model_);
  }

  std::vector<double> read_numbers_of(SectionKind kind, std::size_t index, std::uint64_t count) {
    ByteReader in = next(kind, index);
    std::vector<double> values = read_numbers(in, count);
    in.expect_end();
    return values;
  }

  void read_rows() {
    std::vector<std::vector<double>> columns;
    for (std::size_t feature = 0; feature < metadata_.schema.size(); ++feature)
      columns.push_back(read_numbers_of(SectionKind::column, feature, metadata_.rows));
    model_.rows = Table(std::move(metadata_.schema), std::move(columns));
  }

  void read_outcome() {
    model_.outcome.values = read_numbers_of(SectionKind::outcome, 0, metadata_.rows);
    if (metadata_.weighted) model_.weights = read_numbers_of(SectionKind::weights, 0, metadata_.rows);
    check_outcomes("the outcome", model_.outcome.values, classes(), metadata_.rows);
    check_weights("the weight", model_.weights, metadata_.rows);
  }

  void read_grid_and_codes() {
    ByteReader in = next(SectionKind::grid);
    model_.grid = read_grid(in, features());
    check_grid(model_.grid, model_.rows.schema(), true);
    // As many cells as the columns had: the file is known to be that large.
    model_.codes = {metadata_.rows, features(), std::vector<Code>(metadata_.rows * features())};
    for (std::size_t block = 0; block < blocks_of(metadata_.rows); ++block) {
      ByteReader codes = next(SectionKind::codes, block);
      read_codes(codes, model_.codes, block, model_.grid);
    }
    check_codes(model_.codes, model_.grid, metadata_.rows);
  }

  void read_forest() {
    Forest& forest = model_.forest;
    ByteReader in = next(SectionKind::forest);
    forest.features = features();
    forest.outputs = model_.outcome.numeric() ? 1 : classes();
    forest.importance = read_numbers(in, features());
    forest.split_counts = read_numbers(in, features());
    in.expect_end();
    TreeChecker checker(tree_kind(forest, metadata_.rows, classes()), model_.grid);
    for (std::size_t tree = 0; tree < metadata_.trees; ++tree) {
      ByteReader section = next(SectionKind::tree, tree);
      forest.trees.push_back(read_tree(section, checker, tree, metadata_.rows, forest.outputs));
    }
    check_forest(forest, features(), classes());
  }

  void read_inliers() {
    ByteReader in = next(SectionKind::inlier_grid);
    Grid cuts = read_grid(in, features());
    check_grid(cuts, model_.rows.schema(), false);
    TreeChecker checker(kInlierTree, cuts);
    std::vector<Tree> trees;
    for (std::size_t tree = 0; tree < metadata_.inlier_trees; ++tree) {
      ByteReader section = next(SectionKind::inlier_tree, tree);
      trees.push_back(read_tree(section, checker, tree, 0, 1));
    }
    model_.inliers = IsolationForest(std::move(cuts), std::move(trees), metadata_.inlier_sample);
    check_inliers(model_.inliers);
  }

  void read_calibration() {
    CalibrationSample& sample = model_.calibration;
    ByteReader in = next(SectionKind::calibration);
    const std::uint64_t cases = metadata_.calibration_cases, channels = metadata_.calibration_channels;
    if (channels > 0 && cases > in.left() / channels) in.fail("ends too early");
    sample.source = metadata_.calibration_source;
    sample.channels = metadata_.calibration_channels;
    sample.said = read_numbers(in, cases * channels);
    sample.outcome = read_numbers(in, cases);
    sample.weights = read_numbers(in, metadata_.calibration_weighted ? cases : 0);
    in.expect_end();
    check_calibration(sample, classes());
  }

  // Since format 2; a model without an audit is still written as format 1.
  void read_audit() {
    if (metadata_.audited != (sections_.version() >= 2))
      throw Flaw("the metadata and the format disagree on whether there is an audit");
    if (!metadata_.audited) return;
    ByteReader in = next(SectionKind::audit);
    const std::uint64_t cases = metadata_.audit_cases;
    if (cases > in.left()) in.fail("ends too early");
    const std::vector<double> target = read_numbers(in, cases), person = read_numbers(in, cases);
    check_audit_indexes(target, metadata_.audit_targets.size());
    check_audit_indexes(person, std::numeric_limits<std::uint32_t>::max());
    Audit& audit = model_.audit;
    audit = {metadata_.audit_judge, metadata_.audit_asked_the_model, metadata_.audit_targets,
             std::vector<AuditCase>(cases)};
    const auto column = [&](const auto& set) {
      const std::vector<double> values = read_numbers(in, cases);
      for (std::size_t i = 0; i < cases; ++i) set(audit.cases[i], values[i]);
    };
    for (std::size_t i = 0; i < cases; ++i) {
      audit.cases[i].target = static_cast<std::uint32_t>(target[i]);
      audit.cases[i].person = static_cast<std::uint32_t>(person[i]);
    }
    column([](AuditCase& one, double value) { one.threshold = value; });
    column([](AuditCase& one, double value) { one.stated = value; });
    column([](AuditCase& one, double value) { one.came_true = value; });
    column([](AuditCase& one, double value) { one.hit = value != 0; });
    column([](AuditCase& one, double value) { one.distance = value; });
    in.expect_end();
    check_audit(audit, model_.outcome);
  }

  [[nodiscard]] std::size_t features() const { return model_.rows.features(); }
  [[nodiscard]] std::size_t classes() const { return model_.outcome.classes.size(); }

  SectionReader sections_;
  const Run& run_;
  ModelMetadata metadata_;
  Model model_;
};

Model read_model(ByteSource& bytes, std::string_view source, const Run& run) {
  const std::string name(source);
  try {
    return ModelReader(bytes, source, run).read();
  } catch (const Flaw& flaw) {
    throw FormatError(name + " is damaged: " + flaw.what());
  } catch (const InputError& error) {  // of the parts that check themselves: the metadata and the table
    throw FormatError(name + " is damaged: " + error.what());
  } catch (const std::bad_alloc&) {
    throw IoError("there is not enough memory to load " + name + " (" + std::to_string(bytes.size()) + " bytes)");
  } catch (const std::length_error&) {
    throw IoError("there is not enough memory to load " + name + " (" + std::to_string(bytes.size()) + " bytes)");
  }
}

}  // namespace

std::string serialize_model(const Model& model, const Run& run) {
  SectionWriter file(model.audit.empty() ? 1 : 2, section_count(model), size_bound(model));
  const auto begin = [&](SectionKind kind, std::size_t index = 0) -> ByteWriter& {
    check_stop(run);
    return file.begin(kind, index);
  };
  const std::string metadata = metadata_json(metadata_of(model));
  ByteWriter& first = begin(SectionKind::metadata);
  first.number(std::uint64_t{metadata.size()});
  first.text(metadata);
  for (std::size_t feature = 0; feature < model.rows.features(); ++feature)
    write_numbers(begin(SectionKind::column, feature), model.rows.column(feature));
  write_numbers(begin(SectionKind::outcome), model.outcome.values);
  if (!model.weights.empty()) write_numbers(begin(SectionKind::weights), model.weights);
  write_grid(begin(SectionKind::grid), model.grid);
  for (std::size_t block = 0; block < blocks_of(model.rows.rows()); ++block)
    write_codes(begin(SectionKind::codes, block), model.codes, block, model.grid);
  ByteWriter& forest = begin(SectionKind::forest);
  write_numbers(forest, model.forest.importance);
  write_numbers(forest, model.forest.split_counts);
  for (std::size_t tree = 0; tree < model.forest.trees.size(); ++tree)
    write_tree(begin(SectionKind::tree, tree), model.forest.trees[tree], model.rows.rows());
  write_grid(begin(SectionKind::inlier_grid), model.inliers.cuts());
  for (std::size_t tree = 0; tree < model.inliers.trees().size(); ++tree)
    write_tree(begin(SectionKind::inlier_tree, tree), model.inliers.trees()[tree], 0);
  write_calibration(begin(SectionKind::calibration), model.calibration);
  if (!model.audit.empty()) write_audit(begin(SectionKind::audit), model.audit);
  return file.finish();
}

std::string model_checksum(const Model& model, const Run& run) {
  return "sha256:" + sha256_hex(serialize_model(model, run), run);
}

void save_model(const Model& model, const std::string& path, bool overwrite, const Run& run) {
  try {
    check_model(model);
  } catch (const Flaw& flaw) {
    throw InputError("the model cannot be saved as " + path + ": " + flaw.what());
  }
  write_file_atomically(path, serialize_model(model, run), overwrite);
}

Model parse_model(std::span<const std::byte> bytes, std::string_view source, const Run& run) {
  MemorySource memory(bytes);
  return read_model(memory, source, run);
}

Model load_model(const std::string& path, const Run& run) {
  FileSource file(path);
  if (!file.is_pipe()) return read_model(file, path, run);
  return parse_model(file.read_all(kMagic), path, run);
}

}  // namespace cfrules
