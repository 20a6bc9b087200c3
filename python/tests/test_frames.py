"""Tables of every kind come in the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfrules import CounterfactualRules
from cfrules._frame import read_frame, read_labels

QUICK = {"trees": 20, "isolation_trees": 20, "audit": 0, "random_state": 0}


def kinds(X: pd.DataFrame) -> dict[str, Any]:
    plain = X.astype({name: object for name in X.columns if X[name].dtype == "category"})
    records = [
        {name: None if pd.isna(value) else value for name, value in record.items()}
        for record in plain.astype(object).to_dict("records")
    ]
    types = {"int64": "Int64", "float64": "Float64", "str": "string"}
    nullable = {name: types.get(str(X[name].dtype), X[name].dtype) for name in X.columns}
    arrow = {
        "int64": pd.ArrowDtype(pa.int64()),
        "Int64": pd.ArrowDtype(pa.int64()),
        "float64": pd.ArrowDtype(pa.float64()),
        "str": pd.ArrowDtype(pa.string()),
    }
    return {
        "texts for categories": plain,
        "nullable": X.astype(nullable),
        "arrow types": X.astype({name: arrow.get(str(X[name].dtype), X[name].dtype) for name in X.columns}),
        "polars": pl.DataFrame(records, infer_schema_length=None),
        "pyarrow": pa.Table.from_pandas(X, preserve_index=False),
        "records": records,
        "columns": {name: [record[name] for record in records] for name in X.columns},
    }


@pytest.mark.parametrize(
    "kind", ["texts for categories", "nullable", "arrow types", "polars", "pyarrow", "records", "columns"]
)
def test_every_kind_of_table_gives_the_same_explanations(kind: str, credit: Any, rules: Any, denied: Any) -> None:
    X, y = credit
    expected = rules.explain(denied, target="approved").to_dict()
    assert rules.explain(kinds(denied)[kind], target="approved").to_dict() == expected
    other = CounterfactualRules(**rules.get_params()).fit(kinds(X)[kind], y.to_numpy())
    rename = [{k: v for k, v in item.items() if k != "provenance"} for item in expected]
    found = other.explain(denied, target="approved").to_dict()
    assert [{k: v for k, v in item.items() if k != "provenance"} for item in found] == rename


def test_columns_are_matched_by_name_and_others_ignored(rules: Any, denied: Any) -> None:
    shuffled = denied[denied.columns[::-1]].assign(further=1)
    assert rules.explain(shuffled, target="approved") == rules.explain(denied, target="approved")


def test_one_person_may_be_a_dictionary_or_a_series(rules: Any, denied: Any) -> None:
    expected = rules.explain(denied.head(1), target="approved")
    assert rules.explain(denied.iloc[0], target="approved") == expected
    assert rules.explain(denied.iloc[0].to_dict(), target="approved") == expected


def test_numpy_columns_are_named_by_position_and_strides_do_not_matter() -> None:
    X = np.random.default_rng(0).normal(size=(200, 6))
    y = X[:, 0] + X[:, 2] > 0
    whole = CounterfactualRules(**QUICK).fit(np.asfortranarray(X), y)
    strided = CounterfactualRules(**QUICK).fit(np.repeat(X, 2, axis=1)[:, ::2], y)
    assert not hasattr(whole, "feature_names_in_")
    assert whole.classes_.dtype == bool
    assert whole.explain(X[:3], target=True) == strided.explain(X[:3], target=True)
    assert {c.feature for e in whole.explain(X[:9], target=True) for r in e.rules for c in r.conditions} <= {
        f"x{i}" for i in range(6)
    }


def test_kinds_follow_the_columns() -> None:
    X = pd.DataFrame(
        {
            "number": [1.5, 2.5, np.nan, 4.5],
            "whole": [1, 2, 3, 4],
            "whole_with_gaps": [1.0, np.nan, 3.0, 4.0],
            "whole_floats": [1.0, 2.0, 3.0, 4.0],
            "flag": [True, False, True, True],
            "text": ["b", "a", None, "b"],
        }
    )
    rules = CounterfactualRules(**QUICK).fit(X, [0, 1, 0, 1])
    assert {name: kind for name, kind, _ in rules.model_.schema} == {
        "number": "number",
        "whole": "integer",
        "whole_with_gaps": "integer",
        "whole_floats": "number",
        "flag": "boolean",
        "text": "category",
    }
    told = CounterfactualRules(**QUICK).fit(X, [0, 1, 0, 1], schema={"whole": "category", "whole_floats": "integer"})
    assert {name: kind for name, kind, _ in told.model_.schema}["whole"] == "category"


def test_missing_markers_count_as_missing() -> None:
    X = pd.DataFrame({"a": [-9, 1, 2, 3, 4, 5] * 5, "b": ["?", "x", "y", "x", "y", "x"] * 5})
    rules = CounterfactualRules(missing=[-9, "?"], **QUICK).fit(X, X["a"] > 2)
    assert [feature["missing"] for feature in rules.inspect()["features"]] == [5, 5]


BAD = [
    (lambda X: X.drop(columns="age"), "the model needs the column 'age', not found"),
    (lambda X: X.assign(housing="castle"), "row 0, column 'housing': 'castle' is not among the known categories"),
    (lambda X: X.assign(income=np.inf), "row 0, column 'income': 'inf' is infinite"),
    (lambda X: X.assign(income="much"), "row 0, column 'income': 'much' is not a number"),
    (lambda X: X.assign(age=30.5), "row 0, column 'age': '30.5' is not a whole number"),
    (lambda X: X.assign(income=pd.Timestamp("2020-01-01")), "column 'income' holds datetime64"),
    (lambda X: X.assign(income=[object()] * len(X)), "a value of type object is neither a number nor a text"),
    (lambda X: X.to_numpy()[:, :3], "X has 3 columns where the model has 11 features"),
]


@pytest.mark.parametrize(("spoil", "sentence"), BAD)
def test_bad_people_are_refused_in_one_sentence(spoil: Any, sentence: str, rules: Any, denied: Any) -> None:
    with pytest.raises(ValueError) as refusal:
        rules.explain(spoil(denied), target="approved")
    assert sentence in str(refusal.value)


BAD_TRAINING = [
    ({}, ["a"] * 20, "holds only 'a' in 20 rows"),
    ({}, [None] * 20, "is missing in all 20 rows"),
    ({}, ["a", "b"] * 5, "20 rows but y has 10"),
    ({"sample_weight": [-1.0] + [1.0] * 19}, ["a", "b"] * 10, "row 0: a weight must be a number of at least 0"),
    ({"sample_weight": np.zeros(20)}, ["a", "b"] * 10, "all weights are 0"),
    ({"schema": {"nothing": "number"}}, ["a", "b"] * 10, "column of the schema 'nothing' is not there"),
    ({"labels": "hearsay"}, ["a", "b"] * 10, "labels is 'hearsay'; allowed: observed, predicted"),
    ({"fresh": ([[1.0]], ["a"])}, ["a", "b"] * 10, "fresh goes with labels='predicted' only"),
    ({"outcome_kind": "number"}, ["a", "b"] * 10, "'a' is not a number"),
]


@pytest.mark.parametrize(("told", "y", "sentence"), BAD_TRAINING)
def test_bad_training_data_are_refused_in_one_sentence(told: Any, y: Any, sentence: str) -> None:
    with pytest.raises(ValueError) as refusal:
        CounterfactualRules(**QUICK).fit(np.arange(20.0).reshape(-1, 1), y, **told)
    assert sentence in str(refusal.value)


def test_two_columns_of_one_name_are_refused() -> None:
    X = pd.DataFrame(np.ones((10, 2)), columns=["a", "a"])
    with pytest.raises(ValueError, match=r"^X: two columns are called 'a'; names must be unique"):
        CounterfactualRules(**QUICK).fit(X, [0, 1] * 5)


def test_numbers_with_one_word_among_them_are_taken_for_a_mistake() -> None:
    X = [{"a": float(i)} for i in range(30)] + [{"a": "thirty"}]
    with pytest.raises(ValueError, match="a number except in row 30 where it holds 'thirty'"):
        CounterfactualRules(**QUICK).fit(X, [0, 1] * 15 + [0])


def test_rows_without_an_outcome_are_left_out_and_counted() -> None:
    X = np.arange(40.0).reshape(-1, 1)
    y = [None if i % 10 == 0 else ("high" if i > 20 else "low") for i in range(40)]
    rules = CounterfactualRules(**QUICK).fit(X, y)
    assert rules.n_dropped_ == 4
    assert rules.model_.rows == 36


cells = st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.floats(-1e6, 1e6), st.text("abc", max_size=2))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=12))
def test_any_records_are_read_or_refused_with_a_value_error(rows: list[tuple[Any, Any]]) -> None:
    try:
        frame = read_frame([{"a": a, "b": b} for a, b in rows])
    except ValueError:
        return
    assert frame.rows == len(rows)
    for at, column in enumerate(frame.columns):
        missing = [row[at] is None for row in rows]
        assert np.isnan(column.values).tolist() == missing


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(st.none(), st.text(max_size=3)), min_size=1, max_size=20))
def test_labels_are_the_same_from_a_list_pandas_and_polars(labels: list[str | None]) -> None:
    def words(column: Any) -> list[Any]:
        return [None if np.isnan(v) else column.names[int(v)] for v in column.values]

    series = [read_labels(pd.Series(labels, dtype=object)), read_labels(pl.Series("y", labels, dtype=pl.String))]
    if any(label is not None for label in labels):
        assert all(words(column) == labels for column in [*series, read_labels(labels)])
