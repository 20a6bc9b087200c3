"""Results as pictures, with matplotlib: a rule as bars over histograms, summaries and frequencies as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._backdrop import Backdrop, Histogram
from ._words import number_text, rule_heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .explanations import Explanation
    from .records import Condition
    from .results import Evaluation, SufficientExplanation, Summary

_GREY, _GREEN, _RED = "#9aa5b1", "#1a7f37", "#c2410c"
_LANE = 0.62


def _axes(axes: Axes | None, height: float) -> Axes:
    if axes is not None:
        return axes
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plot() needs matplotlib; install it with: pip install matplotlib") from None
    return plt.subplots(figsize=(7.5, height), layout="constrained")[1]


def plot_rule(explanation: Explanation, rule: int, backdrop: Backdrop | None, axes: Axes | None) -> Axes:
    if backdrop is None:
        raise ValueError("this explanation has lost its model, whose rows are the background; call explain() again")
    if not explanation.rules:
        raise ValueError(f"there is no rule to plot: the status is {explanation.status}")
    chosen = explanation.rules[rule]
    axes = _axes(axes, 1.1 + 1.15 * len(chosen.conditions))
    for lane, side in enumerate(chosen.conditions):
        _draw_lane(axes, -lane, side, backdrop.histogram(side.feature))
    axes.set_yticks([-lane + _LANE / 2 for lane in range(len(chosen.conditions))])
    axes.set_yticklabels([side.feature for side in chosen.conditions])
    axes.set_xticks([])
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(-len(chosen.conditions) + 0.78, _LANE + 0.16)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_title(rule_heading(explanation, chosen), loc="left", fontsize=11)
    return axes


def _draw_lane(axes: Axes, base: float, side: Condition, histogram: Histogram) -> None:
    tallest = max(1, histogram.counts.max())
    heights = _LANE * 0.92 * histogram.counts / tallest
    if histogram.names is not None:
        _draw_names(axes, base, side, histogram.names, heights)
    else:
        _draw_range(axes, base, side, histogram, heights)


def _draw_names(axes: Axes, base: float, side: Condition, names: list[str], heights: np.ndarray) -> None:
    width = 1 / len(names)
    wanted = set(side.values or [])
    for i, (name, height) in enumerate(zip(names, heights, strict=True)):
        middle = (i + 0.5) * width
        colour = _GREEN if name in wanted else _GREY
        axes.bar(middle, height, 0.8 * width, base, color=colour, alpha=0.85 if name in wanted else 0.4)
        style: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": 9}
        now = name == side.from_
        label = f"{name} (now)" if now else name
        axes.text(middle, base - 0.03, label, color=_RED if now else "black", **style)


def _draw_range(axes: Axes, base: float, side: Condition, histogram: Histogram, heights: np.ndarray) -> None:
    edges = histogram.edges
    assert edges is not None
    half = 0.5 if side.kind == "integer" else 0.0  # bars of whole numbers are around them
    shown = [value for value in (side.low, side.high, side.from_) if value is not None]
    low, high = min([edges[0], *shown]), max([edges[-1], *shown])

    def at(value: float) -> float:
        return (value - low) / (high - low)

    starts, widths = (edges[:-1] - low) / (high - low), np.diff(edges) / (high - low)
    axes.bar(starts, heights, widths, base, align="edge", color=_GREY, alpha=0.4)
    left = 0.0 if side.low is None else max(0.0, at(side.low - half))
    right = 1.0 if side.high is None else min(1.0, at(side.high + half))
    axes.fill_between([left, right], base, base + _LANE, color=_GREEN, alpha=0.22, linewidth=0)
    axes.plot([left, right], [base, base], color=_GREEN, linewidth=3, solid_capstyle="butt")
    style: dict[str, Any] = {"va": "top", "fontsize": 9}
    for value, place in ((side.low, left), (side.high, right)):
        if value is not None:
            axes.text(place, base - 0.03, number_text(value), ha="center", color=_GREEN, **style)
    if side.from_ is not None:
        place = at(side.from_)
        axes.plot([place, place], [base, base + _LANE], color=_RED, linewidth=2)
        label = f"now {number_text(side.from_)}"
        axes.text(place, base + _LANE, label, ha="center", va="bottom", fontsize=9, color=_RED)


def plot_summary(summary: Summary, axes: Axes | None) -> Axes:
    names = [f"{each.change_text}\n({each.who_text})" for each in summary.rules]
    axes = _bars(axes, names, [each.served for each in summary.rules], summary.people)
    target = " or ".join(summary.target)
    axes.set_title(f"{target}: {summary.served} of {summary.people} people served", loc="left", fontsize=11)
    axes.set_xlabel("people served by each rule")
    return axes


def plot_frequency(explanation: SufficientExplanation, axes: Axes | None) -> Axes:
    known = {name: share for name, share in explanation.frequency.items() if share}
    ordered = sorted(known, key=lambda name: -known[name])
    axes = _bars(axes, ordered, [known[name] for name in ordered], 1)
    axes.set_title(f"What settles the decision {explanation.decision}", loc="left", fontsize=11)
    axes.set_xlabel("share of the sufficient sets a feature is in")
    return axes


def plot_reliability(evaluation: Evaluation, axes: Axes | None) -> Axes:
    axes = _axes(axes, 4.5)
    axes.plot([0, 1], [0, 1], color=_GREY, linewidth=1, linestyle="--")
    known = [(b.stated, b.observed, b.count) for b in evaluation.reliability if None not in (b.stated, b.observed)]
    points = np.array(known, dtype=np.float64).reshape(-1, 3)
    stated, observed, counts = points.T
    sizes = 30 + 170 * counts / max(1.0, counts.max(initial=1.0))
    axes.plot(stated, observed, color=_GREEN, linewidth=1)
    axes.scatter(stated, observed, s=sizes, color=_GREEN, alpha=0.8)
    axes.set(xlabel="stated probability", ylabel="came true", xlim=(-0.02, 1.02), ylim=(-0.02, 1.05))
    axes.set_title(f"{evaluation.people} people, judged by {evaluation.judged_by}", loc="left", fontsize=11)
    return axes


def _bars(axes: Axes | None, names: list[str], lengths: list[float], whole: float) -> Axes:
    axes = _axes(axes, 1.2 + 0.55 * max(1, len(names)))
    axes.barh(range(len(names)), lengths, color=_GREEN, alpha=0.8, height=0.6)
    axes.set_yticks(range(len(names)), names, fontsize=9)
    axes.invert_yaxis()
    axes.set_xlim(0, max(whole, 1e-9))
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    return axes
