"""The forest under the rules as estimators of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ._column import Column
from ._frame import Frame
from .rules import CounterfactualRules

_SETTINGS = (
    "trees",
    "depth",
    "min_leaf",
    "features_per_split",
    "cuts",
    "bootstrap",
    "subsample",
    "isolation_trees",
    "n_jobs",
    "random_state",
)


class _RuleForest(BaseEstimator):
    """Columns are numbers, NaN where missing. ``rules_`` explains people by the same forest."""

    def __init__(
        self,
        *,
        trees: int = 300,
        depth: int | None = None,
        min_leaf: int = 1,
        features_per_split: int | None = None,
        cuts: int = 255,
        bootstrap: bool = True,
        subsample: float = 1.0,
        isolation_trees: int = 100,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.trees = trees
        self.depth = depth
        self.min_leaf = min_leaf
        self.features_per_split = features_per_split
        self.cuts = cuts
        self.bootstrap = bootstrap
        self.subsample = subsample
        self.isolation_trees = isolation_trees
        self.n_jobs = n_jobs
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _learn(self, X: np.ndarray, outcome: Column, kind: str, sample_weight: Any) -> None:
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        if weights is not None:  # a row without weight is as good as no row
            kept = weights > 0
            X, weights = X[kept], weights[kept]
            outcome = Column(outcome.name, outcome.holds, outcome.values[kept], outcome.names, outcome.originals)
        if np.ptp(outcome.values) == 0:  # nothing to learn: there is one answer
            self.rules_, self.constant_ = None, outcome.values[0]
            return
        frame = self._columns(X)
        told: dict[str, Any] = {"labels": "observed", "outcome_kind": kind, "sample_weight": weights, "fresh": None}
        told |= {"schema": dict.fromkeys(frame.names, "number"), "progress": False}
        rules = CounterfactualRules(audit=0, **{name: getattr(self, name) for name in _SETTINGS})
        self.rules_ = rules._fit(frame, outcome, told)
        self.constant_ = None

    def _columns(self, X: np.ndarray) -> Frame:
        names = getattr(self, "feature_names_in_", [f"x{i}" for i in range(X.shape[1])])
        columns = [Column(str(name), "numbers", X[:, i]) for i, name in enumerate(names)]
        return Frame(columns, X.shape[0], False, X)

    def _answers(self, X: Any, probability: bool) -> np.ndarray:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite="allow-nan")
        if self.rules_ is None:
            return np.full(len(X), 1.0 if probability else self.constant_)
        threads = 1 if self.n_jobs is None else max(0, self.n_jobs)
        return self.rules_.model_.predict(self._columns(X).for_core(), {}, probability, threads)


class RuleForestClassifier(ClassifierMixin, _RuleForest):
    """A random forest for classes.

    >>> import numpy as np
    >>> X = np.arange(40.0).reshape(-1, 1)
    >>> forest = RuleForestClassifier(trees=10, random_state=0).fit(X, X[:, 0] > 20)
    >>> forest.predict([[3.0], [33.0]])
    array([False,  True])
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RuleForestClassifier:
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        check_classification_targets(y)
        self.classes_, places = np.unique(y, return_inverse=True)
        # Numbered with leading zeros, the core keeps the order of classes_.
        digits = len(str(len(self.classes_)))
        names = [str(i).zfill(digits) for i in range(len(self.classes_))]
        self._learn(X, Column("outcome", "texts", places.astype(np.float64), names, names), "class", sample_weight)
        return self

    def predict(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def predict_proba(self, X: Any) -> np.ndarray:
        answers = self._answers(X, probability=True)
        seen = [int(self.constant_)] if self.rules_ is None else [int(name) for name in self.rules_.model_.classes]
        shares = np.zeros((len(answers) // len(seen), len(self.classes_)))
        shares[:, seen] = answers.reshape(-1, len(seen))
        return shares


class RuleForestRegressor(RegressorMixin, _RuleForest):
    """A random forest for numbers.

    >>> import numpy as np
    >>> X = np.arange(40.0).reshape(-1, 1)
    >>> forest = RuleForestRegressor(trees=10, random_state=0).fit(X, 2 * X[:, 0])
    >>> bool(abs(forest.predict([[20.0]])[0] - 40) < 4)
    True
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RuleForestRegressor:
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan", y_numeric=True)
        self._learn(X, Column("outcome", "numbers", np.asarray(y, dtype=np.float64)), "number", sample_weight)
        return self

    def predict(self, X: Any) -> np.ndarray:
        return self._answers(X, probability=False)
