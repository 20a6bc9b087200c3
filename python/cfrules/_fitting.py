"""Making models: from rows and outcomes, from any model, from the trees of a forest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _core, _learning
from ._base import Base
from ._column import Column
from ._frame import Frame, read_frame, read_labels
from ._options import Bar, Progress, seed_of, threads_of

if TYPE_CHECKING:
    from typing_extensions import Self

_SETTINGS = ("trees", "depth", "min_leaf", "features_per_split", "cuts", "bootstrap", "subsample", "estimate")


class Fitting(Base):
    """fit, from_model and from_forest."""

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        labels: str = "observed",
        fresh: tuple[Any, Any] | None = None,
        sample_weight: Any = None,
        outcome_kind: str | None = None,
        schema: Mapping[str, Any] | None = None,
        progress: bool | Progress = False,
    ) -> Self:
        """Learn from rows and what happened to them, or what a model said of them (``labels="predicted"``).

        ``fresh`` are rows the explained model was not trained on, with its predictions; ``schema`` says kinds and
        categories of columns where they should not be inferred; ``outcome_kind`` is class or number.

        >>> from cfrules import CounterfactualRules
        >>> people = [{"zip": 10 + s % 3, "savings": s} for s in range(0, 2000, 10)]
        >>> rules = CounterfactualRules(trees=10, audit=0)
        >>> rules = rules.fit(people, [p["savings"] > 900 for p in people], schema={"zip": "category"})
        >>> rules.classes_.tolist(), rules.feature_names_in_.tolist()
        ([False, True], ['zip', 'savings'])
        """
        if fresh is not None and labels != "predicted":
            raise ValueError("fresh goes with labels='predicted' only")
        if labels == "model":
            raise ValueError("labels='model' needs the model; use CounterfactualRules.from_model(model, X)")
        return self._fit(read_frame(X), read_labels(y), locals())

    @classmethod
    def from_model(
        cls,
        model: Any,
        X: Any,
        *,
        sample_weight: Any = None,
        outcome_kind: str | None = None,
        schema: Mapping[str, Any] | None = None,
        progress: bool | Progress = False,
        **params: Any,
    ) -> Self:
        """Explain a fitted model: by its own trees if it is an ensemble that can be read, else by asking it.

        Another model (it has predict, or is called) is asked about X and about rows made up around those of X, so that
        the forest learns what the model does beyond the rows it was trained on. A pipeline is explained whole, in the
        columns of X.

        >>> from cfrules import CounterfactualRules
        >>> def bank(people):
        ...     return ["yes" if p["income"] > 3 * p["debt"] else "no" for p in people]
        >>> people = [{"income": i, "debt": d} for i in range(100, 3000, 100) for d in range(50, 1000, 50)]
        >>> rules = CounterfactualRules.from_model(bank, people, trees=30, isolation_trees=20)
        >>> rules.explain({"income": 600, "debt": 700}, target="yes")[0].status
        'found'
        """
        from ._forests import is_readable_forest

        if type(model).__name__ == "Booster":
            raise ValueError("a Booster predicts scores; say the outcomes yourself: from_forest(booster, X, y)")
        if is_readable_forest(model):
            return cls.from_forest(model, X, model.predict(X), sample_weight=sample_weight, progress=progress, **params)
        told = {"sample_weight": sample_weight, "outcome_kind": outcome_kind, "schema": schema, "progress": progress}
        return cls(**params)._fit_by_asking(model, X, told)

    @classmethod
    def from_forest(
        cls, forest: Any, X: Any, y: Any, *, sample_weight: Any = None, progress: bool | Progress = False, **params: Any
    ) -> Self:
        """Take over the trees of a fitted ensemble: scikit-learn forests, XGBoost, LightGBM.

        X are rows to stand behind its leaves, in the columns it was fitted with; y their outcomes.

        >>> from sklearn.ensemble import RandomForestClassifier
        >>> from cfrules import CounterfactualRules, datasets
        >>> X, y = datasets.load_credit(300)
        >>> X = X[["income", "savings", "debt"]]
        >>> forest = RandomForestClassifier(20, random_state=0).fit(X, y)
        >>> rules = CounterfactualRules.from_forest(forest, X, y, isolation_trees=10)
        >>> bool((rules.predict(X) == forest.predict(X)).all())
        True
        """
        from ._forests import forest_document

        self = cls(**params)
        frame, outcome = read_frame(X), read_labels(y)
        document, schema = forest_document(forest, frame, outcome)
        classes = _learning.ordered_classes(document.classes or ())
        told = {"outcome_kind": document.outcome_kind, "sample_weight": sample_weight, "schema": schema}
        told["classes"] = classes
        settings: dict[str, Any] = {"isolation_trees": self.isolation_trees, "seed": seed_of(self.random_state)}
        if self.preset is not None:
            settings["preset"] = self.preset
        data = self._data(frame, outcome, told)
        with Bar(progress, "importing") as bar:
            model, dropped = _core.Model.import_forest(document.to_json(), data, settings, threads_of(self.n_jobs), bar)
        return self._adopt(model, frame, outcome, dropped, classes)

    def _fit_by_asking(self, model: Any, X: Any, told: Mapping[str, Any]) -> Self:
        from ._model_caller import ModelCaller, UnknownClassesError

        predict = model.predict if hasattr(model, "predict") else model
        frame, outcome = read_frame(X), read_labels(predict(X), "prediction")
        numeric = _learning.is_numeric(outcome, told["outcome_kind"])
        classes = {} if numeric else _learning.classes_said(model, outcome)
        told = {**told, "labels": "model", "outcome_kind": "number" if numeric else "class"}
        while True:
            try:
                caller = ModelCaller(model, frame, list(classes))
                return self._fit(frame, outcome, {**told, "classes": classes}, caller)
            except UnknownClassesError as unknown:  # of rows made up around X: the same rows are made up again
                classes = _learning.ordered_classes([*classes.values(), *unknown.labels])

    def _fit(self, frame: Frame, outcome: Column, told: Mapping[str, Any], labeller: Any = None) -> Self:
        classes = told.get("classes", {})
        settings = self._fit_settings(outcome, list(classes)) | {"labels": told["labels"]}
        data = self._data(frame, outcome, told)
        with Bar(told["progress"], "fitting") as bar:
            model, dropped = _core.Model.fit(data, settings, labeller, threads_of(self.n_jobs), bar)
        return self._adopt(model, frame, outcome, dropped, classes)

    def _data(self, frame: Frame, outcome: Column, told: Mapping[str, Any]) -> dict[str, Any]:
        return _learning.training_data(
            frame,
            outcome,
            outcome_kind=told["outcome_kind"],
            sample_weight=told["sample_weight"],
            schema=told["schema"],
            missing=self.missing,
            fresh=told.get("fresh"),
            classes=told.get("classes", ()),
        )

    def _fit_settings(self, outcome: Column, classes: Sequence[str]) -> dict[str, Any]:
        names = (*_SETTINGS, "isolation_trees", "generated", "rounds", "audit", "preset")
        given = {name: getattr(self, name) for name in names}
        settings = {name: value for name, value in given.items() if value is not None}
        if self.class_weights:
            settings["class_weights"] = _learning.class_weight_list(
                self.class_weights, classes or _learning.class_names(outcome)
            )
        return settings | {"seed": seed_of(self.random_state)}
