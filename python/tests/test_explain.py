"""Questions and their answers."""

from __future__ import annotations

import json
import pickle
import subprocess
from copy import copy, deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

from cfrules import CounterfactualRules, Explanation, Explanations

QUICK = {"trees": 40, "isolation_trees": 20, "audit": 0, "random_state": 0}


@pytest.fixture(scope="module")
def found(rules: Any, denied: Any) -> Explanations:
    return rules.explain(denied, target="approved", constraints={"age": "immutable", "income": "increase"})


def test_explanations_behave_like_a_list(found: Explanations) -> None:
    assert len(found) == 12
    assert [item.row for item in found] == list(range(12))
    assert isinstance(found[-1], Explanation)
    assert found[2:4][1] == found[3]
    assert found[:] == found
    assert found[:3] != found
    with pytest.raises(IndexError):
        found[12]


def test_attributes_carry_the_names_of_the_json(found: Explanations) -> None:
    for item, document in zip(found, json.loads(found.to_json()), strict=True):
        assert item.to_dict() == document
        assert item.status == document["status"]
        assert [rule.to_dict() for rule in item.rules] == document["rules"]
    rule = next(item for item in found if item.rules).rules[0]
    assert rule.probability.stated == float(rule.probability)
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        _ = found[0].colour


def test_the_sentence_is_the_representation(found: Explanations) -> None:
    item = next(item for item in found if item.status == "found")
    assert repr(item).startswith("Keep everything else. Bring\n")
    assert all(side.range_text in repr(item) for side in item.rules[0].conditions)


def test_constraints_are_obeyed(found: Explanations, denied: Any) -> None:
    for item in found:
        for rule in item.rules:
            for side in rule.conditions:
                assert side.feature != "age"
                if side.feature == "income":
                    assert side.low is not None
                    assert side.low >= denied["income"].iloc[item.row] * 0.999


def test_recourses_are_people_of_the_same_frame_inside_their_rules(found: Explanations, denied: Any) -> None:
    for method in ("surest", "nearest", "cheapest", "annealing"):
        people = found.recourses(method=method)
        assert list(people.columns) == list(denied.columns)
        assert people.dtypes.equals(denied.dtypes)
        assert people.index.isin(denied.index).all()
        by_index = dict(zip(denied.index, found, strict=True))
        for index, person in people.iterrows():
            rule = by_index[index].rules[0]
            changed = [name for name in denied if not _same(person[name], denied.loc[index, name])]
            assert set(changed) <= {side.feature for side in rule.conditions}
            assert all(side.contains(person[side.feature]) for side in rule.conditions)


def _same(left: Any, right: Any) -> bool:
    return bool(pd.isna(left) and pd.isna(right)) or bool(left == right)


@pytest.mark.parametrize("kind", ["polars", "pyarrow", "records"])
def test_recourses_come_in_the_kind_of_the_people(kind: str, rules: Any, denied: Any) -> None:
    complete = denied.dropna()
    arrow = pa.Table.from_pandas(complete, preserve_index=False)
    people: Any = {"pyarrow": arrow, "polars": pl.from_arrow(arrow), "records": complete.to_dict("records")}[kind]
    expected = rules.recourses(complete, target="approved")
    given = rules.recourses(people, target="approved")
    assert type(given) is type(people)
    if kind == "polars":
        assert given.schema == people.schema
    if kind == "pyarrow":
        assert given.schema == people.schema
        given = given.to_pylist()
    records = given.to_dicts() if kind == "polars" else given
    assert records == expected.to_dict("records")


def test_a_slice_has_the_recourses_of_its_people(found: Explanations) -> None:
    whole = found.recourses(method="nearest")
    part = found[3:7].recourses(method="nearest")
    assert part.equals(whole.loc[part.index])


def test_tables_of_results_have_one_line_per_condition(found: Explanations) -> None:
    frame = found.to_pandas()
    lines = sum(sum(len(rule.conditions) for rule in item.rules) or 1 for item in found)
    assert len(frame) == lines == found.to_polars().height == found.to_arrow().num_rows
    assert list(frame.columns) == found.to_polars().columns == found.to_arrow().column_names


def test_threads_do_not_change_answers(rules: Any, denied: Any, found: Explanations) -> None:
    params = rules.get_params() | {"n_jobs": 3}
    X, y = denied, None
    other = CounterfactualRules.load(_saved(rules), **params)
    assert (
        other.explain(X, target="approved", constraints={"age": "immutable", "income": "increase"}, outcome=y) == found
    )


def _saved(rules: Any) -> Path:
    import tempfile

    path = Path(tempfile.mkdtemp()) / "model.cfr"
    rules.save(path)
    return path


def test_saving_pickling_and_copying_keep_the_answers(rules: Any, denied: Any, found: Explanations) -> None:
    told = {"target": "approved", "constraints": {"age": "immutable", "income": "increase"}}
    for other in (pickle.loads(pickle.dumps(rules)), copy(rules), deepcopy(rules)):
        assert other.explain(denied, **told) == found
        assert (other.classes_ == rules.classes_).all()
    assert pickle.loads(pickle.dumps(found)) == found


def test_files_are_not_overwritten_unless_forced(rules: Any, tmp_path: Path) -> None:
    rules.save(tmp_path / "m.cfr")
    with pytest.raises(ValueError, match=r"m\.cfr already exists"):
        rules.save(tmp_path / "m.cfr")
    rules.save(tmp_path / "m.cfr", force=True)


def test_damaged_and_foreign_files_are_refused(rules: Any, tmp_path: Path) -> None:
    path = tmp_path / "m.cfr"
    rules.save(path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "flipped.cfr").write_bytes(content)
    (tmp_path / "short.cfr").write_bytes(content[:100])
    (tmp_path / "pickle.cfr").write_bytes(pickle.dumps({"a": 1}))
    for name in ("flipped.cfr", "short.cfr", "pickle.cfr"):
        with pytest.raises(ValueError):
            CounterfactualRules.load(tmp_path / name)
    with pytest.raises(OSError):
        CounterfactualRules.load(tmp_path / "none.cfr")


def test_the_command_line_gives_the_same_json(command: str, credit: Any, tmp_path: Path) -> None:
    X, y = credit
    X = X.convert_dtypes()  # whole numbers are then written without a point, as files have them
    X.assign(decision=y).to_csv(tmp_path / "loans.csv", index=False)
    people = X[y == "rejected"].head(5)
    people.to_csv(tmp_path / "people.csv", index=False)
    fit = ["fit", "loans.csv", "--outcome", "decision", "--trees", "30", "-o", "m.cfr", "--quiet"]
    subprocess.run([command, *fit], cwd=tmp_path, check=True)
    explain = ["explain", "m.cfr", "people.csv", "--target", "approved", "--format", "ndjson", "--recourses", "1"]
    told = subprocess.run([command, *explain], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    written = pd.read_csv(tmp_path / "loans.csv")
    fitted = CounterfactualRules(trees=30, random_state=0).fit(written.drop(columns="decision"), written["decision"])
    asked = {"target": "approved", "recourses": 1}
    found = fitted.explain(pd.read_csv(tmp_path / "people.csv"), **asked)
    assert [item.to_json() for item in found] == told.splitlines()
    assert CounterfactualRules.load(tmp_path / "m.cfr").explain(people, **asked) == found
    fitted.save(tmp_path / "n.cfr")
    assert (tmp_path / "n.cfr").read_bytes() == (tmp_path / "m.cfr").read_bytes()


def test_targets_may_be_classes_lists_and_ranges(credit: Any, denied: Any) -> None:
    X, y = credit
    numbers = CounterfactualRules(**QUICK).fit(X, (y == "approved").astype(int))
    assert numbers.classes_.tolist() == [0, 1]
    one = numbers.explain(denied, target=1)
    assert one == numbers.explain(denied, target="1") == numbers.explain(denied, target=[np.int64(1)])
    regression = CounterfactualRules(**QUICK).fit(X.drop(columns="income"), X["income"])
    ranged = regression.explain(denied, target=(40000, None))
    assert ranged == regression.explain(denied, target="40000:")
    assert ranged[0].target == ["40000:"]


BAD_QUESTIONS = [
    ({"target": "granted"}, ValueError, "the classes of 'decision' are 'approved', 'rejected'"),
    ({"target": None}, ValueError, "target is None"),
    ({"target": "approved", "constraints": {"height": "immutable"}}, ValueError, "height"),
    ({"target": "approved", "constraints": {"age": "frozen"}}, ValueError, "frozen"),
    ({"target": "approved", "constraints": ["age"]}, ValueError, "constraints is a list"),
    ({"target": "approved", "min_probability": 1.5}, ValueError, "min-probability is 1.5"),
    ({"target": "approved", "method": "magic"}, ValueError, "method is 'magic'; allowed: surest, nearest"),
    ({"target": "approved", "rules": "many"}, ValueError, "rules is 'many'; allowed: a whole number"),
    ({"target": "approved", "max_invalid": 0.1}, ValueError, "max_invalid needs noise"),
    ({"target": "approved", "candidate_features": ["height"]}, ValueError, "'height' is not a feature"),
    ({"target": "approved", "outcome": ["rejected"]}, ValueError, "outcome has 1 values for 12 rows"),
    ({"target": "approved", "outcome": ["maybe"] * 12}, ValueError, "'maybe' is not among the known classes"),
    ({"target": "approved", "tempo": 3}, TypeError, "unexpected option 'tempo'"),
]


@pytest.mark.parametrize(("told", "kind", "sentence"), BAD_QUESTIONS)
def test_bad_questions_are_refused_in_one_sentence(
    told: Any, kind: Any, sentence: str, rules: Any, denied: Any
) -> None:
    with pytest.raises(kind) as refusal:
        rules.explain(denied, **told)
    assert sentence in str(refusal.value)


def test_the_given_outcome_counts_before_the_forest(rules: Any, denied: Any) -> None:
    given = rules.explain(denied, target="approved", outcome=["approved"] * len(denied))
    assert {item.status for item in given} == {"already_in_target"}


def test_everything_immutable_is_a_status_that_says_why(rules: Any, denied: Any) -> None:
    frozen = rules.explain(denied.head(2), target="approved", constraints=dict.fromkeys(denied.columns, "immutable"))
    assert {item.status for item in frozen} == {"no_recourse"}


def test_groups_summaries_and_decisions_are_explained(rules: Any, credit: Any, denied: Any) -> None:
    region = rules.explain_region({"age": (30, None), "housing": ["rent"]}, target="approved")
    assert region.status in ("found", "below_threshold")
    summary = rules.summarize(denied, target="approved", max_regions=2)
    assert summary.people == len(denied)
    assert len(summary.rules) <= 2
    assert summary.to_dict()["schema"] == "cfrules.summary/1"
    assert summary.groups == []
    assert summary.by is None
    by = rules.summarize(denied, target="approved", max_regions=2, by="housing")
    assert sum(group.people for group in by.groups) == len(denied)
    assert sum(group.served for group in by.groups) == by.served
    assert {value for group in by.groups for value in group.who.values} <= set(denied["housing"].unique())
    why = rules.sufficient(denied.head(2), rules=True)
    assert [item.row for item in why] == [0, 1]
    assert why[0].decision == "rejected"
    assert set(why[0].frequency) == set(denied.columns)


def test_a_model_judges_the_recourses(rules: Any, credit: Any) -> None:
    X, y = credit
    seen: list[pd.DataFrame] = []

    class Judge:
        def predict(self, rows: pd.DataFrame) -> np.ndarray:
            seen.append(rows)
            return np.where(rows["savings"].fillna(0) >= 2000, "approved", "rejected")

    answer = rules.evaluate(X.head(40), target="approved", outcome=y.head(40), model=Judge())
    assert answer.judged_by == "Judge"
    assert 0 <= answer.accuracy <= 1
    assert seen
    assert all(rows.dtypes.equals(X.dtypes) for rows in seen)
    with pytest.raises(ZeroDivisionError):
        rules.evaluate(X.head(40), target="approved", outcome=y.head(40), model=lambda rows: 1 / 0)


class Law:
    """Somebody who decides by two of the columns."""

    def predict(self, people: pd.DataFrame) -> np.ndarray:
        points = people["income"] / 20000 + people["savings"].fillna(0) / 5000
        return np.where(points > 3, "approved", "rejected")


def test_rules_are_put_to_the_model(credit: Any) -> None:
    X, _ = credit
    law = Law()
    rules = CounterfactualRules.from_model(law, X, **QUICK)
    people = X[law.predict(X) == "rejected"].head(30)
    found = rules.explain(people, target="approved", verify=law, recourses=1)
    for explanation in found:
        assert explanation.status == "found"
        for rule in explanation.rules:
            assert rule.probability.verified
            assert rule.probability.held_out == 200
            assert rule.probability.stated >= 0.9
    assert "200 points put to the model" in found[0]._repr_html_()
    assert (law.predict(found.recourses()) == "approved").all()
    assert (law.predict(found.recourses(method="nearest")) == "approved").all()
    judged = rules.evaluate(people, target="approved", model=law, verify=law)
    assert judged.accuracy == 1
    assert judged.below_half == 0
    assert not rules.explain(people, target="approved")[0].rules[0].probability.verified
    with pytest.raises(ValueError, match="verified by the sparsest search"):
        rules.explain(people, target="approved", verify=law, search="divergent")
    with pytest.raises(ZeroDivisionError):
        rules.explain(people, target="approved", verify=lambda rows: 1 / 0)


def test_parameters_are_kept_cloned_and_set() -> None:
    rules = CounterfactualRules(trees=7, random_state=3)
    assert clone(rules).get_params() == rules.get_params()
    assert rules.set_params(trees=9).trees == 9
    assert repr(rules) == "CounterfactualRules(trees=9, random_state=3)"
    with pytest.raises(ValueError, match="no parameter 'branches'"):
        rules.set_params(branches=1)
    with pytest.raises(ValueError, match="not fitted yet"):
        rules.explain([[1.0]], target="a")


def test_predictions_are_labels_and_shares(rules: Any, credit: Any) -> None:
    X, y = credit
    shares = rules.predict_proba(X)
    assert np.allclose(shares.sum(axis=1), 1)
    assert (rules.classes_[shares.argmax(axis=1)] == rules.predict(X)).all()
    assert (rules.predict(X) == y).mean() > 0.9


def test_predicted_labels_with_fresh_rows(credit: Any, denied: Any) -> None:
    X, y = credit
    fitted = CounterfactualRules(**QUICK).fit(
        X.head(400), y.head(400), labels="predicted", fresh=(X.tail(200), y.tail(200))
    )
    assert fitted.explain(denied, target="approved")[0].provenance["model"]
    assert fitted.inspect() != CounterfactualRules(**QUICK).fit(X.head(400), y.head(400), labels="predicted").inspect()
