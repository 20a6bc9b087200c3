"""Which fitted models have trees that can be read, and reading them."""

from __future__ import annotations

from typing import Any

from ._category_order import order_categories
from ._column import Column, name_of
from ._frame import Frame
from ._learning import class_names, ordered_classes
from ._tree_arrays import ForestArrays

_XGBOOST = ("XGBClassifier", "XGBRegressor", "XGBRFClassifier", "XGBRFRegressor", "Booster")
_LIGHTGBM = ("LGBMClassifier", "LGBMRegressor", "Booster")


def _library_of(model: Any) -> str:
    for kind in type(model).__mro__:
        root = kind.__module__.partition(".")[0]
        if root == "sklearn" and kind.__name__.startswith(("RandomForest", "ExtraTrees")):
            return root
        if (root == "xgboost" and kind.__name__ in _XGBOOST) or (root == "lightgbm" and kind.__name__ in _LIGHTGBM):
            return root
    return ""


def is_readable_forest(model: Any) -> bool:
    """Whether from_model takes over this model's own trees."""
    return _library_of(model) != ""


def read_forest(model: Any) -> ForestArrays:
    library = _library_of(model)
    if library == "sklearn":
        from ._sklearn_trees import read_sklearn

        return read_sklearn(model)
    if library == "xgboost":
        from ._xgboost_trees import read_xgboost

        return read_xgboost(model)
    if library == "lightgbm":
        from ._lightgbm_trees import read_lightgbm

        return read_lightgbm(model)
    allowed = "scikit-learn's random forests and extra trees, XGBoost and LightGBM models"
    raise ValueError(f"the trees of a {type(model).__name__} cannot be read; allowed: {allowed}")


def forest_document(model: Any, frame: Frame, outcome: Column) -> tuple[ForestArrays, dict[str, Any] | None]:
    """The forest in the terms of the frame, and the schema that its columns must be read with."""
    forest = read_forest(model)
    if forest.features is not None and set(forest.features) - set(frame.names):
        if len(forest.features) != len(frame.names):
            absent = sorted(set(forest.features) - set(frame.names))
            raise ValueError(f"X: the model needs the columns {absent}, not found; the columns are {frame.names}")
        forest.features = None  # names the library made up: by position
    schema = order_categories(forest, frame)
    _refuse_texts(forest, frame)
    if forest.classes is not None:
        _match_classes(forest, outcome)
    return forest, schema


def _refuse_texts(forest: ForestArrays, frame: Frame) -> None:
    names = forest.features or frame.names
    cut = {names[int(feature)] for tree in forest.trees for feature in tree.feature[tree.left >= 0]}
    for column in frame.columns:
        if column.holds == "texts" and column.name in cut - set(forest.orders):
            raise ValueError(
                f"X: column '{column.name}' holds texts, which the trees cannot have split; "
                "explain the whole pipeline with from_model(pipeline, X)"
            )


def _match_classes(forest: ForestArrays, outcome: Column) -> None:
    """The core orders classes by its own rule, and outputs must be in that order. Not every class need occur in y."""
    assert forest.classes is not None
    names = [name_of(label) for label in forest.classes]
    strangers = [name for name in class_names(outcome) if name not in names]
    if strangers:
        raise ValueError(f"y holds the classes {strangers}, which the model does not predict; it predicts {names}")
    order = [names.index(name) for name in ordered_classes(forest.classes)]
    if order == list(range(len(order))):
        return
    for tree in forest.trees:
        tree.value = tree.value[:, order] if tree.value.shape[1] == len(order) else -tree.value
    forest.base = [forest.base[i] for i in order] if len(forest.base) == len(order) else [-b for b in forest.base]
