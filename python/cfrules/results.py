"""Answers about decisions, groups and quality. Attributes are called like the keys of the JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ._documents import Document, Documents, Listing
from ._tables import Tabular
from .records import RegionalRule, ReliabilityBin, SufficientSet, SummaryGroup

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_NOISE = (0.01, 0.025, 0.05)  # variances on features scaled to [0, 1]


class SufficientExplanation(Listing, Tabular):
    """Why one decision is what it is: row, decision, found, sets, frequency, provenance. A list of its sets."""

    __slots__ = ()
    _listed = "sets"
    _parts: ClassVar[dict[str, Any]] = {"sets": SufficientSet}
    _columns: ClassVar[dict[str, str]] = {
        "row": "whole",
        "decision": "text",
        "found": "flag",
        "set": "whole",
        "features": "text",
        "probability": "number",
        "rule": "text",
        "rule_probability": "number",
        "rule_share": "number",
    }
    row: int
    decision: str
    found: bool
    sets: list[SufficientSet]
    frequency: dict[str, float | None]
    provenance: dict[str, Any]

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw how often each feature is among those that settle the decision (needs matplotlib)."""
        from . import _plot

        return _plot.plot_frequency(self, axes)

    def _repr_html_(self) -> str:
        from . import _html

        return _html.sufficient_card(self)

    def _lines(self) -> list[dict[str, Any]]:
        person = {"row": self.row, "decision": self.decision, "found": self.found}
        lines = [
            person
            | {"set": at, "features": "|".join(each.features), "probability": each.probability}
            | {"rule": each.rule_text or None, "rule_probability": each.rule_probability}
            | {"rule_share": each.rule_share}
            for at, each in enumerate(self.sets)
        ]
        return lines or [person]


class SufficientExplanations(Documents[SufficientExplanation]):
    """Sufficient explanations in the order of the people."""

    _columns = SufficientExplanation._columns

    def _one(self, at: int) -> SufficientExplanation:
        return SufficientExplanation(self._documents[at], self._texts[at])

    def _lines(self) -> list[dict[str, Any]]:
        return [line for item in self for line in item._lines()]


class Summary(Listing, Tabular):
    """Few rules that together serve many: target, people, served, cover, min_probability. A list of its ``rules``."""

    __slots__ = ()
    _parts: ClassVar[dict[str, Any]] = {"rules": RegionalRule, "groups": SummaryGroup}
    _columns: ClassVar[dict[str, str]] = {
        "rule": "whole",
        "who": "text",
        "change": "text",
        "people": "whole",
        "served": "whole",
        "reached": "whole",
        "probability": "number",
        "mass": "number",
    }
    target: list[str]
    people: int
    served: int
    cover: float | None
    min_probability: float | None
    rules: list[RegionalRule]
    by: str | None
    groups: list[SummaryGroup]
    provenance: dict[str, Any]

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw how many people each rule serves (needs matplotlib)."""
        from . import _plot

        return _plot.plot_summary(self, axes)

    def _repr_html_(self) -> str:
        from . import _html

        return _html.summary_card(self)

    def _lines(self) -> list[dict[str, Any]]:
        return [
            {"rule": at, "who": each.who_text, "change": each.change_text, "people": each.people}
            | {"served": each.served, "reached": each.reached}
            | {"probability": each.rule.probability.stated, "mass": each.rule.mass}
            for at, each in enumerate(self.rules)
        ]


class Evaluation(Document, Tabular):
    """How good the rules are: coverage, accuracy, plausibility, sparsity, cost, stability, reliability and more."""

    __slots__ = ()
    _parts: ClassVar[dict[str, Any]] = {"reliability": ReliabilityBin}
    _columns: ClassVar[dict[str, str]] = {"measure": "text", "value": "number"}
    people: int
    already: int
    coverage: float | None
    accuracy: float | None
    accuracy_found: float | None
    donor_accuracy: float | None
    stated: float | None
    calibration_error: float | None
    calibration_error_low: float | None
    calibration_error_high: float | None
    plausibility: float | None
    sparsity: float | None
    cost: float | None
    mass: float | None
    stability: list[float]
    below_half: float | None
    seconds_per_person: float | None
    reliability: list[ReliabilityBin]
    judged_by: str
    provenance: dict[str, Any]

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw what was stated against what came true (needs matplotlib)."""
        from . import _plot

        return _plot.plot_reliability(self, axes)

    def _repr_html_(self) -> str:
        from . import _html

        return _html.evaluation_card(self)

    def _lines(self) -> list[dict[str, Any]]:
        given = self.to_dict()
        numbers = {key: value for key, value in given.items() if isinstance(value, (int, float)) or value is None}
        noise = {f"stability_{variance}": value for variance, value in zip(_NOISE, self.stability, strict=False)}
        return [{"measure": key, "value": value} for key, value in (numbers | noise).items()]
