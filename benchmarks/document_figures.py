"""The results of a run over documents: speed, scores, memory, cost of the cage; as a table and as JSON."""

import json
from typing import NamedTuple

from cage_cost import Large, Overhead
from data import in_units
from scores import Score
from timing import Ratio

SCORES_HEAD = (
    f"{'PDF, scores':<12} {'kept':>6} {'least':>6} {'tables':>7} {'macro':>6} {'heads':>6} {'pages/s':>8}"
    "  made: text, headings, cells"
)


class SpeedRow(NamedTuple):
    """Processor seconds for the pages of one PDF, as a ratio to ours too, and the peak memory of the process."""

    what: str
    who: str
    pages: int
    seconds: float
    time_of_ours: Ratio
    peak: int


class PdfRow(NamedTuple):
    """The quality of PDF conversion: scores of real documents, then that of the generated one."""

    who: str
    kept_mean: float
    kept_least: float
    tables_micro: float | None
    tables_macro: float | None
    headings: float | None
    made: Score
    pages_per_second: float
    failed: int


class OfficeRow(NamedTuple):
    """The quality of conversion of one format, and its processor time relative to ours."""

    kind: str
    origin: str
    who: str
    files: int
    score: Score
    time_of_ours: Ratio


class Participant(NamedTuple):
    """A participant, as it described itself."""

    name: str
    version: str
    python: str
    settings: str


class Figures(NamedTuple):
    """All results of a run."""

    settings: dict[str, object]
    speeds: list[SpeedRow]
    pdfs: list[PdfRow]
    heads_kept: tuple[float, float]
    office: list[OfficeRow]
    overhead: Overhead
    large: Large
    participants: list[Participant]
    skipped: dict[str, str]


def as_json(figures: Figures) -> str:
    return json.dumps(_plain(figures), indent=1) + "\n"


def as_table(figures: Figures) -> str:
    return "\n".join(
        [
            ", ".join(f"{name} {value}" for name, value in figures.settings.items()),
            "",
            f"{'PDF, processor time':<20} {'pages':>18} {'pages/s':>8} {'x ours':>22} {'peak':>8}",
            *map(_speed_line, figures.speeds),
            "",
            SCORES_HEAD,
            *map(_pdf_line, figures.pdfs),
            "readwell with running heads left in: kept {:.3f}, least {:.3f}".format(*figures.heads_kept),
            "",
            f"{'office':<5} {'':<5} {'':<12} {'files':>5} {'text':>6} {'heads':>6} {'cells':>6} {'time x ours':>22}",
            *map(_office_line, figures.office),
            "",
            *_cage_lines(figures.overhead, figures.large),
            "",
            "who took part",
            *(
                f"  {each.name:<12} {each.version:<18} Python {each.python:<8} {each.settings}"
                for each in figures.participants
            ),
            *(f"  !! SKIPPED {name}: {why}" for name, why in figures.skipped.items()),
        ]
    )


def _speed_line(row: SpeedRow) -> str:
    speed = f"{row.pages:>11} {row.pages / row.seconds:>8.3g}"
    return f"{row.what:<14} {row.who:<12} {speed} {_formatted(row.time_of_ours):>22} {in_units(row.peak):>8}"


def _pdf_line(row: PdfRow) -> str:
    kept = f"{row.kept_mean:>6.3f} {row.kept_least:>6.3f}"
    tables = f"{_share(row.tables_micro):>7} {_share(row.tables_macro):>6}"
    failed = f"; {row.failed} not converted" if row.failed else ""
    made = ", ".join(map(_share, row.made))
    return f"{row.who:<12} {kept} {tables} {_share(row.headings):>6} {row.pages_per_second:>8.3g}  {made}{failed}"


def _office_line(row: OfficeRow) -> str:
    scores = " ".join(f"{_share(value):>6}" for value in row.score)
    return f"{row.kind:<5} {row.origin:<5} {row.who:<12} {row.files:>5} {scores} {_formatted(row.time_of_ours):>22}"


def _cage_lines(price: Overhead, read: Large) -> list[str]:
    return [
        f"small DOCX: {price.caged_ms:.3g} ms through the warm worker, {price.in_process_ms:.3g} ms in process, "
        f"{price.extra_ms:.3g} ms more (tenth percentile {price.least_extra_ms:.3g} ms)",
        f"large PDF through the cage: first window {read.first_cpu_s:.3g} of {read.whole_cpu_s:.3g} processor seconds, "
        f"1/{read.whole_cpu_s / read.first_cpu_s:.1f}; {read.first_s:.3g} of {read.whole_s:.3g} s",
        f"memory: the worker {in_units(read.worker_peak)} at most, the caller {in_units(read.caller_extra)} more",
    ]


def _formatted(found: Ratio) -> str:
    return f"{found.value:.3g} ({found.low:.3g} to {found.high:.3g})"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _plain(value: object) -> object:
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if names := getattr(value, "_fields", ()):
        return {name: _plain(getattr(value, name)) for name in names}
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value
