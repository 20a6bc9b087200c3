"""The forest estimators among scikit-learn's own."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.datasets import make_friedman1, make_moons
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from cfrules import RuleForestClassifier, RuleForestRegressor

SMALL = {"trees": 30, "isolation_trees": 2, "random_state": 0}


def expected_failures(estimator: Any) -> dict[str, str]:
    reason = "a bootstrap draws other rows from repeated rows than from weighted ones, as in scikit-learn's forests"
    return {"check_sample_weight_equivalence_on_dense_data": reason}


@parametrize_with_checks(
    [RuleForestClassifier(**SMALL), RuleForestRegressor(**SMALL)], expected_failed_checks=expected_failures
)
def test_scikit_learns_own_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def test_forests_learn_as_well_as_they_should() -> None:
    X, y = make_moons(400, noise=0.25, random_state=0)
    assert cross_val_score(RuleForestClassifier(random_state=0), X, y, cv=3).mean() > 0.9
    X, y = make_friedman1(400, random_state=0)
    assert cross_val_score(RuleForestRegressor(random_state=0), X, y, cv=3).mean() > 0.75


def test_a_forest_explains_by_its_own_rules() -> None:
    X, y = make_moons(300, noise=0.2, random_state=0)
    forest = RuleForestClassifier(trees=50, random_state=0).fit(X, y)
    people = X[forest.predict(X) == 0][:8]
    moved = forest.rules_.recourses(people, target="1")
    assert len(moved) >= 6
    assert (forest.predict(moved) == 1).mean() > 0.8


def test_missing_values_are_learned_from() -> None:
    X = np.random.default_rng(0).normal(size=(300, 2))
    X[:100, 0] = np.nan
    forest = RuleForestClassifier(trees=30, random_state=0).fit(X, np.isnan(X[:, 0]))
    assert forest.predict([[np.nan, 0.0], [0.3, 0.0]]).tolist() == [True, False]
