"""Counterfactual rules in the manner of scikit-learn: fit, then explain."""

from __future__ import annotations

import inspect as _inspect
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, _learning
from ._backdrop import Backdrop
from ._column import Column
from ._forests import forest_document, is_readable_forest
from ._frame import Frame, read_frame, read_labels
from ._options import Bar, Progress, explain_settings, markers_of, seed_of, target_for_core, threads_of, to_json
from .explanations import Explanation, Explanations, Question
from .results import Document, Evaluation, SufficientExplanation, Summary

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._options import ExplainOptions


class CounterfactualRules:
    """Learns from a table which changes lead to a wanted outcome, and says so as rules.

    Every argument is kept as given. ``None`` stands for the default by labels, as on the command line.
    Answers depend on the data, the arguments and ``random_state`` only, never on ``n_jobs``.

    >>> from cfrules import CounterfactualRules
    >>> people = [{"savings": s, "owns": s % 2 == 0} for s in range(0, 4000, 10)]
    >>> decisions = ["approved" if p["savings"] >= 2000 else "rejected" for p in people]
    >>> rules = CounterfactualRules(trees=20, isolation_trees=20).fit(people, decisions)
    >>> found = rules.explain({"savings": 310, "owns": False}, target="approved")
    >>> found[0].status, found[0].changed
    ('found', ['savings'])
    """

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
        self.preset = preset
        self.missing = missing
        self.unseen_as_missing = unseen_as_missing
        self.n_jobs = n_jobs
        self.random_state = random_state

    # Learning

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
        """
        if fresh is not None and labels != "predicted":
            raise ValueError("fresh goes with labels='predicted' only")
        if labels == "model":
            raise ValueError("labels='model' needs the model; use CounterfactualRules.from_model(model, X)")
        return self._fit(read_frame(X), read_labels(y), locals(), labeller=None)

    def _fit(self, frame: Frame, outcome: Column, told: Mapping[str, Any], labeller: Any) -> Self:
        settings = self._fit_settings(outcome) | {"labels": told["labels"]}
        data = self._data(frame, outcome, told)
        with Bar(told["progress"], "fitting") as bar:
            model, dropped = _core.Model.fit(data, settings, labeller, threads_of(self.n_jobs), bar)
        return self._adopt(model, frame, outcome, dropped)

    def _data(self, frame: Frame, outcome: Column, told: Mapping[str, Any]) -> dict[str, Any]:
        return _learning.training_data(
            frame,
            outcome,
            outcome_kind=told["outcome_kind"],
            sample_weight=told["sample_weight"],
            schema=told["schema"],
            missing=self.missing,
            fresh=told["fresh"],
        )

    def _fit_settings(self, outcome: Column) -> dict[str, Any]:
        names = ("trees", "depth", "min_leaf", "features_per_split", "cuts", "bootstrap", "subsample", "estimate")
        given = {name: getattr(self, name) for name in (*names, "isolation_trees", "preset")}
        settings = {name: value for name, value in given.items() if value is not None}
        if self.class_weights:
            settings["class_weights"] = _learning.class_weight_list(self.class_weights, outcome)
        return settings | {"seed": seed_of(self.random_state)}

    def _adopt(self, model: _core.Model, frame: Frame | None, outcome: Column | None, dropped: int = 0) -> Self:
        self.model_ = model
        self.n_features_in_ = len(model.schema)
        if frame is None or frame.named:
            self.feature_names_in_ = np.array([name for name, _, _ in model.schema], dtype=object)
        self.n_dropped_ = dropped
        if model.classes and outcome is not None:
            self.classes_ = _learning.labels_of(outcome, model.classes)
        elif model.classes:
            self.classes_ = _learning.guessed_labels(model.classes)
        self._backdrop = Backdrop(model)
        return self

    @classmethod
    def from_model(cls, model: Any, X: Any, *, progress: bool | Progress = False, **params: Any) -> Self:
        """Explain a fitted model: its own trees if it is an ensemble that can be read, else its predictions on X.

        For the latter, rows the model was not trained on say most: give some of them in X.
        """
        y = model.predict(X)
        if is_readable_forest(model):
            return cls.from_forest(model, X, y, progress=progress, **params)
        return cls(**params).fit(X, y, labels="predicted", progress=progress)

    @classmethod
    def from_forest(cls, forest: Any, X: Any, y: Any, *, progress: bool | Progress = False, **params: Any) -> Self:
        """Take over the trees of a fitted ensemble: scikit-learn forests, XGBoost, LightGBM.

        X are rows to stand behind its leaves, in the columns it was fitted with; y their outcomes.
        """
        self = cls(**params)
        frame, outcome = read_frame(X), read_labels(y)
        document, schema = forest_document(forest, frame, outcome)
        told = {"outcome_kind": document.outcome_kind, "sample_weight": None, "schema": schema, "fresh": None}
        settings: dict[str, Any] = {"isolation_trees": self.isolation_trees, "seed": seed_of(self.random_state)}
        if self.preset is not None:
            settings["preset"] = self.preset
        data = self._data(frame, outcome, told)
        with Bar(progress, "importing") as bar:
            model, dropped = _core.Model.import_forest(document.to_json(), data, settings, threads_of(self.n_jobs), bar)
        return self._adopt(model, frame, outcome, dropped)

    # Questions

    def explain(
        self,
        X: Any,
        *,
        target: Any,
        outcome: Any = None,
        progress: bool | Progress = False,
        **options: Unpack[ExplainOptions],
    ) -> Explanations:
        """Rules for people. ``target``: a class, several, or (low, high) for a number; ``outcome``: what they have now.

        Without ``outcome``, the forest's prediction counts as what they have. Options are ``ExplainOptions``.
        """
        frame = self._frame(X)
        present = self._present(outcome, frame)
        return self._explain(frame, present, target, dict(options), progress)

    def _explain(
        self, frame: Frame, present: np.ndarray | None, target: Any, options: dict[str, Any], progress: bool | Progress
    ) -> Explanations:
        model = self._fitted()
        settings = explain_settings(options, seed_of(self.random_state))
        wanted = target_for_core(target, not model.classes)
        with Bar(progress, "explaining") as bar:
            documents, texts = model.explain(
                frame.for_core(), self._reading(), present, wanted, settings, threads_of(self.n_jobs), bar
            )

        def ask_again(rows: Sequence[int], further: dict[str, Any]) -> Explanations:
            some = _rows_of(frame, rows)
            return self._explain(
                some, None if present is None else present[list(rows)], target, options | further, False
            )

        return Explanations(documents, texts, self._backdrop, Question(frame, ask_again))

    def explain_region(
        self, region: Mapping[str, Any], *, target: Any, **options: Unpack[ExplainOptions]
    ) -> Explanation:
        """One rule for everybody in a region: feature -> (low, high), None for an open end, or a list of names."""
        model = self._fitted()
        settings = explain_settings(options, seed_of(self.random_state))
        wanted = target_for_core(target, not model.classes)
        document, text = model.explain_region(to_json(region), wanted, settings, threads_of(self.n_jobs))
        return Explanation(document, text, self._backdrop)

    def summarize(
        self,
        X: Any = None,
        *,
        target: Any,
        outcome: Any = None,
        cover: float = 0.9,
        max_regions: int = 10,
        max_rule_features: int = 2,
        progress: bool | Progress = False,
        **options: Unpack[ExplainOptions],
    ) -> Summary:
        """Few rules that together serve the share ``cover`` of the people; without X, of the model's own rows."""
        model = self._fitted()
        frame = None if X is None else self._frame(X)
        present = None if frame is None else self._present(outcome, frame)
        settings = explain_settings(options, seed_of(self.random_state))
        settings |= {"cover": cover, "max_regions": max_regions, "max_rule_features": max_rule_features}
        columns = None if frame is None else frame.for_core()
        wanted = target_for_core(target, not model.classes)
        with Bar(progress, "covering") as bar:
            threads = threads_of(self.n_jobs)
            return Summary(*model.summarize(columns, self._reading(), present, wanted, settings, threads, bar))

    def sufficient(
        self,
        X: Any,
        *,
        pi: float = 0.9,
        max_features: int = 4,
        candidates: int = 10,
        min_rows: int = 5,
        all: bool = False,
        rules: bool = False,
        progress: bool | Progress = False,
    ) -> list[SufficientExplanation]:
        """Why decisions are what they are: the few features that settle them; ``rules`` widens each set to a box."""
        settings = {"pi": pi, "max_features": max_features, "candidates": candidates, "min_rows": min_rows}
        settings |= {"all": all, "rules": rules}
        columns = self._frame(X).for_core()
        with Bar(progress, "explaining") as bar:
            threads = threads_of(self.n_jobs)
            documents, texts = self._fitted().sufficient(columns, self._reading(), settings, threads, bar)
        return [SufficientExplanation(*parts) for parts in zip(documents, texts, strict=True)]

    def recourses(self, X: Any, *, target: Any, outcome: Any = None, **options: Unpack[ExplainOptions]) -> Any:
        """The people who have a recourse, with the changed values in: the kind, columns, types and index of X.

        ``method`` among the options says how the points are chosen: surest, nearest, cheapest or annealing.
        """
        asked: Any = {"recourses": 1} | dict(options)
        return self.explain(X, target=target, outcome=outcome, **asked).recourses()

    def evaluate(
        self,
        X: Any,
        *,
        target: Any,
        model: Any = None,
        outcome: Any = None,
        progress: bool | Progress = False,
        **options: Unpack[ExplainOptions],
    ) -> Evaluation:
        """How good the rules are on these people, judged by ``model`` (it has predict, or is called) or the forest."""
        core = self._fitted()
        frame = self._frame(X)
        judge = None if model is None else _learning.ModelCaller(model, frame, core.schema, core.classes)
        name = "the forest itself" if model is None else _learning.name_of_model(model)
        settings = explain_settings(options, seed_of(self.random_state))
        wanted = target_for_core(target, not core.classes)
        present = self._present(outcome, frame)
        with Bar(progress, "evaluating") as bar:
            threads = threads_of(self.n_jobs)
            reading = self._reading()
            answer = core.evaluate(frame.for_core(), reading, present, wanted, settings, judge, name, threads, bar)
        return Evaluation(*answer)

    def probability(
        self,
        row: Any,
        region: Mapping[str, Any],
        *,
        target: Any,
        estimator: str = "moved",
        min_rows: int = 5,
        weights: bool = False,
    ) -> Document:
        """Probability of the target in a region around one row, rows of each tree's cell and, if asked, row weights."""
        model = self._fitted()
        columns = self._frame(row).for_core()
        wanted = target_for_core(target, not model.classes)
        found = model.probability(columns, self._reading(), to_json(region), wanted, estimator, min_rows, weights)
        return Document(found, f"probability {json.loads(found)['probability']}")

    def predict(self, X: Any) -> np.ndarray:
        """The forest's own decision for each row."""
        model = self._fitted()
        answers = model.predict(self._frame(X).for_core(), self._reading(), False, threads_of(self.n_jobs))
        return self.classes_[answers.astype(int)] if model.classes else answers

    def predict_proba(self, X: Any) -> np.ndarray:
        """Share of the trees' votes for each class, in the order of ``classes_``."""
        model = self._fitted()
        if not model.classes:
            raise ValueError(f"'{model.outcome_name}' is a number and has no class probabilities")
        shares = model.predict(self._frame(X).for_core(), self._reading(), True, threads_of(self.n_jobs))
        return shares.reshape(-1, len(model.classes))

    def inspect(self) -> dict[str, Any]:
        """What the model is and how it was made."""
        return json.loads(self._fitted().inspect())

    # Files

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the model file of the command line; ``force`` overwrites."""
        self._fitted().save(os.fspath(path), force)

    @classmethod
    def load(cls, path: str | os.PathLike[str], **params: Any) -> Self:
        """Read a model file, checked before anything of it is used."""
        return cls(**params)._adopt(_core.Model.load(os.fspath(path)), None, None)

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in vars(self).items() if name not in ("model_", "_backdrop")}
        if hasattr(self, "model_"):
            with tempfile.TemporaryDirectory() as folder:
                self.save(Path(folder) / "model.cfr")
                state["_bytes"] = (Path(folder) / "model.cfr").read_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        content = state.pop("_bytes", None)
        vars(self).update(state)
        if content is not None:
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / "model.cfr").write_bytes(content)
                self.model_ = _core.Model.load(str(Path(folder) / "model.cfr"))
            self._backdrop = Backdrop(self.model_)

    # scikit-learn's manners

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


def _rows_of(frame: Frame, rows: Sequence[int]) -> Frame:
    at = list(rows)
    columns = [Column(c.name, c.holds, c.values[at], c.names, c.originals) for c in frame.columns]
    return Frame(columns, len(at), frame.named, frame.source)
