"""Explanations of people: one, and a list of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ._backdrop import Backdrop
from ._documents import Documents, Listing
from ._frame import Frame
from ._restore import originals_of, with_changes
from ._tables import Tabular
from .records import FeatureSet, Rule

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = {
    "row": "whole",
    "status": "text",
    "target": "text",
    "rule": "whole",
    "feature": "text",
    "kind": "text",
    "from": "value",
    "low": "number",
    "low_closed": "flag",
    "high": "number",
    "high_closed": "flag",
    "values": "text",
    "probability": "number",
    "probability_low": "number",
    "probability_high": "number",
    "mass": "number",
    "support": "whole",
    "cost": "number",
}


class Explanation(Listing, Tabular):
    """What one person, or everybody in one region, can change: the sentence in a terminal, a card in a notebook.

    ``status`` is found, below_threshold, no_recourse or already_in_target; ``rules`` come best first, and
    an explanation is a list of them.
    """

    __slots__ = ("_backdrop",)
    _parts: ClassVar[dict[str, Any]] = {"rules": Rule, "sets": FeatureSet}
    _columns = _COLUMNS
    row: int
    status: str
    target: list[str]
    search: str
    estimator: str
    plausible: bool
    changed: list[str]
    cdp: float | None
    base_rate: float | None
    rules: list[Rule]
    sets: list[FeatureSet]
    note: str | None
    provenance: dict[str, Any]

    def __init__(self, text_of_json: str, text: str, backdrop: Backdrop | None = None) -> None:
        super().__init__(text_of_json, text)
        self._backdrop = backdrop

    def plot(self, rule: int = 0, axes: Axes | None = None) -> Axes:
        """Draw one rule as bars over the histograms of the training rows (needs matplotlib)."""
        from . import _plot

        return _plot.plot_rule(self, rule, self._backdrop, axes)

    def _repr_html_(self) -> str:
        from . import _html

        return _html.card(self, self._backdrop)

    def _lines(self) -> list[dict[str, Any]]:
        return list(_lines_of(self))


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, so that more can be asked of the same people."""

    frame: Frame
    ask_again: Callable[[Sequence[int], dict[str, Any]], Explanations]


class Explanations(Documents[Explanation]):
    """Explanations in the order of the people. Length, index, slice, iteration and equality as of a list."""

    _columns = _COLUMNS

    def __init__(
        self,
        documents: Sequence[str],
        texts: Sequence[str],
        backdrop: Backdrop | None = None,
        question: Question | None = None,
        places: Sequence[int] | None = None,
    ) -> None:
        super().__init__(documents, texts)
        self._backdrop = backdrop
        self._question = question
        self._places = list(range(len(self._documents))) if places is None else list(places)

    def _one(self, at: int) -> Explanation:
        return Explanation(self._documents[at], self._texts[at], self._backdrop)

    def _some(self, at: slice) -> Explanations:
        parts = self._documents[at], self._texts[at], self._backdrop, self._question, self._places[at]
        return Explanations(*parts)

    def plot(self, at: int = 0, rule: int = 0, axes: Axes | None = None) -> Axes:
        """Draw one rule of one person (needs matplotlib)."""
        return self[at].plot(rule, axes)

    def recourses(self, method: str | None = None, **options: Any) -> Any:
        """The people who have a recourse, with the changed values in: the kind, columns, types and index of X.

        ``method`` is surest, nearest, cheapest or annealing; further options are those of ``explain``. If these
        explanations hold no such recourses yet, the people are asked about again.
        """
        if self._question is None:
            raise ValueError("these explanations have no people with them; call explain() on a model")
        holders = self
        if options or not self._holds_recourses(method):
            asked = {"recourses": 1} | ({} if method is None else {"method": method}) | options
            holders = self._question.ask_again(self._places, asked)
        frame, originals = self._question.frame, originals_of(self._question.frame)
        rows: list[int] = []
        changes: dict[str, dict[int, Any]] = {}
        for place, explanation in zip(self._places, holders, strict=True):
            values = _first_recourse(explanation)
            if values is None:
                continue
            for name, value in values.items():
                word = originals.get(name, {}).get(value, value) if isinstance(value, str) else value
                changes.setdefault(name, {})[len(rows)] = word
            rows.append(place)
        return with_changes(frame, rows, changes)

    def _holds_recourses(self, method: str | None) -> bool:
        held = {recourse.method for item in self for rule in item.rules for recourse in rule.recourses}
        return bool(held) and (method is None or held == {method})

    def _lines(self) -> list[dict[str, Any]]:
        return [line for item in self for line in _lines_of(item)]


def _first_recourse(explanation: Explanation) -> dict[str, Any] | None:
    for rule in explanation.rules if explanation.status == "found" else []:
        if rule.recourses:
            return rule.recourses[0].values
    return None


def _lines_of(item: Explanation) -> Iterator[dict[str, Any]]:
    person = dict.fromkeys(_COLUMNS) | {"row": item.row, "status": item.status, "target": "|".join(item.target)}
    if not item.rules:
        yield person
    for at, rule in enumerate(item.rules):
        stated = rule.probability
        figures = {
            "rule": at,
            "probability": stated.stated,
            "probability_low": stated.low,
            "probability_high": stated.high,
            "mass": rule.mass,
            "support": rule.support,
            "cost": rule.cost,
        }
        for side in rule.conditions:
            condition = side.to_dict()
            if side.values is not None:
                condition["values"] = "|".join(side.values)
            yield person | figures | condition
