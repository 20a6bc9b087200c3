"""Wrong input is refused with the sentence of the command line; file and line there are X and row here."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cfrules import CounterfactualRules


@pytest.fixture(scope="module")
def folder(command: str, credit: Any, tmp_path_factory: Any) -> Path:
    folder = tmp_path_factory.mktemp("sentences")
    X, y = credit
    X = X.convert_dtypes()
    X.assign(decision=y).to_csv(folder / "loans.csv", index=False)
    X.assign(score=np.arange(len(X)) / 6).to_csv(folder / "scores.csv", index=False)
    for table, outcome in (("loans", "decision"), ("scores", "score")):
        told = ["fit", f"{table}.csv", "--outcome", outcome, "--trees", "10", "-o", f"{table}.cfr", "--quiet"]
        subprocess.run([command, *told], cwd=folder, check=True)
    return folder


def said_by_command(command: str, folder: Path, *told: str) -> str:
    done = subprocess.run([command, *told], cwd=folder, capture_output=True, text=True)
    assert done.returncode in (2, 3), done.stderr
    return done.stderr.strip().splitlines()[-1].removeprefix("cfrules: ")


def said_by_python(question: Callable[[], Any]) -> str:
    with pytest.raises(ValueError) as refusal:
        question()
    return str(refusal.value)


def same_place(sentence: str) -> str:
    """The first data line of a file is row 0 of a table."""
    for file in ("people.csv, line 2", "people.csv", "c.json"):
        sentence = sentence.replace(file, {"people.csv": "X", "c.json": "constraints"}.get(file, "X, row 0"))
    return sentence


PEOPLE = {
    "a text for a number": lambda X: X.assign(income="much"),
    "an infinite number": lambda X: X.assign(income=np.inf),
    "a fraction for a whole number": lambda X: X.assign(age=30.5),
    "an unseen category": lambda X: X.assign(housing="castle"),
    "a column that is not there": lambda X: X.drop(columns=["age", "debt"]),
}


@pytest.mark.parametrize("case", PEOPLE)
def test_people(case: str, command: str, folder: Path, denied: Any) -> None:
    people = PEOPLE[case](denied.convert_dtypes())
    people.to_csv(folder / "people.csv", index=False)
    told = said_by_command(command, folder, "explain", "loans.cfr", "people.csv", "--target", "approved")
    rules = CounterfactualRules.load(folder / "loans.cfr")
    assert said_by_python(lambda: rules.explain(people, target="approved")) == same_place(told)


def test_columns_and_rows(folder: Path, denied: Any) -> None:
    rules = CounterfactualRules.load(folder / "loans.cfr")
    twice = pd.concat([denied, denied[["age"]]], axis=1)
    unnamed = denied.rename(columns={"age": ""})
    nobody = denied.head(0)
    for people, sentence in (
        (twice, "X: two columns are called 'age'; names must be unique"),
        (unnamed, "X: column 1 has no name"),
        (nobody, "X: the table has no rows"),
    ):
        assert said_by_python(lambda people=people: rules.explain(people, target="approved")) == sentence


@pytest.mark.parametrize(
    ("model", "target"), [("loans", "granted"), *(("scores", t) for t in ("50:20", "nan:3", "900:", "abc", "500:600"))]
)
def test_targets(model: str, target: str, command: str, folder: Path, denied: Any) -> None:
    people = denied.convert_dtypes()
    people.to_csv(folder / "people.csv", index=False)
    told = said_by_command(command, folder, "explain", f"{model}.cfr", "people.csv", "--target", target)
    rules = CounterfactualRules.load(folder / f"{model}.cfr")
    assert said_by_python(lambda: rules.explain(people, target=target)) == told


CONSTRAINTS = {
    "an unknown feature": {"height": "immutable"},
    "an unknown word": {"age": "frozen"},
    "a contradiction": {"age": {"direction": "immutable", "range": [1, 2]}},
    "a reversed range": {"age": {"range": [50, 20]}},
    "an unknown category": {"housing": {"values": ["castle"]}},
    "a range of names": {"housing": {"range": [1, 2]}},
}


@pytest.mark.parametrize("case", CONSTRAINTS)
def test_constraints(case: str, command: str, folder: Path, denied: Any) -> None:
    people = denied.convert_dtypes()
    people.to_csv(folder / "people.csv", index=False)
    (folder / "c.json").write_text(json.dumps({"features": CONSTRAINTS[case]}))
    told = ["explain", "loans.cfr", "people.csv", "--target", "approved", "--constraints", "c.json"]
    expected = same_place(said_by_command(command, folder, *told))
    rules = CounterfactualRules.load(folder / "loans.cfr")
    asked = {"target": "approved", "constraints": CONSTRAINTS[case]}
    assert said_by_python(lambda: rules.explain(people, **asked)) == expected


@pytest.mark.parametrize("outcome", [["a"] * 40, [None] * 40], ids=["constant", "missing"])
def test_outcomes(outcome: list[Any], command: str, folder: Path, credit: Any) -> None:
    X = credit[0].head(40)
    y = pd.Series(outcome, name="decision", dtype=object)
    X.assign(decision=y).to_csv(folder / "f.csv", index=False)
    told = said_by_command(command, folder, "fit", "f.csv", "--outcome", "decision", "-o", "n.cfr")
    assert said_by_python(lambda: CounterfactualRules().fit(X, y)) == told.replace("f.csv", "y")


def test_models(command: str, folder: Path) -> None:
    whole = (folder / "loans.cfr").read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 4
    for name, content in {"foreign": b"hello", "short": whole[:300], "flipped": bytes(flipped), "empty": b""}.items():
        (folder / f"{name}.cfr").write_bytes(content)
        told = said_by_command(command, folder, "inspect", f"{name}.cfr")
        said = said_by_python(lambda name=name: CounterfactualRules.load(folder / f"{name}.cfr"))
        assert said.replace(str(folder) + "/", "") == told
    with pytest.raises(OSError, match=r"none\.cfr"):
        CounterfactualRules.load(folder / "none.cfr")
