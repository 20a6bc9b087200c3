"""Curves as SVG, both axes logarithmic: no library needed."""

import math

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 360, 70, 50, 30, 150
COLOURS = ["#1f6f8b", "#c8553d", "#588157", "#7b4b94"]


def slope(points: list[tuple[float, float]]) -> float:
    """The power the curve grows like: a straight line through the logarithms."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / spread if spread > 0 else 0.0


class Axis:
    def __init__(self, values: list[float], begin: float, end: float):
        self.low, self.high = math.log10(min(values)), math.log10(max(values))
        if self.high - self.low < 1e-9:
            self.high = self.low + 1
        self.begin, self.end = begin, end

    def place(self, value: float) -> float:
        return self.begin + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self) -> list[float]:
        marks = [m * 10.0**power for power in range(math.floor(self.low), math.ceil(self.high) + 1) for m in (1, 2, 5)]
        inside = [mark for mark in marks if self.low - 1e-9 <= math.log10(mark) <= self.high + 1e-9]
        return [mark for mark in inside if f"{mark:e}"[0] == "1"] if len(inside) > 7 else inside


def text(x: float, y: float, words: str, anchor: str = "middle", colour: str = "#555") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def draw(axis: str, lines: dict[str, list[tuple[float, float]]]) -> str:
    across = Axis([x for points in lines.values() for x, _ in points], LEFT, WIDTH - RIGHT)
    up = Axis([y for points in lines.values() for _, y in points], HEIGHT - BOTTOM, TOP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             text(LEFT, TOP - 12, "milliseconds, one person", "start")]
    for mark in across.ticks():
        x = across.place(mark)
        parts.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#eee"/>' + text(x, HEIGHT - BOTTOM + 18, number(mark)))
    for mark in up.ticks():
        y = up.place(mark)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#eee"/>' + text(LEFT - 8, y + 4, number(mark), "end"))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, axis))
    for (name, points), colour in zip(lines.items(), COLOURS):
        path = "L".join(f"{across.place(x):.1f} {up.place(y):.1f}" for x, y in points)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{across.place(x):.1f}" cy="{up.place(y):.1f}" r="3" fill="{colour}"/>' for x, y in points]
        parts.append(text(WIDTH - RIGHT + 10, up.place(points[-1][1]) + 4, name, "start", colour))
    return "\n".join(parts) + "\n</svg>\n"
