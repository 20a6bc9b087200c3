"""Tables and outcomes gathered for the core, and labels on the way back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ._column import Column, name_of
from ._frame import Frame, read_frame, read_labels
from ._options import hints_of, markers_of

_MOST_CLASSES = 20


def training_data(
    frame: Frame,
    outcome: Column,
    *,
    outcome_kind: str | None,
    sample_weight: Any,
    schema: Mapping[str, Any] | None,
    missing: Sequence[Any],
    fresh: tuple[Any, Any] | None = None,
    classes: Iterable[str] = (),
) -> dict[str, Any]:
    if outcome_kind not in (None, "class", "number"):
        raise ValueError(f"outcome_kind is {outcome_kind!r}; allowed: class, number")
    hints = hints_of(schema)
    if isinstance(frame.source, np.ndarray) and frame.source.dtype.kind == "f":
        # A matrix has one type for all columns: whole numbers in one of them mean nothing.
        told = {hint["name"] for hint in hints}
        hints += [{"name": name, "kind": "number"} for name in frame.names if name not in told]
    data: dict[str, Any] = {
        "features": frame.for_core(),
        "outcome": outcome.for_core(),
        "outcome_kind": outcome_kind or "infer",
        "weights": None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64),
        "frame": {"hints": hints, "missing": markers_of(missing), "classes": list(classes)},
        "fresh": None,
        "fresh_outcome": None,
    }
    if fresh is not None:
        data["fresh"] = read_frame(fresh[0], frame.names).for_core()
        data["fresh_outcome"] = read_labels(fresh[1], outcome.name).for_core()
    return data


def labels_of(outcome: Column, names: Sequence[str]) -> np.ndarray:
    """The classes as y had them, in the order of the core's names."""
    known: dict[str, Any] = dict(zip(outcome.names, outcome.originals, strict=False))
    if outcome.holds == "booleans":
        known = {"False": False, "True": True}
    elif outcome.holds != "texts":
        known = {name_of(value): value for value in np.unique(outcome.values[~np.isnan(outcome.values)]).tolist()}
    return np.array([known.get(name, name) for name in names])


def guessed_labels(names: Sequence[str]) -> np.ndarray:
    """Of a model from a file, which knows names only: whole numbers and truth values are what they look like."""
    if set(names) <= {"False", "True"}:
        return np.array([name == "True" for name in names])
    if all(name.lstrip("-").isdigit() and name == str(int(name)) for name in names):
        return np.array([int(name) for name in names])
    return np.array(list(names))


def is_numeric(outcome: Column, outcome_kind: str | None) -> bool:
    """As the core decides: numbers are classes if they are whole and few, unless told otherwise."""
    if outcome_kind is not None or outcome.holds in ("texts", "booleans"):
        return outcome_kind == "number"
    different = np.unique(outcome.values[~np.isnan(outcome.values)])
    return len(different) > _MOST_CLASSES or bool((different != np.trunc(different)).any())


def class_names(outcome: Column) -> list[str]:
    """In the core's order: numbers by size, texts by their bytes."""
    if outcome.holds == "booleans":
        return ["False", "True"]
    used = np.unique(outcome.values[~np.isnan(outcome.values)])
    if outcome.holds == "texts":
        return sorted({outcome.names[int(place)] for place in used}, key=str.encode)
    return [name_of(value) for value in used.tolist()]


def ordered_classes(labels: Iterable[Any]) -> dict[str, Any]:
    """Names of classes with what they stand for, in the core's order.

    >>> ordered_classes([10, 9, 10]), list(ordered_classes(["b", "a"]))
    ({'9': 9, '10': 10}, ['a', 'b'])
    """
    known = {name_of(label): label for label in labels}
    numbers = all(isinstance(label, (int, float)) and not isinstance(label, bool) for label in known.values())
    return dict(sorted(known.items(), key=lambda item: item[1] if numbers else item[0].encode()))


def classes_said(model: Any, outcome: Column) -> dict[str, Any]:
    """The classes a model says it has, if its predictions are among them; else those that it predicted."""
    seen = ordered_classes(labels_of(outcome, class_names(outcome)).tolist())
    stated = getattr(model, "classes_", None)
    known = ordered_classes(np.asarray(stated).tolist()) if stated is not None and np.ndim(stated) == 1 else {}
    return known if set(seen) <= set(known) else seen


def class_weight_list(weights: Mapping[Any, float], names: Sequence[str]) -> list[float]:
    """One per class, in the core's order."""
    by_name = {name_of(label): float(weight) for label, weight in weights.items()}
    for name in by_name:
        if name not in names:
            raise ValueError(f"class_weights names {name!r}; the classes are: {', '.join(names)}")
    return [by_name.get(name, 1.0) for name in names]
