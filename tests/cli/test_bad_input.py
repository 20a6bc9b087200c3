"""What comes in wrong: every command answers with one sentence, an exit code, and leaves nothing behind.

    CFRULES=build/cfrules python3 tests/cli/test_bad_input.py
"""

import json
import os
import pathlib
import random
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import test_cli  # noqa: E402
from test_cli import COLUMNS, run, write_csv  # noqa: E402

HEADER = ",".join(COLUMNS)
PERSON = "30,20000,1,own,no"
MODEL_COMMANDS = ["explain", "recourse", "regions", "sufficient", "evaluate", "probability", "inspect", "validate"]
PEOPLE_COMMANDS = ["explain", "recourse", "regions", "sufficient", "evaluate", "probability"]
TARGET_COMMANDS = ["explain", "recourse", "regions", "evaluate", "probability"]
CONSTRAINT_COMMANDS = ["explain", "recourse", "regions", "evaluate"]
TRAINING_COMMANDS = ["fit", "import"]

# Name of the file, content, what the sentence must say. Columns are given as far as the defect allows it.
BROKEN_TABLES = [
    ("empty.csv", b"", r"empty\.csv: the file is empty; a header line and rows are needed"),
    ("blank.csv", b"\n\n  \n", r"blank\.csv: the file is empty"),
    ("header.csv", b"%(header)s\n", r"header\.csv: the file has a header but no rows"),
    ("ragged.csv", b"%(header)s\n%(row)s\n1,2\n", r"ragged\.csv, line 3: 2 fields where the header has \d"),
    ("wide.csv", b"%(header)s\n%(row)s,7\n", r"wide\.csv, line 2: \d fields where the header has \d"),
    ("open.csv", b"%(header)s\n\"%(row)s\n", r"open\.csv, line 2, column 'age': the quote that opens there is never closed"),
    ("after.csv", b"%(header)s\n\"3\"0,%(rest)s\n", r"after\.csv, line 2, column 'age': after the closing quote stands '0'"),
    ("nul.csv", b"%(header)s\n3\x000,%(rest)s\n", r"nul\.csv, line 2, column 'age': the text holds a NUL byte"),
    ("latin.csv", b"%(header)s\n30,20000,1,\xe9,no%(end)s\n", r"latin\.csv, line 2, column 'housing': the text is not valid UTF-8"),
    ("utf16.csv", "age,income\n".encode("utf-16"), r"utf16\.csv: the file is UTF-16; save it as UTF-8"),
    ("twice.csv", b"age,%(header)s\n30,%(row)s\n", r"twice\.csv, line 1: two columns are called 'age'"),
    ("unnamed.csv", b",%(header)s\n30,%(row)s\n", r"unnamed\.csv, line 1: column 1 of the header has no name"),
    ("line.csv", b"%(header)s\n" + b"9" * 17_000_000 + b",%(rest)s\n", r"line\.csv, line 2 has 17\d+ bytes; at most 16777216 are possible"),
    ("columns.csv", b",".join(b"c%d" % i for i in range(1_000_000)) + b"\n", r"columns\.csv, line 1 has \d+ columns; at most 100000 are possible"),
]


class Bad(test_cli.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        trees = [{"feature": [1, -1, -1], "threshold": [35000, 0, 0], "left": [1, -1, -1], "right": [2, -1, -1]}]
        cls.forest = cls.path / "forest.json"
        cls.forest.write_text(json.dumps({"trees": trees}))
        cls.numeric = cls.path / "numeric.cfr"
        done = run("fit", cls.data, "--outcome", "income", "-o", cls.numeric, "--trees", 10, "--isolation-trees", 5)
        assert done.returncode == 0, done.stderr
        cls.out = cls.path / "out"
        cls.out.mkdir()

    def command(self, name, model=None, people=None, target="approved", more=()):
        """The whole line, writing into self.out where the command can."""
        model, people = model or self.model, people or self.people
        line = {
            "fit": ["fit", people, "--outcome", "decision"],
            "import": ["import", self.forest, people, "--outcome", "decision"],
            "explain": ["explain", model, people],
            "recourse": ["recourse", model, people],
            "regions": ["regions", model, people],
            "sufficient": ["sufficient", model, people],
            "evaluate": ["evaluate", model, people],
            "probability": ["probability", model, "--row", people, "--region", "{}"],
            "inspect": ["inspect", model],
            "validate": ["validate", model],
        }[name]
        if name == "fit" and "--trees" not in more and "--isolation-trees" not in more:
            line += ["--trees", 5, "--isolation-trees", 5, "--audit", 0]
        if name in TARGET_COMMANDS:
            line += ["--target", target]
        if name not in ("inspect", "validate"):
            line += ["-o", self.out / "result"]
        return [*line, *more]

    def refused(self, code, pattern, name, stdin=None, **parts):
        with self.subTest(command=name, pattern=pattern):
            self.clear()
            done = self.bad(code, pattern, *self.command(name, **parts), stdin=stdin)
            self.assertEqual(done.stdout, "")
            self.assertEqual(os.listdir(self.out), [])

    def accepted(self, name, stdin=None, **parts):
        with self.subTest(command=name):
            self.clear()
            done = run(*self.command(name, **parts), stdin=stdin)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done

    def clear(self):
        for file in os.listdir(self.out):
            os.unlink(self.out / file)


class Tables(Bad):
    def test_broken_files(self):
        for file, content, pattern in BROKEN_TABLES:
            for name in PEOPLE_COMMANDS + TRAINING_COMMANDS if len(content) < 1000 else ["explain", "fit"]:
                training = name in TRAINING_COMMANDS
                words = {b"header": HEADER + (",decision" if training else ""), b"row": PERSON + (",approved" if training else ""),
                         b"rest": PERSON.split(",", 1)[1] + (",approved" if training else ""), b"end": ",approved" if training else ""}
                whole = content
                for word, text in words.items():
                    whole = whole.replace(b"%(" + word + b")s", text.encode())
                self.refused(3, pattern, name, people=self.file(file, whole))

    def test_files_that_are_none(self):
        for name in PEOPLE_COMMANDS + TRAINING_COMMANDS:
            self.refused(3, r"none\.csv: cannot be opened: No such file", name, people=self.path / "none.csv")
            self.refused(3, r": is a directory; a file is needed", name, people=self.path)
            self.refused(3, r"standard input: the file is empty", name, people="-", stdin="")
            self.refused(3, r"/dev/null: the file is empty", name, people="/dev/null")
            self.refused(3, r"/dev/zero, line 1, field 1: the text holds a NUL byte", name, people="/dev/zero")

    def test_a_fifo_is_read_like_a_file(self):
        fifo = self.path / "fifo"
        os.mkfifo(fifo)
        for name in ["explain", "sufficient"]:
            writer = threading.Thread(target=lambda: fifo.write_text(f"{HEADER}\n{PERSON}\n"))
            writer.start()
            self.accepted(name, people=fifo)
            writer.join()

    def test_people_with_other_columns(self):
        for name in PEOPLE_COMMANDS:
            self.refused(3, r"lacks\.csv: the model needs the column 'savings', not found; the columns are 'age'", name,
                         people=self.file("lacks.csv", "age,income,housing,guarantor\n30,20000,own,no\n"))
            self.refused(3, r"castle\.csv, line 2, column 'housing': 'castle' is not among the known categories 'free', 'own', 'rent'",
                         name, people=self.file("castle.csv", f"{HEADER}\n30,20000,1,castle,no\n"))
            self.refused(3, r"old\.csv, line 3, column 'age': 'old' is not a number", name,
                         people=self.file("old.csv", f"{HEADER}\n{PERSON}\nold,20000,1,own,no\n"))
            self.refused(3, r"half\.csv, line 2, column 'age': '30\.5' is not a whole number", name,
                         people=self.file("half.csv", f"{HEADER}\n30.5,20000,1,own,no\n"))
            self.refused(3, r"inf\.csv, line 2, column 'savings': 'inf' is infinite", name,
                         people=self.file("inf.csv", f"{HEADER}\n30,20000,inf,own,no\n"))
            self.refused(3, r"date\.csv, line 2, column 'savings': '2024-01-31' is a date", name,
                         people=self.file("date.csv", f"{HEADER}\n30,20000,2024-01-31,own,no\n"))
            self.refused(3, r"comma\.csv, line 2, column 'savings': '1,5' seems to hold a decimal comma; write a decimal point", name,
                         people=self.file("comma.csv", f"{HEADER}\n30,20000,\"1,5\",own,no\n"))
            self.refused(3, r"thousands\.csv, line 2, column 'income': '20,000\.0' seems to hold separators of thousands", name,
                         people=self.file("thousands.csv", f"{HEADER}\n30,\"20,000.0\",1,own,no\n"))
            self.refused(3, r"class\.csv, line 2, column 'decision': 'maybe' is not among the known classes 'approved', 'rejected'", name,
                         people=self.file("class.csv", f"{HEADER},decision\n{PERSON},maybe\n"))

    def test_columns_the_model_does_not_know_are_named_once_and_not_used(self):
        more = self.file("more.csv", f"id,{HEADER},note\n7,{PERSON},x\n")
        for name in PEOPLE_COMMANDS:
            done = self.accepted(name, people=more)
            said = [line for line in done.stderr.splitlines() if "more.csv" in line]
            self.assertEqual(said, [f"{more}: columns the model does not know are not used: id, note"])
            self.assertNotIn("more.csv", self.accepted(name, people=more, more=["--ignore", "id,note"]).stderr)
            self.assertNotIn("more.csv", self.accepted(name, people=more, more=["--quiet"]).stderr)

    def test_what_may_look_odd_but_is_fine(self):
        rows = {
            "order.csv": "guarantor,housing,savings,income,age\nno,own,1,20000,30\n",
            "crlf.csv": f"{HEADER}\r\n{PERSON}\n{PERSON}\r\n".replace("\n30", "\r30"),
            "quotes.csv": '"age","income","savings","housing","guarantor"\n"30","20000","1","own","no"\n',
            "bom.csv": f"\ufeff{HEADER}\n{PERSON}\n",
            "twice.csv": f"{HEADER}\n{PERSON}\n{PERSON}\n",
            "missing.csv": f"{HEADER}\n,NaN,NA,?,null\n",
            "zero.csv": f"{HEADER}\n-0,0,-0.0,own,no\n",
            "far.csv": f"{HEADER}\n30,9007199254740992,1e308,own,no\n",
        }
        for name in ["explain", "recourse", "sufficient", "regions", "evaluate"]:
            for file, text in rows.items():
                self.accepted(name, people=self.file(file, text))
        same = [json.loads(line) for line in self.good("explain", self.model, self.file("twice.csv", rows["twice.csv"]), "--target", "approved").stdout.splitlines()]
        self.assertEqual(len(same), 2)
        self.assertEqual(same[0]["rules"], same[1]["rules"])

    def test_a_person_already_there_is_a_status(self):
        there = self.file("there.csv", f"{HEADER},decision\n{PERSON},approved\n")
        for name in ["explain", "recourse"]:
            line = json.loads(self.good(name, self.model, there, "--target", "approved").stdout)
            self.assertEqual((line["status"], line["rules"]), ("already_in_target", []))


class Training(Bad):
    def table(self, name, columns, rows):
        path = self.path / name
        write_csv(path, columns, rows)
        return path

    def rows(self, cell, count=40):
        return [[cell(i), i % 7, "approved" if i % 3 == 0 else "rejected"] for i in range(count)]

    def refused_column(self, pattern, cell, count=40):
        data = self.table("column.csv", ["when", "b", "decision"], self.rows(cell, count))
        for name in TRAINING_COMMANDS:
            self.refused(3, pattern, name, people=data)

    def test_outcomes(self):
        for name in TRAINING_COMMANDS:
            self.refused(3, r"absent\.csv: the outcome column 'decision' is not there; the columns are 'a', 'b'", name,
                         people=self.file("absent.csv", "a,b\n1,2\n3,4\n"))
            self.refused(3, r"constant\.csv: the outcome column 'decision' holds only 'p' in 2 rows", name,
                         people=self.file("constant.csv", "a,decision\n1,p\n3,p\n"))
            self.refused(3, r"gone\.csv: the outcome column 'decision' is missing in all 2 rows", name,
                         people=self.file("gone.csv", "a,decision\n1,\n3,NA\n"))
            self.refused(3, r"alone\.csv: no column is left to learn from", name, people=self.file("alone.csv", "decision\np\nq\n"))
            self.refused(3, r"has 1001 classes; at most 1000 are possible", name,
                         people=self.table("classes.csv", ["age", "income", "decision"], [[i, i, f"k{i}"] for i in range(1001)]))
        huge = self.file("huge.csv", "a,decision\n" + "".join(f"{i},{i}e200\n" for i in range(1, 30)))
        self.refused(3, r"outcome of row 0 is 1e\+?200; it must be a number between -1e100 and 1e100", "fit", people=huge)

    def test_columns_of_text_in_disguise(self):
        self.refused_column(r"column\.csv, line 2, column 'when': '2024-01-01' is a date; turn dates into numbers", lambda i: f"2024-01-{i % 28 + 1:02}")
        self.refused_column(r"line 2, column 'when': '1\.1\.2024' is a date", lambda i: f"{i % 28 + 1}.1.2024")
        self.refused_column(r"line 2, column 'when': '2024-01-01T10:00' is a date", lambda i: f"2024-01-{i % 28 + 1:02}T10:00")
        self.refused_column(r"column 'when' is a number, but on line 2 '0,5' seems to hold a decimal comma; write a decimal point", lambda i: f"{i},5")
        self.refused_column(r"column 'when' is a number, but on line 2 '1,234,567' seems to hold separators of thousands", lambda i: f"1,{234 + i},567")
        self.refused_column(r"column 'when' is a number, but on line 12 '1 234' seems to hold separators", lambda i: "1 234" if i == 10 else i)
        self.refused_column(r"column 'when' is a number, but on line 12 'inf' is infinite", lambda i: "inf" if i == 10 else i)
        self.refused_column(r"column 'when' is a number except on line 12 where it holds 'x'", lambda i: "x" if i == 10 else i / 2)
        self.refused_column(r"line 12, column 'when': '9007199254740993' is beyond 2\^53 and would be rounded", lambda i: 9007199254740993 if i == 10 else i)
        self.refused_column(r"feature 'when' has 100001 categories; at most 100000 are possible", lambda i: f"name{i}", count=100_001)

    def test_a_schema_can_overrule_what_was_seen(self):
        dates = self.table("dates.csv", ["when", "b", "decision"], self.rows(lambda i: f"2024-01-{i % 28 + 1:02}"))
        self.accepted("fit", people=dates, more=["--schema", self.file("category.json", '{"columns": {"when": "category"}}')])
        large = self.table("large.csv", ["when", "b", "decision"], self.rows(lambda i: 9007199254740993 + i))
        self.accepted("fit", people=large, more=["--schema", self.file("number.json", '{"columns": {"when": "number"}}')])

    def test_extreme_numbers_are_learned_from(self):
        extremes = [1e308, 1e-308, -1e308, 5e-324, 0, -0.0, 1, 9007199254740994]
        chance = random.Random(1)
        rows = [[chance.choice(extremes), chance.choice(extremes + [""]), "approved" if i % 2 else "rejected"] for i in range(60)]
        data = self.table("extreme.csv", ["a", "b", "decision"], rows)
        target = self.path / "extreme.cfr"
        self.good("fit", data, "--outcome", "decision", "-o", target, "--trees", 20, "--isolation-trees", 20, "--force")
        self.good("validate", target)
        for name in ["explain", "recourse"]:
            for line in self.good(name, target, data, "--target", "approved", "--min-probability", 0.5).stdout.splitlines():
                json.loads(line, parse_constant=lambda word: self.fail(word))

    def test_small_and_dull_tables(self):
        self.accepted("fit", people=self.file("two.csv", "a,decision\n1,p\n2,q\n"))
        self.accepted("fit", people=self.file("same.csv", "a,b,decision\n" + "1,1,p\n1,1,q\n" * 20))
        self.accepted("fit", people=self.file("empty_column.csv", "a,b,decision\n" + "".join(f",{i},{'pq'[i % 2]}\n" for i in range(20))))
        wide = self.table("wide.csv", [f"c{i}" for i in range(10_001)] + ["decision"], [[r * c % 7 for c in range(10_001)] + ["pq"[r % 2]] for r in range(12)])
        self.accepted("fit", people=wide)
        too_wide = self.table("too_wide.csv", [f"c{i}" for i in range(32_768)] + ["decision"], [[r for _ in range(32_768)] + ["pq"[r % 2]] for r in range(3)])
        self.refused(3, r"too_wide\.csv: the table has 32768 features; at most 32767 are possible", "fit", people=too_wide)

    def test_options_beyond_a_limit(self):
        self.refused(3, "the forest has 65537 trees; at most 65536 are possible", "fit", people=self.data, more=["--trees", 65537])
        self.refused(3, "the isolation forest has 4097 isolation trees; at most 4096 are possible", "fit", people=self.data, more=["--isolation-trees", 4097])
        self.refused(3, "cuts is 256; it must lie between 3 and 255", "fit", people=self.data, more=["--cuts", 256])

    def test_schema_files(self):
        for text, pattern in [("{", r"schema\.json: line 1, column 2"), ('{"columns": {"age": "size"}}', r"schema\.json: column 'age': the kind is 'size'; 'number'"),
                              ('{"column": {}}', r"schema\.json: the key 'column' is unknown"), ("", r"schema\.json: line 1, column 1"),
                              ('{"columns": {"size": "number"}}', r"the column of the schema 'size' is not there")]:
            for name in TRAINING_COMMANDS:
                self.refused(3, pattern, name, people=self.data, more=["--schema", self.file("schema.json", text)])
        self.refused(3, "is a directory", "fit", people=self.data, more=["--schema", self.path])

    def test_forests_to_import(self):
        def forest(**changes):
            tree = {"feature": [1, -1, -1], "threshold": [3, 0, 0], "left": [1, -1, -1], "right": [2, -1, -1], **changes}
            return json.dumps({"trees": [tree]})

        chain = 5000
        deep = {"feature": [1] * chain + [-1] * (chain + 1), "threshold": [3] * (2 * chain + 1),
                "left": list(range(1, chain + 1)) + [-1] * (chain + 1), "right": list(range(chain + 1, 2 * chain + 1)) + [-1] * (chain + 1)}
        for text, pattern in [("{", "line 1"), ("[]", "a forest is an object"), ('{"trees": []}', "no trees"), (forest(left=[0, -1, -1]), "reached a second time"),
                              (forest(left=[9, -1, -1]), "does not exist"), (forest(feature=[9, -1, -1]), "the feature is 9"),
                              (forest(threshold=[1]), "1 entries in 'threshold' but 3 in 'feature'"), (forest(right=[1e300, 0, 0]), "whole numbers"),
                              (forest(value=[0, [5, -4], [1, 1]]), "never negative"), (forest(value=[0, [1, 2, 3], [1, 1]]), "the leaf has 3 values"),
                              (json.dumps({"trees": [deep]}), "tree 0 has 4097 levels; at most 4096 are possible")]:
            self.file("forest.json", text)
            self.refused(3, pattern, "import", people=self.data)
        self.file("forest.json", forest())
        self.accepted("import", people=self.data)


class Models(Bad):
    def test_damaged_models(self):
        whole = self.model.read_bytes()
        flipped = bytearray(whole)
        flipped[len(whole) // 2] ^= 4
        newer = bytearray(whole)
        newer[8] = 99
        for file, content, pattern in [("empty.cfr", b"", "is empty, not a cfrules model"), ("short.cfr", whole[:-9], "is truncated: "),
                                       ("tiny.cfr", whole[:7], "is truncated"), ("long.cfr", whole + b"x", "is damaged: 1 bytes too many stand at its end"),
                                       ("flipped.cfr", bytes(flipped), "is damaged: .* does not match its checksum"),
                                       ("newer.cfr", bytes(newer), r"was written by a newer version \(format 99; this program reads up to \d\)"),
                                       ("text.cfr", b"age,income\n1,2\n", "is not a cfrules model")]:
            for name in MODEL_COMMANDS:
                self.refused(3, f"{file} {pattern}", name, model=self.file(file, content))
        for name in MODEL_COMMANDS:
            self.refused(3, r"none\.cfr: cannot be opened: No such file", name, model=self.path / "none.cfr")
            self.refused(3, "is a directory; a file is needed", name, model=self.path)
            self.refused(3, "/dev/zero is not a cfrules model", name, model="/dev/zero")

    def test_targets(self):
        for name in TARGET_COMMANDS:
            self.refused(3, "approved", name, target="yes")
            self.refused(3, "'?approved'?, '?rejected'?", name, target="approved,yes")
            for target in ["5:1", "nan:1", "abc", ":", "1e999:", "99999999:"]:
                self.refused(3, target.split(":")[0] or ":", name, model=self.numeric, target=target)
            self.refused(2, "--target is empty", name, target="")

    def test_constraints(self):
        for name in CONSTRAINT_COMMANDS:
            for text, pattern in [('{"features": {"size": "immutable"}}', r"feature 'size' is unknown; known features are 'age'"),
                                  ('{"features": {"age": {"range": [9, 1]}}}', r"c\.json: \"features.age.range\" is \[9,1\]; the low end"),
                                  ('{"features": {"age": {"range": [500, 600]}}}', "holds no training value; those lie between"),
                                  ('{"features": {"housing": {"values": ["castle"]}}}', "feature 'housing' has no value 'castle'"),
                                  ('{"features": {"age": "up"}}', r"c\.json: \"features\.age.*\" is \"up\"; allowed"),
                                  ('{"features": {"age": {"step": 0}}}', "step"), ('{"max_changes": 0}', "a whole number from 1"),
                                  ("{", r"c\.json: line 1, column 2"), ("", r"c\.json: line 1, column 1"), ("[1]", "constraints are an object")]:
                self.refused(3, pattern, name, more=["--constraints", self.file("c.json", text)])
            self.refused(3, r"c\.toml: line 2, column 2: expected '=' but found the end of the line", name, more=["--constraints", self.file("c.toml", "a = 1\nb\n")])
            self.refused(3, "is a directory", name, more=["--constraints", self.path])
            self.refused(3, "line 1", name, more=["--constraints", "/dev/zero"])

    def test_regions(self):
        for region, pattern in [("{", "--region: line 1, column 2"), ('{"size": "free"}', "'size' is not a feature"), ('{"age": [9, 1]}', "low end"),
                                ('{"housing": [1, 2]}', "is a category; give a list of its names"), ('{"housing": ["castle"]}', "has no category 'castle'"),
                                ('{"age": "loose"}', "allowed: \"free\", \"fixed\""), ("[]]", "--region: line 1, column 3")]:
            with self.subTest(region=region):
                self.bad(3, pattern, "regions", self.model, "--target", "approved", "--region", region)
                self.bad(3, pattern, "probability", self.model, "--row", self.people, "--row-index", 0, "--region", region, "--target", "approved")


if __name__ == "__main__":
    unittest.main()
