"""A fitted model of any library as somebody who answers for rows of the core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._column import Column, name_of
from ._frame import Frame, read_labels
from ._restore import Feature, cells_of, originals_of, table_like


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
        places = {name: i for i, name in enumerate(self._classes)}
        found = np.empty(len(answers.values))
        for row, value in enumerate(answers.values.tolist()):
            word = _word(answers, value)
            if word not in places:
                raise ValueError(
                    f"the model predicted {word!r}; the classes known from its predictions of X are: "
                    f"{', '.join(self._classes)}"
                )
            found[row] = places[word]
        return found


def _word(answers: Column, value: float) -> str:
    if answers.holds == "booleans":
        return str(bool(value))
    return answers.names[int(value)] if answers.holds == "texts" else name_of(value)


def name_of_model(model: Any) -> str:
    return type(model).__name__ if hasattr(model, "predict") else getattr(model, "__name__", type(model).__name__)
