"""The results of a run: ratios, memory peaks, points of curves, and noise; as a table and as JSON."""

import json
import statistics
from typing import NamedTuple

from data import in_units
from timing import Ratio, ratio

Times = dict[str, list[float]]

PEER_ROW = 7


class Row(NamedTuple):
    """A ratio of `time`, where less is better for `what`, or of `speed`."""

    number: int
    what: str
    unit: str
    against: str
    ratio: Ratio
    ms: float
    against_ms: float


class Peak(NamedTuple):
    """The peak memory of reading windows, above that of a process that only imports the package."""

    number: int
    what: str
    size: int
    extra: int


class Point(NamedTuple):
    """The cost of the last window of a file of one size for one reader."""

    who: str
    size: int
    ms: float
    extra: int


class Noise(NamedTuple):
    """The variation of one command in this run: the distance of the quartiles as a share of the median."""

    what: str
    ms: float
    spread: float


class Participant(NamedTuple):
    """A participant, as it described itself; `complete` is false where its own limit cut the replies."""

    name: str
    version: str
    settings: str
    python: str
    complete: bool


class Figures(NamedTuple):
    """All results of a run."""

    settings: dict[str, object]
    noise: Noise
    rows: list[Row]
    peaks: list[Peak]
    points: list[Point]
    participants: list[Participant]
    skipped: dict[str, str]
    compared_size: int


def time_row(number: int, what: str, times: Times, of: str, to: str, against: str) -> Row:
    return _row(number, what, "time", against, ratio(times[of], times[to]), times[of], times[to])


def speed_row(number: int, what: str, times: Times, of: str, to: str, against: str) -> Row:
    return _row(number, what, "speed", against, ratio(times[to], times[of]), times[of], times[to])


def as_json(figures: Figures) -> str:
    content = {
        "settings": figures.settings,
        "noise": figures.noise._asdict(),
        "rows": [{**row._asdict(), "ratio": row.ratio._asdict()} for row in figures.rows],
        "peaks": [peak._asdict() for peak in figures.peaks],
        "last_window_by_file_size": [point._asdict() for point in figures.points],
        "readers": [participant._asdict() for participant in figures.participants],
        "skipped": figures.skipped,
    }
    return json.dumps(_rounded(content), indent=1) + "\n"


def as_table(figures: Figures) -> str:
    noise = figures.noise
    lines = [
        ", ".join(f"{name} {value}" for name, value in figures.settings.items()),
        f"Noise of this run: {noise.what} took {noise.ms:.3g} ms, its quartiles are {noise.spread:.1%} apart.",
        _about_intervals(figures.rows),
        "",
        f"row  {'what':<40} {'ms':>7}  {'ratio':<27} is that of",
        *(_line_of(row) for row in figures.rows if row.number != PEER_ROW),
        "",
        f"row  {'peak memory above a process that only imports':<48}",
        *(f"{peak.number:>3}  {peak.what:<40} {in_units(peak.extra):>7}" for peak in figures.peaks),
        "",
        *_peer_table(figures),
        "",
        "who took part",
        *(_line_about(participant) for participant in figures.participants),
        *(f"  !! SKIPPED {name}: {why}" for name, why in figures.skipped.items()),
    ]
    return "\n".join(lines)


def _peer_table(figures: Figures) -> list[str]:
    """Returns row 7: a line for each reader and window, with its time as a multiple of ours in each state."""
    rows = [row for row in figures.rows if row.number == PEER_ROW]
    if not rows:
        return []
    states = list(dict.fromkeys(row.against for row in rows))
    peaks = {point.who: point.extra for point in figures.points if point.size == figures.compared_size}
    lines = [f"row  {'window of 200 lines':<28} {'peak':>8} {'ms':>7}  {''.join(f'x {name:<27}' for name in states)}"]
    for what in dict.fromkeys(row.what for row in rows):
        found = {row.against: row for row in rows if row.what == what}
        ratios = "".join(f"{_formatted(found[state].ratio) if state in found else '':<29}" for state in states)
        peak = in_units(peaks.get(what.partition(",")[0], 0))
        lines.append(f"{PEER_ROW:>3}  {what:<28} {peak:>8} {next(iter(found.values())).ms:>7.3g}  {ratios}".rstrip())
    return lines


def _row(number: int, what: str, unit: str, against: str, found: Ratio, of: list[float], to: list[float]) -> Row:
    return Row(
        number=number,
        what=what,
        unit=unit,
        against=against,
        ratio=found,
        ms=statistics.median(of) * 1000,
        against_ms=statistics.median(to) * 1000,
    )


def _about_intervals(rows: list[Row]) -> str:
    if all(row.ratio.sure for row in rows):
        return "Ratios are of medians, with a 95 % interval from the ratios of each round."
    return "Ratios are of medians, with the range of the few rounds: too few for an interval."


def _line_of(row: Row) -> str:
    return f"{row.number:>3}  {row.what:<40} {row.ms:>7.3g}  {_formatted(row.ratio):<27} {row.unit} of {row.against}"


def _formatted(found: Ratio) -> str:
    return f"{found.value:.3g} ({found.low:.3g} to {found.high:.3g})"


def _line_about(participant: Participant) -> str:
    cut = "" if participant.complete else "; its own limit cuts the replies"
    return (
        f"  {participant.name:<20} {participant.version:<26} Python {participant.python:<8} {participant.settings}{cut}"
    )


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list) else value
