"""Numbers and headings as people read them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .explanations import Explanation
    from .records import Rule


def number_text(value: float) -> str:
    """Thousands apart by thin spaces, no trailing zeros: 12 500, 0.25."""
    if float(value).is_integer():
        return f"{int(value):,}".replace(",", "\u2009")
    whole, _, rest = f"{value:,.4f}".rstrip("0").partition(".") if abs(value) >= 0.01 else (f"{value:.4g}", "", "")
    return whole.replace(",", "\u2009") + (f".{rest}" if rest else "")


def percent(share: float) -> str:
    """As in the sentence: a whole number, and never nothing or everything unless it is."""
    if 0 < share < 0.01:
        return "under 1\u2009%"
    return "over 99\u2009%" if 0.99 < share < 1 else f"{100 * share:.0f}\u2009%"


def probability_text(probability: float) -> str:
    """Two decimals; three where two would claim certainty.

    >>> probability_text(0.9), probability_text(0.9973), probability_text(1)
    ('0.90', '0.997', '1.00')
    """
    if 0.995 <= probability < 1:
        return f"{math.floor(1000 * probability) / 1000:.3f}"
    if 0 < probability < 0.005:
        return f"{math.ceil(1000 * probability) / 1000:.3f}"
    return f"{probability:.2f}"


def target_text(explanation: Explanation) -> str:
    return " or ".join(explanation.target)


def probability_words(rule: Rule) -> str:
    stated = rule.probability
    text = "probability unknown" if stated.stated is None else f"probability {probability_text(stated.stated)}"
    if stated.low is not None and stated.high is not None:
        text += f" ({probability_text(stated.low)} to {probability_text(stated.high)}"
        cases = "points put to the model" if stated.verified else "held-out cases"
        text += f" on {stated.held_out} {cases})" if stated.held_out else ")"
    return text


def rule_heading(explanation: Explanation, rule: Rule) -> str:
    return f"{target_text(explanation)}: {probability_words(rule)}"
