"""Counterfactual rules: the fewest things to change, the range to bring each into, and how sure that is.

>>> import cfrules
>>> X, y = cfrules.datasets.load_credit(400, as_frame=False)
>>> rules = cfrules.CounterfactualRules(trees=50, isolation_trees=50).fit(X, y)
>>> denied = [person for person, decision in zip(X, y) if decision == "rejected"]
>>> e = rules.explain(denied[:5], target="approved", constraints={"age": "immutable"})
>>> len(e), e[0].target
(5, ['approved'])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._core import version as __version__

if TYPE_CHECKING:
    from . import datasets
    from .conditional import ConditionalForest
    from .constraints import Constraints, Implication, Limit
    from .explanations import Explanation, Explanations
    from .records import Condition, Probability, Recourse, RegionalRule, Rule
    from .results import Evaluation, SufficientExplanation, SufficientExplanations, Summary
    from .rules import CounterfactualRules
    from .sklearn import RuleForestClassifier, RuleForestRegressor

__all__ = [
    "Condition",
    "ConditionalForest",
    "Constraints",
    "CounterfactualRules",
    "Evaluation",
    "Explanation",
    "Explanations",
    "Implication",
    "Limit",
    "Probability",
    "Recourse",
    "RegionalRule",
    "Rule",
    "RuleForestClassifier",
    "RuleForestRegressor",
    "SufficientExplanation",
    "SufficientExplanations",
    "Summary",
    "__version__",
    "datasets",
]


# Imported when first asked for: NumPy takes four times as long as all of this, and scikit-learn far longer.
_LATER = {
    "conditional": ("ConditionalForest",),
    "constraints": ("Constraints", "Implication", "Limit"),
    "explanations": ("Explanation", "Explanations"),
    "records": ("Condition", "Probability", "Recourse", "RegionalRule", "Rule"),
    "rules": ("CounterfactualRules",),
    "results": ("Evaluation", "SufficientExplanation", "SufficientExplanations", "Summary"),
    "sklearn": ("RuleForestClassifier", "RuleForestRegressor"),
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "datasets":
        return import_module(f"{__name__}.datasets")
    for module, names in _LATER.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module 'cfrules' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
