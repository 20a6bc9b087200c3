"""The command from outside: every command, every option, every exit code. Only the standard library is needed.

    CFRULES=build/cfrules python3 tests/cli/test_cli.py
"""

import csv
import io
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import json_schema  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
CFRULES = os.environ.get("CFRULES", str(ROOT / "build" / "cfrules"))
COMMANDS = ["demo", "fit", "import", "explain", "regions", "recourse", "sufficient", "probability", "evaluate", "inspect", "validate"]
COLUMNS = ["age", "income", "savings", "housing", "guarantor"]


def loans(rows, seed):
    """People who are approved for income, savings and a guarantor, with a little chance."""
    chance = random.Random(seed)
    table = []
    for _ in range(rows):
        age = chance.randrange(19, 75)
        income = round(chance.uniform(10000, 60000), -2)
        savings = round(chance.uniform(0, 8000), 1) if chance.random() > 0.05 else ""
        housing = chance.choice(["own", "rent", "free"])
        guarantor = chance.choice(["yes", "no"])
        points = (income - 35000) / 6000 + (float(savings or 0) - 3000) / 1500 + (1.5 if guarantor == "yes" else 0)
        approved = "approved" if points + chance.gauss(0, 0.5) > 0 else "rejected"
        table.append([age, int(income), savings, housing, guarantor, approved])
    return table


def write_csv(path, header, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def run(*arguments, stdin=None, timeout=600, env=None):
    return subprocess.run([CFRULES, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=timeout,
                          env={**os.environ, **(env or {})})


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.data = cls.path / "loans.csv"
        cls.people = cls.path / "people.csv"
        cls.test = cls.path / "test.csv"
        cls.model = cls.path / "loans.cfr"
        write_csv(cls.data, COLUMNS + ["decision"], loans(400, 1))
        fresh = loans(120, 2)
        write_csv(cls.test, COLUMNS + ["decision"], fresh)
        cls.rejected = [row[:5] for row in fresh if row[5] == "rejected"][:6]
        write_csv(cls.people, COLUMNS, cls.rejected)
        done = run("fit", cls.data, "--outcome", "decision", "-o", cls.model, "--trees", 60, "--isolation-trees", 50, "--audit", 0)
        assert done.returncode == 0, done.stderr
        cls.fit_words = done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def good(self, *arguments, **options):
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def bad(self, code, pattern, *arguments, **options):
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        self.assertRegex(done.stderr, pattern)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith("cfrules: "), done.stderr)
        return done

    def ndjson(self, *arguments, **options):
        return [json.loads(line) for line in self.good(*arguments, **options).stdout.splitlines()]

    def fits(self, kind, value):
        schema = json.loads((ROOT / "docs" / "schema" / f"{kind}.schema.json").read_text())
        self.assertEqual(json_schema.errors(value, schema), [])

    def file(self, name, text):
        path = self.path / name
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text)
        return path

    def explain(self, *more, **options):
        return self.ndjson("explain", self.model, self.people, "--target", "approved", *more, **options)


class Help(Case):
    def test_overview_and_version(self):
        self.assertTrue(self.good("--help").stdout.startswith("Examples:"))
        self.assertTrue(self.good().stdout.startswith("Examples:"))
        self.assertRegex(self.good("--version").stdout, r"^cfrules \d+\.\d+\.\d+ \(.+\)\n$")

    def test_every_help_page_begins_with_examples(self):
        for command in COMMANDS:
            page = self.good(command, "--help").stdout
            self.assertTrue(page.startswith("Examples:\n  c"), page)
            self.assertIn(f"cfrules {command}", page.splitlines()[1])

    def test_every_option_is_documented(self):
        text = (ROOT / "docs" / "cli.md").read_text()
        for command in COMMANDS:
            for option in re.findall(r"^  (?:-\w )?(--[a-z0-9-]+)", self.good(command, "--help").stdout, re.M):
                self.assertIn(f"`{option}", text, f"{option} of {command}")

    def test_wrong_usage_is_one_line_and_code_2(self):
        self.bad(2, "unknown command \"expain\" .did you mean explain", "expain")
        self.bad(2, "unknown option --taget .did you mean --target", "explain", self.model, self.people, "--target", "x", "--taget", "y")
        self.bad(2, "--target", "explain", self.model, self.people)
        self.bad(2, "--pi is \"2\"; allowed: a number from 0 to 1", "explain", self.model, self.people, "--target", "approved", "--pi", "2")
        self.bad(2, "--rules is \"0\"", "explain", self.model, self.people, "--target", "approved", "--rules", "0")
        self.bad(2, "--search is \"best\"; allowed: sparsest", "explain", self.model, self.people, "--target", "x", "--search", "best")
        self.bad(2, "--format is \"xml\"", "explain", self.model, self.people, "--target", "approved", "--format", "xml")
        self.bad(2, "--threads", "explain", self.model, self.people, "--target", "approved", "--threads", "-1")
        self.bad(2, "one argument too many", "explain", self.model, self.people, "more", "--target", "approved")
        self.bad(2, "command", "--quiet")
        self.bad(2, "csv", "sufficient", self.model, self.people, "--format", "csv")
        self.bad(2, "csv", "evaluate", self.model, self.test, "--target", "approved", "--format", "csv")


class Fit(Case):
    def fit(self, *more, name=None):
        target = self.path / (name or f"{self.id()}.cfr")
        audit = () if "--audit" in more else ("--audit", 0)
        trees = () if "--trees" in more else ("--trees", 10)
        done = run("fit", self.data, "--outcome", "decision", "-o", target, "--isolation-trees", 10, *trees, *audit, *more)
        return done, target

    def fitted(self, *more):
        done, target = self.fit(*more, "--force")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(self.good("inspect", target, "--format", "json").stdout)

    def test_says_what_it_learned_from(self):
        self.assertIn("400 rows, 5 features", self.fit_words)
        self.assertRegex(self.fit_words, r"decision: approved \d+, rejected \d+; out-of-bag score 0\.\d+; \d")

    def test_quiet_is_quiet(self):
        done, _ = self.fit("--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_no_overwrite_without_force(self):
        target = self.file("kept.cfr", "precious")
        self.bad(1, "kept.cfr: exists already; --force", "fit", self.data, "--outcome", "decision", "-o", target)
        self.assertEqual(target.read_text(), "precious")
        done, _ = self.fit("--force", name="kept.cfr")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_forest_options_reach_the_model(self):
        forest = self.fitted("--depth", 3, "--min-leaf", 4, "--features-per-split", 2, "--cuts", 32, "--no-bootstrap",
                             "--subsample", 0.5, "--estimate", "all", "--seed", 9)["forest"]
        self.assertEqual((forest["trees"], forest["depth"], forest["min_leaf"], forest["features_per_split"], forest["cuts"]), (10, 3, 4, 2, 32))
        self.assertEqual((forest["bootstrap"], forest["subsample"]), (False, 0.5))
        self.assertEqual(self.fitted("--estimate", "honest")["forest"]["estimate"], "honest")
        self.assertEqual(self.fitted("--estimate", "oob")["forest"]["estimate"], "oob")

    def test_memorised_answers_are_simulated(self):
        about = self.fitted("--labels", "memorised")
        self.assertIn("simulated model", about["calibration"]["source"])
        self.assertIsNone(about["audit"])

    def test_an_audit_is_kept_and_bears_a_promise(self):
        done, model = self.fit("--audit", 40, "--trees", 60)
        self.assertEqual(done.returncode, 0, done.stderr)
        about = json.loads(self.good("inspect", model, "--format", "json").stdout)
        self.assertEqual({t["target"] for t in about["audit"]["targets"]}, {"approved", "rejected"})
        for target in about["audit"]["targets"]:
            thresholds = [t["threshold"] for t in target["thresholds"]]
            self.assertEqual(thresholds, [0.95, 0.9, 0.8, 0.7])
        self.bad(3, "cannot be promised with confidence 0.95", "explain", model, self.test, "--target", "approved", "--promise", 0.999)
        self.bad(2, "exclude each other", "explain", model, self.test, "--target", "approved", "--promise", 0.9, "--min-probability", 0.9)
        lines = self.good("explain", model, self.test, "--target", "approved", "--promise", 0.2, "--format", "ndjson").stdout.splitlines()
        self.assertIn(json.loads(lines[0])["provenance"]["settings"]["min_probability"], [0.95, 0.9, 0.8, 0.7])
        self.assertIsNone(self.fitted("--audit", 0)["audit"])

    def test_preset_and_labels(self):
        self.assertEqual(self.fitted("--preset", "paper")["preset"], "paper")
        self.assertEqual(self.fitted("--labels", "predicted")["labels"], "predicted")
        self.assertEqual(self.fitted("--labels", "predicted", "--fresh", self.test)["calibration"]["source"], "fresh rows")
        self.bad(2, "--labels model needs --label-command", "fit", self.data, "--outcome", "decision", "-o", "x.cfr", "--labels", "model")
        self.bad(2, "--fresh goes with", "fit", self.data, "--outcome", "decision", "-o", "x.cfr", "--fresh", self.test)
        self.bad(2, "--label-command goes with", "fit", self.data, "--outcome", "decision", "-o", "x.cfr", "--label-command", "cat",
                 "--labels", "observed")

    def test_class_weights(self):
        done, _ = self.fit("--class-weights", "approved=2,rejected=0.5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.bad(3, "--class-weights names \"maybe\"; the classes are: approved, rejected", "fit", self.data, "--outcome", "decision",
                 "-o", self.path / "w.cfr", "--class-weights", "maybe=2")
        self.bad(2, "--class-weights has", "fit", self.data, "--outcome", "decision", "-o", self.path / "w.cfr", "--class-weights", "approved=0")

    def test_columns_can_be_ignored_weighted_and_typed(self):
        rows = [[*row, 1 + index % 2, index] for index, row in enumerate(loans(100, 3))]
        data = self.path / "weighted.csv"
        write_csv(data, COLUMNS + ["decision", "weight", "id"], rows)
        schema = self.file("schema.json", '{"columns": {"age": "number"}}')
        target = self.path / "weighted.cfr"
        self.good("fit", data, "--outcome", "decision", "-o", target, "--weights", "weight", "--ignore", "id", "--schema", schema, "--trees", 5)
        model = json.loads(self.good("inspect", target, "--format", "json").stdout)
        self.assertTrue(model["weighted"])
        self.assertEqual([f["name"] for f in model["features"]], COLUMNS)
        self.assertEqual(model["features"][0]["kind"], "number")

    def test_missing_markers_and_delimiters(self):
        data = self.file("semicolon.csv", "a;y\n" + "".join(f"{'-9' if i % 9 == 0 else i};{'p' if i > 25 else 'q'}\n" for i in range(50)))
        for name, delimiter in [("one.cfr", []), ("two.cfr", ["--delimiter", ";"])]:
            self.good("fit", data, "--outcome", "y", "-o", self.path / name, "--missing", "-9,-8", "--trees", 5, *delimiter)
        self.bad(2, "--delimiter is", "fit", data, "--outcome", "y", "-o", self.path / "x.cfr", "--delimiter", "::")

    def test_a_number_can_be_the_outcome(self):
        target = self.path / "income.cfr"
        self.good("fit", self.data, "--outcome", "income", "--outcome-kind", "number", "-o", target, "--trees", 20)
        rows = self.ndjson("explain", target, self.data, "--target", "50000:", "--max-features", 1, "--candidates", 2)
        self.assertEqual(rows[0]["target"], ["50000:"])
        self.assertEqual(len(rows), 400)

    def test_standard_input_can_be_the_data(self):
        self.good("fit", "-", "--outcome", "decision", "-o", self.path / "stdin.cfr", "--trees", 5, stdin=self.data.read_text())

    def test_the_same_seed_gives_the_same_bytes(self):
        texts = []
        for threads in (1, 3):
            _, target = self.fit("--threads", threads, "--seed", 5, name=f"threads{threads}.cfr")
            texts.append(target.read_bytes())
        self.assertEqual(*texts)

    def test_bad_training_data(self):
        def refused(pattern, text, *more, code=3):
            data = self.file("bad.csv", text)
            self.bad(code, pattern, "fit", data, "--outcome", "y", "-o", self.path / "bad.cfr", *more)
            self.assertFalse((self.path / "bad.cfr").exists())

        refused("empty", "")
        refused("no rows", "a,y\n")
        refused("line 3", "a,y\n1,p\n2\n")
        refused("line 2", 'a,y\n"1,p\n2,q\n')
        refused("NUL", b"a,y\n1\x00,p\n2,q\n")
        refused("UTF-8", b"a,y\n\xff\xfe,p\n2,q\n")
        refused("a", "a,a,y\n1,2,p\n3,4,q\n")
        refused("name", "a,,y\n1,2,p\n3,4,q\n")
        refused("\"?'?y", "a,z\n1,p\n2,q\n")
        refused("holds only .p. in 2 rows", "a,y\n1,p\n2,p\n")
        refused("missing", "a,y\n1,\n2,\n")
        refused("inf", "a,y\n1,p\ninf,q\n3,p\n", "--schema", self.file("s.json", '{"columns": {"a": "number"}}'))
        refused("x", "a,y\n1,p\nx,q\n3,p\n", "--schema", self.file("s.json", '{"columns": {"a": "number"}}'))
        self.bad(3, "none.csv", "fit", self.path / "none.csv", "--outcome", "y", "-o", self.path / "x.cfr")
        self.bad(3, "directory", "fit", self.path, "--outcome", "y", "-o", self.path / "x.cfr")

    def test_unwritable_output(self):
        self.bad(1, "nowhere", "fit", self.data, "--outcome", "decision", "-o", self.path / "nowhere" / "x.cfr", "--trees", 5)


class Explain(Case):
    def test_one_line_per_person_in_order(self):
        rows = self.explain("--recourses", 1)
        self.assertEqual([row["row"] for row in rows], list(range(len(self.rejected))))
        for row in rows:
            self.fits("explanation", row)
        self.assertIn("found", [row["status"] for row in rows])

    def test_formats(self):
        array = json.loads(self.good("explain", self.model, self.people, "--target", "approved", "--format", "json").stdout)
        self.assertEqual(len(array), len(self.rejected))
        table = self.good("explain", self.model, self.people, "--target", "approved", "--format", "table").stdout
        self.assertIn("Row 0\n", table)
        self.assertIn("Keep everything else. Bring\n", table)
        self.assertIn("Probability:", table)
        self.assertNotIn("\x1b", table)
        lines = list(csv.DictReader(io.StringIO(self.good("explain", self.model, self.people, "--target", "approved", "--format", "csv").stdout)))
        self.assertEqual({line["row"] for line in lines}, {str(i) for i in range(len(self.rejected))})

    def test_nobody_is_an_empty_array(self):
        nobody = self.file("nobody.csv", ",".join(COLUMNS) + "\n")
        done = run("explain", self.model, nobody, "--target", "approved", "--format", "json")
        self.assertIn(done.returncode, (0, 3))
        if done.returncode == 0:
            self.assertEqual(json.loads(done.stdout), [])

    def test_the_note_goes_to_standard_error(self):
        done = self.good("explain", self.model, self.people, "--target", "approved")
        self.assertIn("Probability:", done.stderr)
        self.assertEqual(self.good("explain", self.model, self.people, "--target", "approved", "--quiet").stderr, "")

    def test_people_from_standard_input_in_any_order_of_columns(self):
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(COLUMNS[::-1])
        writer.writerows(row[::-1] for row in self.rejected)
        turned = self.ndjson("explain", self.model, "-", "--target", "approved", stdin=text.getvalue())
        self.assertEqual(turned, self.explain())

    def test_threads_do_not_matter_and_output_files_are_whole(self):
        texts = []
        for threads in (1, 2, 5):
            target = self.path / f"out{threads}.ndjson"
            self.good("explain", self.model, self.people, "--target", "approved", "--threads", threads, "-o", target)
            texts.append(target.read_text())
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(texts[0], texts[2])
        self.bad(1, "exists already", "explain", self.model, self.people, "--target", "approved", "-o", self.path / "out1.ndjson")
        self.good("explain", self.model, self.people, "--target", "approved", "-o", self.path / "out1.ndjson", "--force")
        self.assertEqual([name for name in os.listdir(self.path) if "tmp" in name], [])

    def test_the_present_outcome_counts(self):
        rows = self.ndjson("explain", self.model, self.test, "--target", "approved")
        decisions = [row["decision"] for row in csv.DictReader(io.StringIO(self.test.read_text()))]
        for row, decision in zip(rows, decisions):
            self.assertEqual(row["status"] == "already_in_target", decision == "approved")

    def test_search_options(self):
        divergent = self.explain("--search", "divergent", "--estimator", "paper", "--pi", 0.5, "--all-sets", "--min-rows", 3)
        self.assertEqual({row["search"] for row in divergent}, {"divergent"})
        self.assertEqual({row["estimator"] for row in divergent}, {"paper"})
        small = ["--candidates", 2, "--max-features", 1, "--rules", 1]
        for estimator in ("union", "inside"):
            self.assertEqual({row["estimator"] for row in self.explain("--estimator", estimator, *small)}, {estimator})
        self.explain("--search", "divergent", "--path-sets", 50, "--pi", 0.4)
        one = self.explain("--rules", 1, "--max-features", 1, "--candidates", 3, "--rank-by-splits", "--min-mass", 0.01, "--work-limit", 50000)
        for row in one:
            self.assertLessEqual(len(row["rules"]), 1)
            self.assertLessEqual(len(row["changed"]), 1)
        named = self.explain("--candidate-features", "income,savings")
        self.assertLessEqual({name for row in named for name in row["changed"]}, {"income", "savings"})

    def test_people_without_a_rule_are_counted(self):
        arguments = ["explain", self.model, self.people, "--target", "approved", "--candidate-features", "age", "--min-probability", 0.95]
        done = self.good(*arguments)
        self.assertRegex(done.stderr, rf"\d+ of {len(self.rejected)} people have no rule that reaches 0.95")
        self.assertEqual(run(*arguments, "--strict").returncode, 4)
        default = run(*arguments[:-2])
        self.assertIn("reaches 0.8", default.stderr)

    def test_min_probability_and_floor(self):
        for row in self.explain("--min-probability", 0.6, "--floor", 0.5):
            if row["status"] == "found":
                self.assertGreaterEqual(row["rules"][0]["probability"]["calibrated"], 0.6 - 1e-9)

    def test_several_classes(self):
        rows = self.ndjson("explain", self.model, self.people, "--target", "approved,rejected")
        self.assertEqual({row["status"] for row in rows}, {"already_in_target"})

    def test_constraints_in_json_and_toml(self):
        wanted = {"features": {"age": "immutable", "income": {"range": [10000, 80000], "step": 100}, "savings": "increase",
                               "guarantor": {"values": ["yes", "no"]}}, "max_changes": 2}
        as_json = self.file("c.json", json.dumps(wanted))
        as_toml = self.file("c.toml", 'max_changes = 2\n[features]\nage = "immutable"\nsavings = "increase"\n'
                                      '[features.income]\nrange = [10_000, 80_000]\nstep = 100\n'
                                      '[features.guarantor]\nvalues = ["yes", "no"]\n')
        one = self.explain("--constraints", as_json)
        two = self.explain("--constraints", as_toml)
        self.assertEqual([row["rules"] for row in one], [row["rules"] for row in two])
        for row in one:
            self.assertNotIn("age", row["changed"])
            self.assertLessEqual(len(row["changed"]), 2)

    def test_everything_immutable_is_a_status_with_a_reason(self):
        nothing = self.file("n.json", json.dumps({"features": {name: "immutable" for name in COLUMNS}}))
        for row in self.explain("--constraints", nothing):
            self.assertEqual((row["status"], row["rules"]), ("no_recourse", []))
            self.assertTrue(row["note"])

    def test_bad_constraints(self):
        for text, pattern in [('{"features": {"size": "immutable"}}', "size"), ('{"feature": {}}', "unknown key \"feature\""),
                              ('{"features": {"age": {"range": [9, 1]}}}', "low end"), ('{"features": ', "line 1")]:
            self.bad(3, pattern, "explain", self.model, self.people, "--target", "approved", "--constraints", self.file("b.json", text))
        self.bad(3, "line 2", "explain", self.model, self.people, "--target", "approved", "--constraints", self.file("b.toml", "a = 1\nb\n"))
        self.bad(3, "none.json", "explain", self.model, self.people, "--target", "approved", "--constraints", self.path / "none.json")

    def test_bad_targets(self):
        self.bad(3, "approved", "explain", self.model, self.people, "--target", "yes")
        self.bad(3, "1:2", "explain", self.model, self.people, "--target", "1:2")

    def test_bad_people(self):
        def refused(pattern, text):
            self.bad(3, pattern, "explain", self.model, self.file("bad_people.csv", text), "--target", "approved")

        refused("savings", "age,income,housing,guarantor\n30,20000,own,no\n")
        refused("castle", "age,income,savings,housing,guarantor\n30,20000,1,castle,no\n")
        refused("old", "age,income,savings,housing,guarantor\nold,20000,1,own,no\n")
        refused("line 2", "age,income,savings,housing,guarantor\n30,20000\n")
        refused("empty", "")
        self.bad(3, "none.csv", "explain", self.model, self.path / "none.csv", "--target", "approved")
        castle = self.file("castle.csv", "age,income,savings,housing,guarantor\n30,20000,1,castle,no\n")
        self.good("explain", self.model, castle, "--target", "approved", "--unseen-as-missing")
        marked = self.file("marked.csv", "age,income,savings,housing,guarantor,id\n30,20000,-9,own,no,7\n")
        self.good("explain", self.model, marked, "--target", "approved", "--missing", "-9", "--ignore", "id", "--delimiter", ",")


class Recourse(Case):
    def recourse(self, *more):
        return self.ndjson("recourse", self.model, self.people, "--target", "approved", *more)

    def test_every_method(self):
        for method in ("surest", "nearest", "cheapest", "annealing"):
            rows = self.recourse("--method", method, "--steps", 200, "--seed", 3)
            points = [point for row in rows for rule in row["rules"] for point in rule["recourses"]]
            self.assertTrue(points)
            self.assertEqual({point["method"] for point in points}, {method})

    def test_points_lie_in_their_rule(self):
        for row in self.recourse("--per-rule", 2, "--method", "nearest", "--l2"):
            for rule in row["rules"]:
                self.assertLessEqual(len(rule["recourses"]), 2)
                for point in rule["recourses"]:
                    for side in rule["conditions"]:
                        value = point["values"][side["feature"]]
                        if "values" in side:
                            self.assertIn(value, side["values"])
                            continue
                        low, high = side["low"], side["high"]
                        self.assertTrue(low is None or value > low or (side["low_closed"] and value == low), (value, side))
                        self.assertTrue(high is None or value < high or (side["high_closed"] and value == high), (value, side))

    def test_noise(self):
        rows = self.recourse("--noise", 0.02, "--max-invalid", 0.5)
        shares = [p["stays_in_box"] for row in rows for rule in row["rules"] for p in rule["recourses"]]
        self.assertTrue(all(share is not None and share >= 0.5 for share in shares))
        self.recourse("--noise", "income=500,savings=10")
        self.bad(3, "size", "recourse", self.model, self.people, "--target", "approved", "--noise", "size=1")
        self.bad(2, "--noise", "recourse", self.model, self.people, "--target", "approved", "--noise", "much")
        self.bad(2, "--max-invalid needs --noise", "recourse", self.model, self.people, "--target", "approved", "--max-invalid", 0.1)

    def test_csv_holds_whole_rows(self):
        text = self.good("recourse", self.model, self.people, "--target", "approved", "--format", "csv").stdout
        lines = list(csv.DictReader(io.StringIO(text)))
        self.assertTrue(lines)
        for line in lines:
            self.assertLessEqual(set(COLUMNS), set(line))
            changed = [name for name, old in zip(COLUMNS, self.rejected[int(line["row"])]) if line[name] != str(old)]
            self.assertTrue(0 < len(changed) <= 4, line)

    def test_a_table_shows_the_points(self):
        self.assertIn("For example (surest)", self.good("recourse", self.model, self.people, "--target", "approved", "--format", "table").stdout)


class Regions(Case):
    def test_the_models_own_people(self):
        summary = self.ndjson("regions", self.model, "--target", "approved", "--cover", 0.5, "--max-regions", 2, "--max-rule-features", 1)[0]
        self.fits("summary", summary)
        self.assertLessEqual(len(summary["rules"]), 2)
        self.assertEqual(summary["served"], sum(rule["served"] for rule in summary["rules"]))

    def test_other_people_and_formats(self):
        for form in ("table", "json", "csv"):
            out = self.good("regions", self.model, self.test, "--target", "approved", "--cover", 0.5, "--format", form).stdout
            self.assertTrue(out)
        self.assertTrue(out.startswith("rule,who,bring,people,served"))

    def test_how_groups_fare(self):
        summary = self.ndjson("regions", self.model, self.test, "--target", "approved", "--cover", 0.5, "--by", "housing")[0]
        self.fits("summary", summary)
        self.assertEqual(summary["by"], "housing")
        self.assertEqual(summary["people"], sum(group["people"] for group in summary["groups"]))
        self.assertEqual(summary["served"], sum(group["served"] for group in summary["groups"]))
        for at, rule in enumerate(summary["rules"]):
            self.assertEqual(len(rule["rows"]), sum(group["served_by"][at] for group in summary["groups"]))
        for form, sign in (("table", "By housing"), ("csv", "group,people,served,served_by_0")):
            self.assertIn(sign, self.good("regions", self.model, self.test, "--target", "approved", "--by", "housing", "--format", form).stdout)
        self.bad(3, "colour", "regions", self.model, "--target", "approved", "--by", "colour")
        self.bad(2, "--by", "regions", self.model, "--target", "approved", "--by", "housing", "--of", "leaves")

    def test_a_region_in_ones_own_words(self):
        region = '{"income": [null, 30000], "housing": ["rent", "own"]}'
        one = self.ndjson("regions", self.model, "--target", "approved", "--region", region)[0]
        self.fits("explanation", one)
        path = self.file("region.json", region)
        self.assertEqual(one, self.ndjson("regions", self.model, "--target", "approved", "--region", f"@{path}")[0])
        self.good("regions", self.model, "--target", "approved", "--region", region, "--format", "table")
        self.bad(3, "size", "regions", self.model, "--target", "approved", "--region", '{"size": [1, 2]}')
        self.bad(3, "--region", "regions", self.model, "--target", "approved", "--region", "{")
        self.bad(2, "leave out PEOPLE", "regions", self.model, self.people, "--target", "approved", "--region", region)

    def test_regions_of_leaves_and_of_sufficient_rules(self):
        leaves = self.ndjson("regions", self.model, "--target", "approved", "--of", "leaves", "--max-regions", 2, "--max-features", 2)[0]
        self.assertLessEqual(len(leaves["rules"]), 2)
        self.assertGreater(len(leaves["rules"][0]["who"]), 0)
        why = self.ndjson("regions", self.model, self.test, "--target", "approved", "--of", "sufficient", "--max-regions", 1, "--max-features", 2)[0]
        self.assertEqual(len(why["rules"]), 1)
        self.assertLessEqual(why["rules"][0]["reached"], why["rules"][0]["people"])
        self.bad(2, "leave out PEOPLE", "regions", self.model, self.people, "--target", "approved", "--of", "leaves")
        self.bad(2, "exclude each other", "regions", self.model, "--target", "approved", "--of", "leaves", "--region", "{}")


class Sufficient(Case):
    def test_sets_and_rules(self):
        rows = self.ndjson("sufficient", self.model, self.people, "--pi", 0.8, "--rules", "--all", "--max-features", 3, "--candidates", 5, "--min-rows", 3)
        self.assertEqual(len(rows), len(self.rejected))
        for row in rows:
            self.fits("sufficient", row)
        table = self.good("sufficient", self.model, self.people, "--format", "table", "--rules").stdout
        self.assertIn("The decision is", table)

    def test_strict(self):
        arguments = ["sufficient", self.model, self.people, "--pi", 1, "--max-features", 1, "--candidates", 1]
        without = [row for row in self.ndjson(*arguments) if not row["found"]]
        self.assertEqual(run(*arguments, "--strict").returncode, 4 if without else 0)


class Probability(Case):
    def ask(self, region, *more, code=0):
        person = self.path / "person.csv"
        write_csv(person, COLUMNS, self.rejected[:1])
        done = run("probability", self.model, "--row", person, "--region", region, "--target", "approved", *more)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout) if code == 0 else done.stderr

    def test_every_estimator_and_form_of_a_side(self):
        region = '{"income": [20000, null], "savings": "free", "age": "fixed", "housing": ["own", "rent"]}'
        for estimator in ("moved", "paper", "union", "inside"):
            answer = self.ask(region, "--estimator", estimator, "--min-rows", 3)
            self.fits("probability", answer)
            self.assertEqual(answer["estimator"], estimator)
            self.assertIsNone(answer["weights"])

    def test_all_free_is_the_base_rate(self):
        free = json.dumps({name: "free" for name in COLUMNS})
        share = sum(row[5] == "approved" for row in loans(400, 1)) / 400
        self.assertAlmostEqual(self.ask(free, "--estimator", "paper")["probability"], share, places=9)

    def test_weights_sum_to_one(self):
        answer = self.ask('{"income": "free"}', "--estimator", "paper", "--weights")
        self.assertEqual(len(answer["weights"]), 400)
        self.assertAlmostEqual(sum(answer["weights"]), 1)

    def test_a_rule_is_a_region(self):
        found = [row for row in self.explain() if row["status"] == "found"][0]
        answer = self.ndjson("probability", self.model, "--row", self.people, "--row-index", found["row"], "--region",
                             json.dumps(found["rules"][0]["conditions"]), "--target", "approved")[0]
        self.assertAlmostEqual(answer["probability"], found["rules"][0]["probability"]["calibrated"], places=6)

    def test_mistakes(self):
        self.bad(3, "--row-index", "probability", self.model, "--row", self.people, "--region", "{}", "--target", "approved")
        self.bad(3, "counted from 0", "probability", self.model, "--row", self.people, "--row-index", 99, "--region", "{}", "--target", "approved")
        self.assertIn("size", self.ask('{"size": "free"}', code=3))
        self.assertIn("castle", self.ask('{"housing": ["castle"]}', code=3))
        self.bad(2, "--estimator is", "probability", self.model, "--row", self.people, "--region", "{}", "--target", "approved", "--estimator", "mean")


PREDICT = """
import csv, sys
for row in csv.DictReader(sys.stdin):
    points = (float(row["income"]) - 35000) / 6000 + (float(row["savings"] or 0) - 3000) / 1500 + (1.5 if row["guarantor"] == "yes" else 0)
    print("approved" if points > 0 else "rejected")
"""


class Programs(Case):
    def setUp(self):
        self.program = f"{sys.executable} {self.file('predict.py', PREDICT)}"

    def test_a_program_judges(self):
        answer = self.ndjson("evaluate", self.model, self.test, "--target", "approved", "--predict-command", self.program)[0]
        self.fits("evaluation", answer)
        self.assertEqual(answer["judged_by"], self.program)
        self.assertGreater(answer["accuracy_found"], 0.5)

    def test_the_forest_judges(self):
        answer = self.ndjson("evaluate", self.model, self.test, "--target", "approved", "--method", "nearest", "--quiet")[0]
        self.assertEqual(answer["judged_by"], "the forest itself")
        self.assertIn("coverage", self.good("evaluate", self.model, self.test, "--target", "approved", "--format", "table").stdout)

    def test_bad_programs(self):
        def refused(code, pattern, command):
            done = run("evaluate", self.model, self.test, "--target", "approved", "--predict-command", command)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertRegex(done.stderr, pattern)

        refused(1, "program not found", "/no/such/program")
        refused(1, "exit code 3", "cat >/dev/null; exit 3")
        refused(3, r"printed 1 lines for \d+ rows", "echo approved")
        refused(3, "line 1 is \"maybe\"; allowed: approved, rejected", "sed 1d | sed 's/.*/maybe/'")

    def test_a_hung_program_can_be_interrupted(self):
        process = subprocess.Popen([CFRULES, "evaluate", str(self.model), str(self.test), "--target", "approved", "--predict-command", "sleep 60"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(3)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, words = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130, words)
        self.assertLess(time.monotonic() - start, 5)

    def test_a_program_verifies(self):
        answers = self.ndjson("explain", self.model, self.test, "--target", "approved", "--verify-command", self.program, "--recourses", 1)
        found = [answer for answer in answers if answer["status"] == "found"]
        self.assertGreater(len(found), 5)
        for answer in answers:
            self.fits("explanation", answer)
            self.assertTrue(answer["provenance"]["settings"]["verified"])
            for rule in answer["rules"]:
                self.assertTrue(rule["probability"]["verified"])
                self.assertEqual(rule["probability"]["held_out"], 200)
        judged = self.ndjson("evaluate", self.model, self.test, "--target", "approved", "--predict-command", self.program,
                             "--verify-command", self.program)[0]
        self.assertEqual(judged["accuracy_found"], 1)
        self.assertLess(judged["calibration_error"], 0.03)
        card = self.good("explain", self.model, self.test, "--target", "approved", "--verify-command", self.program, "--format", "table")
        self.assertIn("on 200 points put to the model", " ".join(card.stdout.split()))
        self.assertIn("by the model itself", card.stdout)

    def test_what_cannot_be_verified(self):
        asked = ("explain", self.model, self.test, "--target", "approved", "--verify-command")
        self.bad(3, "verified by the sparsest search", *asked, self.program, "--search", "divergent")
        self.bad(1, "exit code 3", *asked, "cat >/dev/null; exit 3")
        self.bad(2, "--verify-command", "regions", self.model, "--target", "approved", "--verify-command", self.program)

    def test_a_program_labels(self):
        done = run("fit", self.data, "--outcome", "decision", "-o", self.path / "labelled.cfr", "--label-command", self.program, "--trees", 20)
        self.assertEqual(done.returncode, 0, done.stderr)
        model = json.loads(self.good("inspect", self.path / "labelled.cfr", "--format", "json").stdout)
        self.assertEqual(model["labels"], "model")


class Models(Case):
    def test_inspect(self):
        model = json.loads(self.good("inspect", self.model, "--format", "json").stdout)
        self.assertEqual(self.ndjson("inspect", self.model)[0], model)
        self.assertIn("rows: 400\n", self.good("inspect", self.model, "--format", "table").stdout)

    def test_validate(self):
        self.assertIn("sound", self.good("validate", self.model).stdout)

    def test_damaged_models_are_refused(self):
        whole = self.model.read_bytes()
        flipped = bytearray(whole)
        flipped[len(whole) // 2] ^= 4
        for name, content in [("short.cfr", whole[: len(whole) // 2]), ("empty.cfr", b""), ("flipped.cfr", bytes(flipped)),
                              ("text.cfr", b"age,income\n1,2\n"), ("long.cfr", whole + b"x")]:
            self.bad(3, name, "validate", self.file(name, content))
            self.bad(3, name, "explain", self.path / name, self.people, "--target", "approved")
        self.bad(3, "none.cfr", "validate", self.path / "none.cfr")

    def test_import(self):
        trees = [{"feature": [1, -1, -1], "threshold": [35000, 0, 0], "left": [1, -1, -1], "right": [2, -1, -1]}]
        forest = self.file("forest.json", json.dumps({"trees": trees}))
        done = run("import", forest, self.data, "--outcome", "decision", "-o", self.path / "imported.cfr")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = self.ndjson("explain", self.path / "imported.cfr", self.people, "--target", "approved")
        self.assertEqual(len(rows), len(self.rejected))
        self.bad(3, "forest", "import", self.file("forest2.json", '{"trees": 3}'), self.data, "--outcome", "decision", "-o", self.path / "i2.cfr")
        self.bad(2, "standard input", "import", "-", "-", "--outcome", "decision", "-o", self.path / "i3.cfr")


class Streams(Case):
    def test_a_closed_pipe_ends_quietly(self):
        process = subprocess.Popen([CFRULES, "explain", str(self.model), str(self.test), "--target", "approved", "--quiet"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdout.close()
        words = process.stderr.read()
        self.assertEqual((process.wait(timeout=60), words), (1, ""))
        process.stderr.close()

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([CFRULES, "explain", str(self.model), str(self.people), "--target", "approved", "--quiet"],
                                  stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output cannot be written", done.stderr)

    def test_ctrl_c_while_waiting_for_people(self):
        process = subprocess.Popen([CFRULES, "explain", str(self.model), "-", "--target", "approved"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20), 130)
        self.assertLess(time.monotonic() - start, 5)
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()

    def test_ctrl_c_leaves_nothing_half_written(self):
        many = self.path / "many.csv"
        write_csv(many, COLUMNS, self.rejected * 2000)
        target = self.path / "many.ndjson"
        process = subprocess.Popen([CFRULES, "explain", str(self.model), str(many), "--target", "approved", "-o", str(target)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        process.send_signal(signal.SIGTERM)
        _, words = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130, words)
        self.assertEqual([name for name in os.listdir(self.path) if name.startswith("many.ndjson")], [])


class Demo(Case):
    def test_the_story_is_told(self):
        story = self.good("demo", "--quiet", timeout=900).stdout
        for number in range(1, 6):
            self.assertRegex(story, rf"(?m)^{number}\. ")
        self.assertIn("Keep everything else. Bring", story)


if __name__ == "__main__":
    unittest.main()
