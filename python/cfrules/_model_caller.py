"""A fitted model of any library as somebody who answers for rows of the core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._column import Column, name_of
from ._frame import Frame, read_labels
from ._restore import Feature, cells_of, originals_of, table_like


class UnknownClassesError(ValueError):
    """The model predicted classes that it was not known to have."""

    def __init__(self, labels: Sequence[Any], classes: Sequence[str]) -> None:
        word = name_of(labels[0])
        super().__init__(
            f"the model predicted {word!r}; the classes known from its predictions of X are: {', '.join(classes)}"
        )
        self.labels = labels


class ModelCaller:
    """Rows of the core in, as columns of numbers; class indexes or numbers out.

    The model gets tables of the kind and types of ``frame``, which it was fitted on or can predict for.
    """

    def __init__(self, model: Any, frame: Frame, classes: Sequence[str]) -> None:
        self._predict = model.predict if hasattr(model, "predict") else model
        self._frame = frame
        self._originals = originals_of(frame)
        self._classes = list(classes)

    def __call__(self, schema: list[Feature], columns: list[np.ndarray]) -> np.ndarray:
        cells = {
            feature[0]: cells_of(feature, values, self._originals.get(feature[0], {}))
            for feature, values in zip(schema, columns, strict=True)
        }
        ordered = {name: cells[name] for name in self._frame.names if name in cells}
        answers = read_labels(self._predict(table_like(self._frame, ordered)), "prediction")
        return self._as_classes(answers) if self._classes else np.asarray(answers.values, dtype=np.float64)

    def _as_classes(self, answers: Column) -> np.ndarray:
        """Each different answer is looked up once."""
        if np.isnan(answers.values).any():
            row = int(np.flatnonzero(np.isnan(answers.values))[0])
            raise ValueError(
                f"the model predicted nothing for row {row} of {len(answers.values)}; allowed: a class for every row"
            )
        different, places = np.unique(answers.values, return_inverse=True)
        labels = [_label(answers, value) for value in different.tolist()]
        known = {name: i for i, name in enumerate(self._classes)}
        unknown = [label for label in labels if name_of(label) not in known]
        if unknown:
            raise UnknownClassesError(unknown, self._classes)
        return np.array([known[name_of(label)] for label in labels], dtype=np.float64)[places]


def _label(answers: Column, value: float) -> Any:
    if answers.holds == "booleans":
        return bool(value)
    return answers.originals[int(value)] if answers.holds == "texts" else value


def name_of_model(model: Any) -> str:
    return type(model).__name__ if hasattr(model, "predict") else getattr(model, "__name__", type(model).__name__)
