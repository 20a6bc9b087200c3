"""Counterfactual rules in the manner of scikit-learn: fit, then explain."""

from __future__ import annotations

from ._files import Files
from ._fitting import Fitting
from ._questions import Questions


class CounterfactualRules(Fitting, Questions, Files):
    """Learns from a table which changes lead to a wanted outcome, and says so as rules.

    Every argument is kept as given. ``None`` stands for the default by labels, as on the command line.
    Answers depend on the data, the arguments and ``random_state`` only, never on ``n_jobs``.

    >>> from cfrules import CounterfactualRules
    >>> people = [{"savings": s, "owns": s % 2 == 0} for s in range(0, 4000, 10)]
    >>> decisions = ["approved" if p["savings"] >= 2000 else "rejected" for p in people]
    >>> rules = CounterfactualRules(trees=20, audit=0).fit(people, decisions)
    >>> found = rules.explain({"savings": 310, "owns": False}, target="approved")
    >>> found[0].status, found[0].changed
    ('found', ['savings'])
    """
