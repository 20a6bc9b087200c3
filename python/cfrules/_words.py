"""Numbers and headings as people read them."""

from __future__ import annotations

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
    text = f"{100 * share:.0f}" if share >= 0.1 else f"{100 * share:.2g}"
    return f"{text}\u2009%"


def target_text(explanation: Explanation) -> str:
    return " or ".join(explanation.target)


def probability_words(rule: Rule) -> str:
    stated = rule.probability
    text = "probability unknown" if stated.stated is None else f"probability {stated.stated:.2f}"
    if stated.low is not None and stated.high is not None:
        text += f" ({stated.low:.2f} to {stated.high:.2f}"
        text += f" on {stated.held_out} held-out cases)" if stated.held_out else ")"
    return text


def rule_heading(explanation: Explanation, rule: Rule) -> str:
    return f"{target_text(explanation)}: {probability_words(rule)}"
