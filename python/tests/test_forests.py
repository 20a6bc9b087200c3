"""Trees of other libraries, taken over exactly."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from cfrules import ConditionalForest, CounterfactualRules
from cfrules._forests import read_forest
from cfrules._tree_arrays import cuts_of_float32

LIGHT = {"n_estimators": 12, "num_leaves": 8, "verbose": -1, "n_jobs": 1, "min_child_samples": 5}
BOOST = {"n_estimators": 12, "max_depth": 4, "n_jobs": 1}


def data(classes: int = 2, missing: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(7)
    X = random.normal(size=(400, 5)).round(3)
    X[:, 4] = random.integers(0, 6, size=400)
    score = X[:, 0] + 0.5 * X[:, 1] * X[:, 4]
    if missing:
        X[random.random(X.shape) < 0.08] = np.nan
    y = score if classes == 0 else np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))
    # New rows on the very thresholds too: there the comparison must be the library's own.
    return X, y, random.normal(size=(200, 5)).round(3)


FORESTS = [
    (RandomForestClassifier(15, random_state=0), 2, False),
    (RandomForestClassifier(15, random_state=0), 3, True),
    (ExtraTreesClassifier(15, random_state=0), 2, False),
    (RandomForestRegressor(15, random_state=0), 0, False),
    (ExtraTreesRegressor(15, random_state=0), 0, False),
    (xgboost.XGBClassifier(**BOOST), 2, True),
    (xgboost.XGBClassifier(**BOOST), 3, False),
    (xgboost.XGBRegressor(**BOOST), 0, True),
    (xgboost.XGBRFClassifier(n_estimators=10, n_jobs=1), 2, False),
    (lightgbm.LGBMClassifier(**LIGHT), 2, True),
    (lightgbm.LGBMClassifier(**LIGHT), 3, False),
    (lightgbm.LGBMRegressor(**LIGHT), 0, True),
    (lightgbm.LGBMClassifier(boosting_type="rf", bagging_fraction=0.7, bagging_freq=1, **LIGHT), 2, False),
]


def name(case: Any) -> str:
    return f"{type(case[0]).__name__}-{case[1]}{'-missing' if case[2] else ''}"


@pytest.mark.parametrize("case", FORESTS, ids=name)
def test_every_row_ends_in_the_leaf_the_library_says(case: Any) -> None:
    model, classes, missing = case
    X, y, new = data(classes, missing)
    model.fit(X, y)
    forest = read_forest(model)
    rows = np.vstack([X[:60], new[:40], _on_thresholds(forest, X)])
    leaves = np.array([[tree.leaf_of(row) for tree in forest.trees] for row in rows])
    expected = _leaves_of(model, rows).reshape(len(rows), -1)
    for tree in range(len(forest.trees)):
        pairs = {(int(a), int(b)) for a, b in zip(leaves[:, tree], expected[:, tree], strict=True)}
        assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)


def _leaves_of(model: Any, rows: np.ndarray) -> np.ndarray:
    if "lightgbm" in type(model).__module__:
        return np.asarray(model.predict(rows, pred_leaf=True))
    return np.asarray(model.apply(rows))


def _on_thresholds(forest: Any, X: np.ndarray) -> np.ndarray:
    """Rows that lie on cuts, and one step of a double to either side of them."""
    rows = []
    base = np.nanmedian(X, axis=0)
    for tree in forest.trees[:5]:
        for node in np.flatnonzero(tree.left >= 0)[:6]:
            cut = tree.threshold[node]
            if abs(cut) > 1e30:  # missing against everything else: no value is beyond
                continue
            for value in (np.nextafter(cut, -np.inf), cut, np.nextafter(cut, np.inf)):
                row = base.copy()
                row[tree.feature[node]] = value
                rows.append(row)
    return np.array(rows)


@pytest.mark.parametrize("case", FORESTS, ids=name)
def test_the_imported_forest_decides_as_the_model(case: Any) -> None:
    model, classes, missing = case
    X, y, new = data(classes, missing)
    model.fit(X, y)
    rules = CounterfactualRules.from_model(model, X, isolation_trees=20)
    predicted = model.predict(new)
    if classes:
        assert (rules.predict(new) == predicted).all()
    else:
        assert np.allclose(rules.predict(new), predicted, rtol=1e-5, atol=1e-5)
    if type(model).__name__.endswith("ForestClassifier"):
        assert np.allclose(rules.predict_proba(new), model.predict_proba(new), atol=1e-9)


@pytest.mark.parametrize("model", [FORESTS[0][0], FORESTS[5][0], FORESTS[9][0]], ids=lambda m: type(m).__name__)
def test_recourses_of_an_imported_model_come_true(model: Any) -> None:
    X, y, new = data(2)
    names = [f"f{i}" for i in range(5)]
    frame = pd.DataFrame(X, columns=names)
    model.fit(frame, y)
    rules = CounterfactualRules.from_model(model, frame, isolation_trees=50)
    people = pd.DataFrame(new, columns=names)
    people = people[model.predict(people) == 0].head(25)
    moved = rules.recourses(people, target=1)
    assert len(moved) > 15
    assert (model.predict(moved) == 1).mean() >= 0.9


@settings(max_examples=300, deadline=None)
@given(st.floats(-1e30, 1e30), st.floats(-1e30, 1e30))
def test_cuts_decide_on_doubles_as_the_library_on_floats(threshold: float, x: float) -> None:
    cut = cuts_of_float32(np.array([threshold]))[0]
    for value in (
        x,
        cut,
        np.nextafter(cut, -np.inf),
        np.nextafter(cut, np.inf),
        threshold,
        float(np.float32(threshold)),
    ):
        assert (value <= cut) == bool(np.float64(np.float32(value)) <= np.float64(threshold))


def test_pipelines_are_explained_in_their_original_columns(credit: Any, denied: Any) -> None:
    X, y = credit
    complete = X.dropna()
    categories = ["housing", "purpose", "job", "guarantor"]
    prepare = ColumnTransformer(
        [("names", OneHotEncoder(handle_unknown="ignore"), categories)], remainder="passthrough"
    )
    model = make_pipeline(prepare, StandardScaler(with_mean=False), LogisticRegression()).fit(
        complete, y[complete.index]
    )
    rules = CounterfactualRules.from_model(model, complete, trees=60, isolation_trees=50, audit=0, random_state=0)
    found = rules.explain(denied.dropna(), target="approved")
    assert {side.feature for item in found for rule in item.rules for side in rule.conditions} <= set(X.columns)
    judged = rules.evaluate(denied.dropna(), target="approved", model=model)
    assert judged.judged_by == "Pipeline"
    assert judged.accuracy_found > 0.6


def test_what_cannot_be_taken_over_is_refused_with_the_reason() -> None:
    X, y, _ = data(2)
    linear = lightgbm.LGBMClassifier(linear_tree=True, **LIGHT).fit(X, y)
    zeros = lightgbm.LGBMClassifier(zero_as_missing=True, **LIGHT).fit(X, y)
    poisson = xgboost.XGBRegressor(objective="count:poisson", **BOOST).fit(X, y)
    dart = xgboost.XGBClassifier(booster="dart", **BOOST).fit(X, y)
    reasons = {
        "linear leaves": linear,
        "zero_as_missing": zeros,
        "objective 'count:poisson'": poisson,
        "is a dart": dart,
    }
    for reason, model in reasons.items():
        with pytest.raises(ValueError, match=reason):
            read_forest(model)
    marked = xgboost.XGBClassifier(missing=-1, **BOOST).fit(X, y)
    with pytest.raises(ValueError, match="the XGBoost model takes -1 for missing"):
        read_forest(marked)
    with pytest.raises(ValueError, match=r"a Booster predicts scores; .* from_forest\(booster, X, y\)"):
        CounterfactualRules.from_model(marked.get_booster(), X)
    with pytest.raises(ValueError, match="the trees of a LogisticRegression cannot be read"):
        CounterfactualRules.from_forest(LogisticRegression().fit(X, y), X, y)
    with pytest.raises(ValueError, match=r"y holds the classes \['2'\], which the model does not predict"):
        CounterfactualRules.from_forest(RandomForestClassifier(3).fit(X, y), X, y + 1)


def test_early_stopping_counts() -> None:
    X, y, new = data(2)
    settings_ = BOOST | {"n_estimators": 200, "early_stopping_rounds": 2, "learning_rate": 0.5}
    model = xgboost.XGBClassifier(**settings_).fit(X[:300], y[:300], eval_set=[(X[300:], y[300:])], verbose=False)
    rules = CounterfactualRules.from_model(model, X, isolation_trees=10)
    assert (rules.predict(new) == model.predict(new)).all()


def test_a_conditional_forest_gives_weights_that_sum_to_one() -> None:
    X, y, _ = data(2)
    model = RandomForestClassifier(9, max_depth=4, random_state=0).fit(X, y)
    trees = [tree.for_json() for tree in read_forest(model).trees]
    forest = ConditionalForest(trees, X, y)
    for estimator in ("paper", "union", "inside"):
        answer = forest.probability(X[:1], {"x0": "free", "x1": (0, 1)}, target=1, estimator=estimator)
        assert answer["weights"].sum() == pytest.approx(1)
        assert len(answer["cells"]) == 9
        assert 0 <= answer["probability"] <= 1
    free = forest.probability(X[:1], {f"x{i}": "free" for i in range(5)}, target=1)
    assert free["probability"] == pytest.approx((y == 1).mean())


def test_a_forest_may_be_asked_for_a_class_that_no_given_row_has() -> None:
    X, y, _ = data(3)
    model = RandomForestClassifier(20, random_state=0).fit(X, np.array(["low", "middle", "high"])[y])
    some = X[model.predict(X) != "high"]
    rules = CounterfactualRules.from_model(model, some, isolation_trees=20)
    assert rules.classes_.tolist() == ["high", "low", "middle"]
    assert (rules.predict(X) == model.predict(X)).all()
    assert len(rules.explain(some[:5], target="high")) == 5
    denied = X[model.predict(X) == "low"]
    assert (
        len(CounterfactualRules.from_model(model, denied, isolation_trees=20).explain(denied[:5], target="high")) == 5
    )


def far_corner(rows: np.ndarray) -> list[str]:
    """Both large is "far": rows of data() with x0 + x1 <= 2 never are, those made up around them sometimes."""
    return ["far" if a > 1 and b > 1 else "near" if a > b else "other" for a, b in rows[:, :2]]


@pytest.mark.parametrize("stated", [False, True])
def test_a_model_may_be_asked_for_a_class_it_predicts_on_made_up_rows_only(stated: bool) -> None:
    random = np.random.default_rng(0)
    X = random.uniform(0, 2, size=(900, 3))
    X = X[(X[:, 0] < 1) | (X[:, 1] < 1)]
    assert "far" not in far_corner(X)
    model = SimpleNamespace(predict=far_corner, classes_=np.array(["far", "near", "other"])) if stated else far_corner
    rules = CounterfactualRules.from_model(model, X, trees=40, isolation_trees=20, audit=20, random_state=0)
    assert rules.classes_.tolist() == ["far", "near", "other"]
    person = np.array([[1.8, 0.5, 1.0]])
    explanation = rules.explain(person, target="far", recourses=1)[0]
    assert explanation.status == "found"
    assert far_corner(np.array([[1.8, 1.5, 1.0]])) == ["far"]
    assert explanation.changed == ["x1"]
    assert explanation.rules[0].conditions[0].low > 0.8


def test_the_model_labels_as_many_made_up_rows_as_asked() -> None:
    X = np.random.default_rng(0).uniform(0, 2, size=(100, 3))
    asked: list[int] = []

    def predict(rows: np.ndarray) -> list[str]:
        asked.append(len(rows))
        return ["yes" if row[0] > 1 else "no" for row in rows]

    CounterfactualRules.from_model(predict, X, trees=5, isolation_trees=5, audit=0, generated=2)
    assert 4000 in asked  # as if the table had 2,000 rows
    with pytest.raises(ValueError, match="generated is 0"):
        CounterfactualRules.from_model(predict, X, trees=5, isolation_trees=5, audit=0, generated=0)


def test_long_cuts_are_printed_short_and_on_the_safe_side() -> None:
    random = np.random.default_rng(1)
    X = np.column_stack([random.integers(0, 60, 800), random.normal(size=800), random.uniform(size=800)]).astype(float)
    y = (X[:, 0] + 20 * X[:, 1] > 30).astype(int)
    model = lightgbm.LGBMClassifier(**LIGHT).fit(X, y)
    assert any(len(repr(float(cut))) > 12 for tree in read_forest(model).trees for cut in tree.threshold)
    rules = CounterfactualRules.from_model(model, X, isolation_trees=20)
    explained = rules.explain(X[model.predict(X) == 0], target=1, recourses=1, method="nearest")
    sides = [side for e in explained for rule in e.rules for side in rule.conditions]
    assert sides
    for side in sides:
        for bound in (side.low, side.high):
            assert bound is None or len(repr(abs(bound)).replace(".", "").lstrip("0")) <= 9
    moved = explained.recourses()
    assert len(moved) > 0
    assert (model.predict(moved) == 1).all()
