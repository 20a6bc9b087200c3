"""Questions to a fitted model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._base import Base
from ._column import Column
from ._frame import Frame
from ._options import Bar, Progress, explain_settings, seed_of, target_for_core, threads_of, to_json

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._documents import Document
    from ._model_caller import ModelCaller
    from ._options import ExplainOptions
    from .explanations import Explanation, Explanations
    from .results import Evaluation, SufficientExplanations, Summary


class Questions(Base):
    """What a fitted model can be asked."""

    def explain(
        self,
        X: Any,
        *,
        target: Any,
        outcome: Any = None,
        verify: Any = None,
        progress: bool | Progress = False,
        **options: Unpack[ExplainOptions],
    ) -> Explanations:
        """Rules for people. ``target``: a class, several, or (low, high) for a number; ``outcome``: what they have now.

        Without ``outcome``, the forest's prediction counts as what they have. ``verify`` is the explained model (it has
        predict, or is called), if it is at hand: it is asked about points of every rule before the rule is offered, and
        the probability stated is what it said of 200 of them. Options are ``ExplainOptions``.

        >>> from cfrules import CounterfactualRules
        >>> flats = [{"area": a, "floor": a % 7} for a in range(20, 120)]
        >>> rules = CounterfactualRules(trees=20, audit=0).fit(flats, [10 * flat["area"] for flat in flats])
        >>> found = rules.explain(flats[-3:], target=(None, 500), constraints={"floor": "immutable"}, rules=1)
        >>> found[0].changed, found[0].rules[0].conditions[0].contains(30)
        (['area'], True)
        """
        frame = self._frame(X)
        present = self._present(outcome, frame)
        return self._explain(frame, present, target, self._caller(verify, frame), dict(options), progress)

    def _caller(self, model: Any, frame: Frame) -> ModelCaller | None:
        from ._model_caller import ModelCaller

        return None if model is None else ModelCaller(model, frame, self._fitted().classes)

    def _explain(
        self,
        frame: Frame,
        present: np.ndarray | None,
        target: Any,
        verify: ModelCaller | None,
        options: dict[str, Any],
        progress: bool | Progress,
    ) -> Explanations:
        from .explanations import Explanations, Question

        model = self._fitted()
        settings = explain_settings(options, seed_of(self.random_state))
        wanted = target_for_core(target, not model.classes)
        with Bar(progress, "explaining") as bar:
            documents, texts = model.explain(
                frame.for_core(), self._reading(), present, wanted, settings, verify, threads_of(self.n_jobs), bar
            )

        def ask_again(rows: Sequence[int], further: dict[str, Any]) -> Explanations:
            some = _rows_of(frame, rows)
            known = None if present is None else present[list(rows)]
            return self._explain(some, known, target, verify, options | further, False)

        return Explanations(documents, texts, self._backdrop, Question(frame, ask_again))

    def explain_region(
        self, region: Mapping[str, Any], *, target: Any, **options: Unpack[ExplainOptions]
    ) -> Explanation:
        """One rule for everybody in a region: feature -> (low, high), None for an open end, or a list of names.

        >>> from cfrules import CounterfactualRules
        >>> people = [{"age": 20 + s % 40, "savings": s} for s in range(0, 4000, 10)]
        >>> rules = CounterfactualRules(trees=20, audit=0).fit(people, [p["savings"] > 2000 for p in people])
        >>> rules.explain_region({"age": (30, 50)}, target=True, constraints={"age": "immutable"}).changed
        ['savings']
        """
        from .explanations import Explanation

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
        by: str | None = None,
        progress: bool | Progress = False,
        **options: Unpack[ExplainOptions],
    ) -> Summary:
        """Few rules that together serve the share ``cover`` of the people; without X, of the model's own rows.

        ``by`` names a feature whose groups (categories, or quarters) are to be told how they fare, in ``groups``.

        >>> from cfrules import CounterfactualRules
        >>> people = [{"age": 20 + s % 40, "savings": s} for s in range(0, 4000, 10)]
        >>> rules = CounterfactualRules(trees=20, audit=0).fit(people, [p["savings"] > 2000 for p in people])
        >>> summary = rules.summarize(people[:50], target=True)
        >>> summary.people, summary.served, len(summary)
        (50, 50, 1)
        """
        from .results import Summary

        model = self._fitted()
        frame = None if X is None else self._frame(X)
        present = None if frame is None else self._present(outcome, frame)
        settings = explain_settings(options, seed_of(self.random_state))
        settings |= {"cover": cover, "max_regions": max_regions, "max_rule_features": max_rule_features}
        settings |= {"by": by or ""}
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
    ) -> SufficientExplanations:
        """Why decisions are what they are: the few features that settle them; ``rules`` widens each set to a box.

        >>> from cfrules import CounterfactualRules
        >>> people = [{"age": 20 + s % 40, "savings": s} for s in range(0, 4000, 10)]
        >>> rules = CounterfactualRules(trees=20, audit=0).fit(people, [p["savings"] > 2000 for p in people])
        >>> rules.sufficient(people[:1])[0].sets[0].features
        ['savings']
        """
        from .results import SufficientExplanations

        settings = {"pi": pi, "max_features": max_features, "candidates": candidates, "min_rows": min_rows}
        settings |= {"all": all, "rules": rules}
        columns = self._frame(X).for_core()
        with Bar(progress, "explaining") as bar:
            threads = threads_of(self.n_jobs)
            documents, texts = self._fitted().sufficient(columns, self._reading(), settings, threads, bar)
        return SufficientExplanations(documents, texts)

    def recourses(
        self, X: Any, *, target: Any, outcome: Any = None, verify: Any = None, **options: Unpack[ExplainOptions]
    ) -> Any:
        """The people who have a recourse, with the changed values in: the kind, columns, types and index of X.

        ``method`` among the options says how the points are chosen: surest, nearest, cheapest or annealing.

        >>> from cfrules import CounterfactualRules
        >>> people = [{"age": 20 + s % 40, "savings": s} for s in range(0, 4000, 10)]
        >>> rules = CounterfactualRules(trees=20, audit=0).fit(people, [p["savings"] > 2000 for p in people])
        >>> moved = rules.recourses(people[:3], target=True, method="nearest")
        >>> len(moved) > 0 and all(person["savings"] > 1900 for person in moved)
        True
        """
        asked: Any = {"recourses": 1} | dict(options)
        return self.explain(X, target=target, outcome=outcome, verify=verify, **asked).recourses()

    def evaluate(
        self,
        X: Any,
        *,
        target: Any,
        model: Any = None,
        outcome: Any = None,
        verify: Any = None,
        progress: bool | Progress = False,
        **options: Unpack[ExplainOptions],
    ) -> Evaluation:
        """How good the rules are on these people, judged by ``model`` (it has predict, or is called) or the forest.

        ``verify`` is the model that rules are put to before they are offered, as in ``explain``; judging it by itself
        shows what is left to chance.

        >>> from cfrules import CounterfactualRules
        >>> def bank(people):
        ...     return [p["savings"] > 2000 for p in people]
        >>> people = [{"age": 20 + s % 40, "savings": s} for s in range(0, 4000, 10)]
        >>> rules = CounterfactualRules(trees=20, audit=0).fit(people, bank(people))
        >>> quality = rules.evaluate(people[:30], target=True, model=bank)
        >>> quality.judged_by, quality.accuracy == 1
        ('bank', True)
        """
        from ._model_caller import name_of_model
        from .results import Evaluation

        core = self._fitted()
        frame = self._frame(X)
        judge, verifier = self._caller(model, frame), self._caller(verify, frame)
        name = "the forest itself" if model is None else name_of_model(model)
        settings = explain_settings(options, seed_of(self.random_state))
        wanted = target_for_core(target, not core.classes)
        present = self._present(outcome, frame)
        with Bar(progress, "evaluating") as bar:
            threads = threads_of(self.n_jobs)
            reading = self._reading()
            answer = core.evaluate(
                frame.for_core(), reading, present, wanted, settings, judge, name, verifier, threads, bar
            )
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
        """Probability of the target in a region around one row, rows of each tree's cell and, if asked, row weights.

        >>> from cfrules import CounterfactualRules
        >>> people = [{"age": 20 + s % 40, "savings": s} for s in range(0, 4000, 10)]
        >>> rules = CounterfactualRules(trees=20, audit=0).fit(people, [p["savings"] > 2000 for p in people])
        >>> rules.probability(people[0], {"savings": (2500, 3000)}, target=True).probability > 0.9
        True
        """
        from ._documents import Document

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


def _rows_of(frame: Frame, rows: Sequence[int]) -> Frame:
    at = list(rows)
    columns = [Column(c.name, c.holds, c.values[at], c.names, c.originals) for c in frame.columns]
    return Frame(columns, len(at), frame.named, frame.source)
