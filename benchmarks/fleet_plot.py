"""Draws the latency of calls over the time of a run as SVG: median and 99th percentile of each second, and events."""

import statistics
from collections import defaultdict
from math import log10
from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 900, 380, 60, 40, 40
LEAST_MS, MOST_MS = 1.0, 100_000.0
COLOURS = {"median": "#1f77b4", "99th percentile": "#d62728"}


def draw(times: list[tuple[float, float]], events: list[tuple[float, str]], picture: Path) -> None:
    """Writes the picture; times are pairs of start and duration in seconds."""
    buckets: dict[int, list[float]] = defaultdict(list)
    length = max(at for at, _ in times)
    step = max(1, round(length / 300))
    for at, took in times:
        buckets[int(at // step)].append(took * 1e3)
    curves = {
        "median": [(bucket * step, statistics.median(each)) for bucket, each in sorted(buckets.items())],
        "99th percentile": [
            (bucket * step, sorted(each)[int(0.99 * len(each))]) for bucket, each in sorted(buckets.items())
        ],
    }
    parts = [*_axes(length), *_events(events, length)]
    for number, (name, curve) in enumerate(curves.items()):
        points = " ".join(f"{_x(at, length):.1f},{_y(ms):.1f}" for at, ms in curve)
        parts.append(f'<polyline fill="none" stroke="{COLOURS[name]}" stroke-width="1.5" points="{points}"/>')
        parts.append(f'<text x="{LEFT + 10 + 90 * number}" y="20" fill="{COLOURS[name]}">{name}</text>')
    style = "font: 12px sans-serif; background: #fff"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" style="{style}">'
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    picture.write_text("\n".join([head, ground, *parts, "</svg>"]) + "\n")


def _x(at: float, length: float) -> float:
    return LEFT + (WIDTH - LEFT - 20) * at / length


def _y(ms: float) -> float:
    share = log10(min(MOST_MS, max(LEAST_MS, ms)) / LEAST_MS) / log10(MOST_MS / LEAST_MS)
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


def _axes(length: float) -> list[str]:
    parts = []
    for power in range(6):
        y = _y(10**power)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - 20}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10**power} ms</text>')
    for tenth in range(0, 11, 2):
        at = length * tenth / 10
        parts.append(f'<text x="{_x(at, length):.1f}" y="{HEIGHT - 15}" text-anchor="middle">{at:.0f} s</text>')
    return parts


def _events(events: list[tuple[float, str]], length: float) -> list[str]:
    parts = []
    for number, (at, name) in enumerate(events):
        x = _x(at, length)
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#888" stroke-dasharray="4"/>'
        )
        parts.append(f'<text x="{x + 4:.1f}" y="{TOP + 12 + 14 * (number % 4)}" fill="#555">{name}</text>')
    return parts
