"""Tables and outcomes gathered for the core, and labels on the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._column import Column, name_of
from ._frame import Frame, read_frame, read_labels
from ._options import hints_of, markers_of
from ._restore import cells_of, originals_of, table_like


def training_data(
    frame: Frame,
    outcome: Column,
    *,
    outcome_kind: str | None,
    sample_weight: Any,
    schema: Mapping[str, Any] | None,
    missing: Sequence[Any],
    fresh: tuple[Any, Any] | None = None,
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
        "frame": {"hints": hints, "missing": markers_of(missing)},
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


def class_weight_list(weights: Mapping[Any, float], outcome: Column) -> list[float]:
    """One per class in the core's order: numbers by size, texts by their bytes."""
    by_name = {name_of(label): float(weight) for label, weight in weights.items()}
    if outcome.holds == "texts":
        used = np.unique(outcome.values[~np.isnan(outcome.values)]).astype(int)
        names = sorted((outcome.names[i] for i in used), key=str.encode)
    elif outcome.holds == "booleans":
        names = ["False", "True"]
    else:
        names = [name_of(value) for value in np.unique(outcome.values[~np.isnan(outcome.values)]).tolist()]
    for name in by_name:
        if name not in names:
            raise ValueError(f"class_weights names {name!r}; the classes are: {', '.join(names)}")
    return [by_name.get(name, 1.0) for name in names]


class ModelCaller:
    """Lets a fitted model answer for rows of the core: columns of numbers in, class indexes or numbers out."""

    def __init__(self, model: Any, frame: Frame, schema: list[Any], classes: Sequence[str]) -> None:
        self._predict = model.predict if hasattr(model, "predict") else model
        self._frame = frame
        self._originals = originals_of(frame)
        self._schema = schema
        self._classes = list(classes)

    def __call__(self, columns: list[np.ndarray]) -> np.ndarray:
        cells = {
            feature[0]: cells_of(feature, values, self._originals.get(feature[0], {}))
            for feature, values in zip(self._schema, columns, strict=True)
        }
        ordered = {name: cells[name] for name in self._frame.names if name in cells}
        answers = read_labels(self._predict(table_like(self._frame, ordered)), "prediction")
        if not self._classes:
            return np.asarray(answers.values, dtype=np.float64)
        return self._as_classes(answers)

    def _as_classes(self, answers: Column) -> np.ndarray:
        places = {name: i for i, name in enumerate(self._classes)}
        names = answers.names if answers.holds == "texts" else None
        found = np.empty(len(answers.values))
        for row, value in enumerate(answers.values.tolist()):
            if answers.holds == "booleans":
                word = str(bool(value))
            else:
                word = name_of(value) if names is None else names[int(value)]
            if word not in places:
                raise ValueError(f"the model predicted {word!r}; the classes are: {', '.join(self._classes)}")
            found[row] = places[word]
        return found


def name_of_model(model: Any) -> str:
    return type(model).__name__ if hasattr(model, "predict") else getattr(model, "__name__", type(model).__name__)
