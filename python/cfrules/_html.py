"""An explanation as a card: HTML and SVG without scripts, readable on dark and on light pages."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ._backdrop import Backdrop, Histogram
from ._words import number_text, percent, probability_text, probability_words, target_text

if TYPE_CHECKING:
    from .explanations import Explanation
    from .records import Condition, Rule, SufficientSet
    from .results import Evaluation, SufficientExplanation, Summary

_WIDTH, _HEIGHT, _BASE = 360, 58, 40

# Notebooks name their dark themes in different ways, and some only follow the system.
_DARK = "--cfr-ink:#e6e9ee;--cfr-dim:#98a2b0;--cfr-page:#1c2128;--cfr-line:#39424e;--cfr-good:#4ac26b;--cfr-now:#ff9566"
_STYLE = f"""
.cfr{{--cfr-ink:#1f2328;--cfr-dim:#5b6673;--cfr-page:#fff;--cfr-line:#d5dae0;--cfr-good:#1a7f37;--cfr-now:#b93a08;
font:14px/1.45 system-ui,sans-serif;color:var(--cfr-ink);background:var(--cfr-page);border:1px solid var(--cfr-line);
border-radius:8px;padding:12px 16px;margin:8px 0;max-width:640px}}
@media (prefers-color-scheme:dark){{.cfr{{{_DARK}}}}}
html[theme=dark] .cfr,body[data-jp-theme-light=false] .cfr,body.vscode-dark .cfr{{{_DARK}}}
html[theme=light] .cfr,body[data-jp-theme-light=true] .cfr,body.vscode-light .cfr{{--cfr-ink:#1f2328;--cfr-dim:#5b6673;
--cfr-page:#fff;--cfr-line:#d5dae0;--cfr-good:#1a7f37;--cfr-now:#b93a08}}
.cfr p{{margin:0 0 6px;color:var(--cfr-ink)}}
.cfr .dim{{color:var(--cfr-dim)}} .cfr .good{{color:var(--cfr-good);font-weight:600}}
.cfr .side{{display:grid;grid-template-columns:minmax(120px,200px) 1fr;gap:4px 14px;align-items:center;margin:4px 0}}
.cfr svg{{width:100%;height:auto;max-width:{_WIDTH}px;overflow:visible}}
.cfr svg text{{font:11px system-ui,sans-serif;fill:var(--cfr-dim)}}
.cfr .rule+.rule{{border-top:1px solid var(--cfr-line);margin-top:10px;padding-top:10px}}
.cfr .bar{{fill:var(--cfr-dim);opacity:.35}} .cfr .in{{fill:var(--cfr-good);opacity:.8}}
.cfr .range{{fill:var(--cfr-good);opacity:.2}} .cfr .edge{{stroke:var(--cfr-good);stroke-width:3}}
.cfr .now{{stroke:var(--cfr-now);stroke-width:2}} .cfr svg .nowtext{{fill:var(--cfr-now)}}
.cfr svg .goodtext{{fill:var(--cfr-good)}}
.cfr table{{border-collapse:collapse;width:100%;color:var(--cfr-ink);background:transparent}}
.cfr th,.cfr td{{text-align:left;padding:3px 10px 3px 0;border-bottom:1px solid var(--cfr-line);vertical-align:top;
background:transparent}}
.cfr th{{color:var(--cfr-dim);font-weight:400}} .cfr .number{{text-align:right;white-space:nowrap}}
"""


def card(explanation: Explanation, backdrop: Backdrop | None) -> str:
    body = _opening(explanation) + "".join(
        _rule(explanation, rule, at, backdrop) for at, rule in enumerate(explanation.rules)
    )
    if explanation.rules and not explanation.plausible:
        body += '<p class="dim">Take care: parts of what is proposed lie where hardly anybody has been seen.</p>'
    if explanation.note:
        body += f'<p class="dim">Note: {escape(explanation.note)}</p>'
    return _framed(body)


def _framed(body: str) -> str:
    return f'<style>{_STYLE}</style><div class="cfr">{body}</div>'


def _table(heads: list[str], lines: list[list[str]]) -> str:
    """Cells are HTML; those that begin with a digit stand right, and so does the head above them."""
    numeric = [cell[:1].isdigit() for cell in lines[0]] if lines else [False] * len(heads)
    kinds = [' class="number"' if number else "" for number in numeric]
    head = "".join(f"<th{kind}>{escape(word)}</th>" for kind, word in zip(kinds, heads, strict=True))
    rows = "".join("<tr>" + "".join(_table_cell(cell) for cell in line) + "</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _table_cell(cell: str) -> str:
    return f'<td class="number">{cell}</td>' if cell[:1].isdigit() else f"<td>{cell}</td>"


def summary_card(summary: Summary) -> str:
    target = escape(" or ".join(summary.target))
    share = f" ({percent(summary.served / summary.people)})" if summary.people else ""
    lead = f"<p>Of {summary.people} people who need <b>{target}</b>, these rules serve {summary.served}{share}.</p>"
    lines = [
        [
            escape(each.who_text),
            f'<span class="good">{escape(each.change_text)}</span>',
            str(each.people),
            str(each.served),
            _probability(each.rule.probability.stated),
        ]
        for each in summary.rules
    ]
    return _framed(lead + _table(["who", "change", "people", "served", "probability"], lines))


def sufficient_card(explanation: SufficientExplanation) -> str:
    decision = f"<b>{escape(explanation.decision)}</b>"
    if not explanation.found:
        body = f"<p>No few features settle the decision {decision}; these come nearest.</p>"
    else:
        body = f"<p>The decision is {decision}, whatever else changes, as long as these stay.</p>"
    lines = [[_features(each), _probability(each.probability)] for each in explanation.sets]
    return _framed(body + _table(["features", "probability"], lines))


def _features(each: SufficientSet) -> str:
    sides = "<br>".join(escape(side.statement) for side in each.rule)
    return sides or escape(" and ".join(each.features))


def evaluation_card(evaluation: Evaluation) -> str:
    lead = f"<p>{evaluation.people} people asked, judged by <b>{escape(evaluation.judged_by)}</b>.</p>"
    shown = [line for line in evaluation._lines() if line["measure"] not in ("people", "already")]
    lines = [[escape(line["measure"].replace("_", " ")), _figure(line["value"])] for line in shown]
    return _framed(lead + _table(["measure", ""], lines))


def _probability(value: float | None) -> str:
    return "unknown" if value is None else probability_text(value)


def _figure(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3g}"


def _opening(explanation: Explanation) -> str:
    target = escape(target_text(explanation))
    if explanation.status == "already_in_target":
        return f"<p>Nothing needs to change: the outcome is <b>{target}</b> already.</p>"
    if explanation.status == "no_recourse" and not explanation.rules:
        return f"<p>No change leads to <b>{target}</b>.</p>"
    if explanation.status != "found":
        return "<p>No rule reaches the wanted probability; this is the best there is.</p>"
    return ""


def _rule(explanation: Explanation, rule: Rule, at: int, backdrop: Backdrop | None) -> str:
    lead = "Keep everything else. Bring" if at == 0 else "Or keep everything else and bring"
    sides = "".join(_side(side, backdrop) for side in rule.conditions)
    target = escape(target_text(explanation))
    whom = "similar people" if any(side.from_ is not None for side in rule.conditions) else "people"
    mass = "" if rule.mass is None else f' <span class="dim">{percent(rule.mass)} of {whom} are there already.</span>'
    then = f'<p>then: <b>{target}</b>, <span class="good">{escape(probability_words(rule))}</span>.{mass}</p>'
    return f'<div class="rule"><p>{lead}</p>{sides}{then}</div>'


def _side(side: Condition, backdrop: Backdrop | None) -> str:
    now = "" if side.from_ is None else f'<span class="dim">from {escape(_cell(side.from_))}</span><br>'
    words = f'<div><b>{escape(side.feature)}</b><br>{now}<span class="good">{escape(_into(side))}</span></div>'
    picture = "" if backdrop is None else _picture(side, backdrop.histogram(side.feature))
    return f'<div class="side">{words}<div>{picture}</div></div>'


def _into(side: Condition) -> str:
    text = side.range_text
    return f"into {text}" if text.startswith(("[", "(")) else f"to {text}"


def _cell(value: object) -> str:
    return number_text(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else str(value)


def _picture(side: Condition, histogram: Histogram) -> str:
    drawn = _names(side, histogram) if histogram.names is not None else _range(side, histogram)
    words = escape(f"{side.feature}: {side.range_text}", quote=True)
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{words}">{drawn}</svg>'


def _bar(left: float, width: float, share: float, kind: str) -> str:
    height = (_BASE - 12) * share
    return f'<rect class="{kind}" x="{left:.1f}" y="{_BASE - height:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


def _text(x: float, y: float, words: str, kind: str = "") -> str:
    anchor = "start" if x < 30 else "end" if x > _WIDTH - 30 else "middle"
    return f'<text class="{kind}" x="{x:.1f}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'


def _names(side: Condition, histogram: Histogram) -> str:
    names = histogram.names or []
    step = _WIDTH / max(1, len(names))
    tallest = max(1, histogram.counts.max())
    wanted = set(side.values or [])
    drawn = ""
    for i, name in enumerate(names):
        drawn += _bar((i + 0.1) * step, 0.8 * step, histogram.counts[i] / tallest, "in" if name in wanted else "bar")
        kind = "nowtext" if name == side.from_ else "goodtext" if name in wanted else ""
        room = max(1, int(step / 6))
        drawn += _text((i + 0.5) * step, _HEIGHT - 5, name if len(name) <= room else name[: room - 1] + "…", kind)
    return drawn


def _range(side: Condition, histogram: Histogram) -> str:
    edges = histogram.edges
    assert edges is not None
    half = 0.5 if side.kind == "integer" else 0.0  # bars of whole numbers are around them
    shown = [value for value in (side.low, side.high, side.from_) if value is not None]
    low, high = float(min([edges[0], *shown])), float(max([edges[-1], *shown]))

    def at(value: float) -> float:
        return _WIDTH * (value - low) / (high - low)

    tallest = max(1, histogram.counts.max())
    drawn = "".join(
        _bar(at(edges[i]), at(edges[i + 1]) - at(edges[i]), count / tallest, "bar")
        for i, count in enumerate(histogram.counts)
    )
    left = 0.0 if side.low is None else max(0.0, at(side.low - half))
    right = float(_WIDTH) if side.high is None else min(float(_WIDTH), at(side.high + half))
    drawn += f'<rect class="range" x="{left:.1f}" y="12" width="{max(1.0, right - left):.1f}" height="{_BASE - 12}"/>'
    drawn += f'<line class="edge" x1="{left:.1f}" x2="{max(left + 2, right):.1f}" y1="{_BASE}" y2="{_BASE}"/>'
    close = side.low is not None and side.high is not None and right - left < 70
    for value, place in ((side.low, left), (side.high, right)):
        if value is not None and not (close and value == side.high):
            both = f"{number_text(value)} to {number_text(side.high or 0)}" if close else number_text(value)
            drawn += _text((left + right) / 2 if close else place, _HEIGHT - 5, both, "goodtext")
    if isinstance(side.from_, (int, float)):
        x = at(side.from_)
        drawn += f'<line class="now" x1="{x:.1f}" x2="{x:.1f}" y1="12" y2="{_BASE + 3}"/>'
        drawn += _text(x, 9, f"now {number_text(side.from_)}", "nowtext")
    return drawn
