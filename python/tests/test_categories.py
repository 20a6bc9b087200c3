"""Splits of categories, taken over where one order of the categories can express them."""

from __future__ import annotations

import itertools
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost
from hypothesis import given, settings
from hypothesis import strategies as st

from cfrules import CounterfactualRules
from cfrules._category_order import common_order
from cfrules._forests import forest_document
from cfrules._frame import read_frame, read_labels

LIGHT = {"n_estimators": 6, "num_leaves": 5, "verbose": -1, "n_jobs": 1, "min_child_samples": 5}
LIGHT |= {"min_data_per_group": 1, "cat_smooth": 0, "max_cat_to_onehot": 1, "cat_l2": 0}
BOOST = {"n_estimators": 4, "max_depth": 3, "n_jobs": 1, "enable_categorical": True, "max_cat_to_onehot": 1}


def people() -> tuple[pd.DataFrame, Any]:
    """Categories act by their order alone, so that the trees agree on it."""
    random = np.random.default_rng(3)
    words = np.array(["low", "high", "middle", "top"], dtype=object)
    score = {"low": 0, "middle": 3, "high": 6, "top": 9}
    column = pd.Series(random.choice(words, 500))
    column[random.random(500) < 0.1] = None
    number = pd.Series(random.choice([10, 20, 30], 500))
    X = pd.DataFrame({"a": random.normal(size=500), "c": column.astype("category"), "k": number.astype("category")})
    total = column.map(score).astype(float).fillna(-4) + number / 2 + X["a"]
    return X, (total > total.median()).astype(int)


MODELS = [lightgbm.LGBMClassifier(**LIGHT), xgboost.XGBClassifier(**BOOST), xgboost.XGBRFClassifier(**BOOST)]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_every_row_ends_in_the_leaf_the_library_says(model: Any) -> None:
    X, y = people()
    model.fit(X, y)
    forest, schema = forest_document(model, read_frame(X), read_labels(y))
    assert schema is not None
    assert set(schema) <= {"c", "k"}
    places = {name: {word: place for place, word in enumerate(order)} for name, order in forest.orders.items()}
    rows = np.column_stack(
        [
            [np.nan if pd.isna(value) else places[name][str(value)] for value in X[name]] if name in places else X[name]
            for name in X
        ]
    ).astype(float)
    is_light = "lightgbm" in type(model).__module__
    leaves = np.asarray(model.predict(X, pred_leaf=True) if is_light else model.apply(X)).reshape(len(X), -1)
    for at, tree in enumerate(forest.trees):
        pairs = {(tree.leaf_of(row), int(leaf)) for row, leaf in zip(rows, leaves[:, at], strict=True)}
        assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_rules_of_such_a_model_speak_of_sets_of_categories(model: Any) -> None:
    X, y = people()
    model.fit(X, y)
    rules = CounterfactualRules.from_model(model, X, isolation_trees=20)
    assert (rules.predict(X) == model.predict(X)).all()
    refused = X[model.predict(X) == 0].head(20)
    found = rules.explain(refused, target=1, constraints={"a": "immutable"})
    moved = found.recourses()
    assert len(moved) > 10
    assert (model.predict(moved) == 1).all()
    assert moved.dtypes.equals(X.dtypes)


def test_categories_may_be_plain_numbers() -> None:
    X, y = people()
    matrix = X.assign(c=X["c"].cat.codes.replace(-1, np.nan), k=X["k"].astype(int)).to_numpy(dtype=float)
    light = lightgbm.LGBMClassifier(**LIGHT).fit(matrix, y, categorical_feature=[1, 2])
    boost = xgboost.XGBClassifier(feature_types=["q", "c", "c"], **BOOST).fit(matrix, y)
    for model in (light, boost):
        rules = CounterfactualRules.from_model(model, matrix, isolation_trees=10)
        assert (rules.predict(matrix) == model.predict(matrix)).all()
        assert {name: kind for name, kind, _ in rules.model_.schema}["x2"] == "category"


def test_what_no_order_can_express_is_refused_with_a_way_out() -> None:
    random = np.random.default_rng(0)
    X = pd.DataFrame({"c": pd.Categorical(random.choice(list("abcdef"), 600))})
    y = (random.random(600) < X["c"].cat.codes.map({0: 0.1, 1: 0.9, 2: 0.3, 3: 0.7, 4: 0.5, 5: 0.6})).astype(int)
    # One category against all others, more than two of them: no order has three ends.
    light = lightgbm.LGBMClassifier(**LIGHT | {"num_leaves": 2, "max_cat_to_onehot": 100, "n_estimators": 20})
    boost = xgboost.XGBClassifier(**BOOST | {"max_depth": 1, "max_cat_to_onehot": 100, "n_estimators": 20})
    for model in (light, boost):
        model.fit(X, y)
        with pytest.raises(ValueError, match=r"categories of 'c' in ways that no one order .* labels='predicted'"):
            CounterfactualRules.from_model(model, X)


def test_unseen_categories_are_refused(credit: Any) -> None:
    X, y = people()
    model = lightgbm.LGBMClassifier(**LIGHT).fit(X, y)
    rules = CounterfactualRules.from_model(model, X, isolation_trees=10)
    with pytest.raises(ValueError, match="row 0, column 'c': 'huge' is not among the known categories"):
        rules.explain([{"a": 0.0, "c": "huge", "k": 10}], target=1)


def fits(order: tuple[int, ...], pairs: list[tuple[frozenset[int], frozenset[int]]]) -> bool:
    place = {code: at for at, code in enumerate(order)}
    sides = [[{place[code] for code in side} for side in pair] for pair in pairs]
    return all(not a or not b or max(a) < min(b) or max(b) < min(a) for a, b in sides)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.frozensets(st.integers(0, 4)), st.frozensets(st.integers(0, 4))), max_size=5))
def test_an_order_is_found_exactly_if_there_is_one(given_: list[tuple[frozenset[int], frozenset[int]]]) -> None:
    pairs = [(left, right - left) for left, right in given_]
    order = common_order(range(5), pairs)
    if order is None:
        assert not any(fits(each, pairs) for each in itertools.permutations(range(5)))
    else:
        assert fits(tuple(order), pairs)
