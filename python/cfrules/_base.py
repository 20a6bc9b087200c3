"""The parameters of CounterfactualRules, kept in scikit-learn's manner, and the fitted model behind them."""

from __future__ import annotations

import inspect as _inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, _learning
from ._column import Column
from ._frame import Frame, read_frame, read_labels
from ._options import markers_of

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._backdrop import Backdrop


class Base:
    """Every argument is kept as given; fitting adds attributes that end in an underscore."""

    def __init__(
        self,
        *,
        trees: int | None = None,
        depth: int | None = None,
        min_leaf: int | None = None,
        features_per_split: int | None = None,
        cuts: int = 255,
        bootstrap: bool = True,
        subsample: float = 1.0,
        class_weights: Mapping[Any, float] | None = None,
        estimate: str = "all",
        isolation_trees: int = 200,
        generated: int | None = None,
        rounds: int | None = None,
        audit: int | None = None,
        preset: str | None = None,
        missing: Sequence[Any] = (),
        unseen_as_missing: bool = False,
        n_jobs: int | None = -1,
        random_state: Any = None,
    ) -> None:
        self.trees = trees
        self.depth = depth
        self.min_leaf = min_leaf
        self.features_per_split = features_per_split
        self.cuts = cuts
        self.bootstrap = bootstrap
        self.subsample = subsample
        self.class_weights = class_weights
        self.estimate = estimate
        self.isolation_trees = isolation_trees
        self.generated = generated
        self.rounds = rounds
        self.audit = audit
        self.preset = preset
        self.missing = missing
        self.unseen_as_missing = unseen_as_missing
        self.n_jobs = n_jobs
        self.random_state = random_state

    @classmethod
    def _parameters(cls) -> list[str]:
        return list(_inspect.signature(cls.__init__).parameters)[1:]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The constructor's arguments; ``deep`` is there for scikit-learn and changes nothing."""
        return {name: getattr(self, name) for name in self._parameters()}

    def set_params(self, **params: Any) -> Self:
        """Set constructor arguments; they count from the next fit or question on."""
        for name, value in params.items():
            if name not in self._parameters():
                raise ValueError(f"no parameter '{name}'; allowed: {', '.join(self._parameters())}")
            setattr(self, name, value)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __repr__(self) -> str:
        defaults = _inspect.signature(type(self).__init__).parameters
        told = (f"{k}={v!r}" for k, v in self.get_params().items() if v is not defaults[k].default)
        return f"{type(self).__name__}({', '.join(told)})"

    def _adopt(
        self,
        model: _core.Model,
        frame: Frame | None,
        outcome: Column | None,
        dropped: int = 0,
        classes: Mapping[str, Any] | None = None,
    ) -> Self:
        self.model_ = model
        self.n_features_in_ = len(model.schema)
        if frame is None or frame.named:
            self.feature_names_in_ = np.array([name for name, _, _ in model.schema], dtype=object)
        self.n_dropped_ = dropped
        if model.classes and classes:
            self.classes_ = np.array([classes[name] for name in model.classes])
        elif model.classes and outcome is not None:
            self.classes_ = _learning.labels_of(outcome, model.classes)
        elif model.classes:
            self.classes_ = _learning.guessed_labels(model.classes)
        return self

    @property
    def _backdrop(self) -> Backdrop:
        """Made when first looked at, and kept for as long as the model is the same."""
        from ._backdrop import Backdrop

        known = vars(self).get("_drawn_on")
        if known is None or known[0] is not self.model_:
            known = self._drawn_on = (self.model_, Backdrop(self.model_))
        return known[1]

    def _fitted(self) -> _core.Model:
        if not hasattr(self, "model_"):
            raise ValueError(f"this {type(self).__name__} is not fitted yet; call fit(X, y) first")
        return self.model_

    def _reading(self) -> dict[str, Any]:
        return {"missing": markers_of(self.missing), "unseen_as_missing": bool(self.unseen_as_missing)}

    def _frame(self, X: Any) -> Frame:
        return read_frame(X, [name for name, _, _ in self._fitted().schema])

    def _present(self, outcome: Any, frame: Frame) -> np.ndarray | None:
        if outcome is None:
            return None
        column = read_labels(outcome)
        if len(column.values) != frame.rows:
            raise ValueError(f"outcome has {len(column.values)} values for {frame.rows} rows of X; they must be equal")
        return self._fitted().outcomes(column.for_core())
