"""What people may not, or would rather not, change: objects for those who prefer them to the document's keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Limits = Mapping[str, Any]
"""feature -> (low, high) with None for an open end, or a list of names."""


@dataclass(frozen=True)
class Limit:
    """How one feature may change: a direction, a range with a step or names, and what a change of it costs.

    >>> Limit(range=(6, 48), step=6).to_dict()
    {'range': [6, 48], 'step': 6}
    """

    direction: str | None = None  #: immutable, increase, decrease or any
    range: tuple[float | None, float | None] | None = None
    values: Sequence[str] | None = None
    step: float | None = None
    cost: float | None = None

    def to_dict(self) -> dict[str, Any]:
        given: dict[str, Any] = {"direction": self.direction, "range": self.range, "values": self.values}
        given |= {"step": self.step, "cost": self.cost}
        return {key: list(v) if isinstance(v, tuple) else v for key, v in given.items() if v is not None}


@dataclass(frozen=True)
class Implication:
    """Whoever ends up fulfilling all of ``condition`` must also fulfil all of ``consequence``."""

    condition: Limits
    consequence: Limits

    def to_dict(self) -> dict[str, Any]:
        return {"if": _listed(self.condition), "then": _listed(self.consequence)}


@dataclass(frozen=True)
class Constraints:
    """The constraints of one question.

    >>> rules = Constraints({"age": "immutable", "duration": Limit(range=(6, 48))}, max_changes=2)
    >>> rules.to_dict()
    {'features': {'age': 'immutable', 'duration': {'range': [6, 48]}}, 'max_changes': 2}
    """

    features: Mapping[str, str | Limit | Mapping[str, Any]] = field(default_factory=dict)
    linked: Sequence[Sequence[str]] = ()  #: features that change together or not at all
    implies: Sequence[Implication | Mapping[str, Any]] = ()
    max_changes: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The document of the command line."""
        document: dict[str, Any] = {"features": {name: _plain(limit) for name, limit in self.features.items()}}
        if self.linked:
            document["linked"] = [list(group) for group in self.linked]
        if self.implies:
            document["implies"] = [_plain(implication) for implication in self.implies]
        if self.max_changes is not None:
            document["max_changes"] = self.max_changes
        return document


def _listed(limits: Limits) -> dict[str, Any]:
    return {name: list(limit) for name, limit in limits.items()}


def _plain(part: Any) -> Any:
    return part.to_dict() if hasattr(part, "to_dict") else part
