"""Makes the files that the benchmarks read, in a temporary folder that is removed afterwards, also after Ctrl-C."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from console import progress, warn

WINDOW = 200
PIECE_LINES = 20_000
NUMBERED_LINE = 127
KEPT_FREE = 500_000_000
MIN_SHARE = 0.001

LEVELS = ("INFO ", "INFO ", "INFO ", "DEBUG", "WARN ", "ERROR")
SERVICES = ("basket", "search", "ledger", "mailer", "thumbs", "tenant")
EVENTS = (
    "served the page from the edge cache in",
    "wrote a batch of rows to the journal in",
    "gave up waiting for the upstream after",
    "renewed the lease on the shard it holds in",
    "answered with what it had so far after",
)
CJK_EVENTS = (
    "订单服务已经写入日志并且通知了下游仓库",
    "检索请求命中缓存因此没有访问主数据库",
    "画像の縮小処理が終わり結果を保存しました",
    "請求書の送信に失敗したため再試行します",
    "사용자가요청한페이지를캐시에서전달했습니다",
)


class Sizes(NamedTuple):
    """Bytes of each log; `numbered` is a number of lines, `steps` are the small files of the sweep."""

    log: int
    numbered: int
    long_line: int
    steps: tuple[int, ...]
    large: int = 0

    @property
    def needed(self) -> int:
        return 3 * self.log + self.large + self.numbered * NUMBERED_LINE + self.long_line + sum(self.steps)

    def shrunk(self, share: float) -> "Sizes":
        log, numbered, long_line = (int(share * size) for size in (self.log, self.numbered, self.long_line))
        return Sizes(log, max(numbered, 4 * WINDOW), long_line, self.steps, int(share * self.large))


QUICK = Sizes(4_000_000, 15_000, 4_000_000, (1_000, 10_000, 100_000, 1_000_000))
FULL = Sizes(1_000_000_000, 1_000_000, 200_000_000, (1_000, 10_000, 100_000, 1_000_000, 10_000_000))
LARGE = FULL._replace(large=10_000_000_000)


class Log(NamedTuple):
    """A file of lines; one that repeats a piece knows where each of its lines starts."""

    path: Path
    size: int
    lines: int
    piece_bytes: int = 0
    starts: tuple[int, ...] = ()

    def span(self, line: int, count: int) -> tuple[int, int]:
        begin = self._start_of(line)
        return begin, self._start_of(line + count) - begin

    def _start_of(self, line: int) -> int:
        pieces, within = divmod(line - 1, len(self.starts))
        return pieces * self.piece_bytes + self.starts[within]


class Data(NamedTuple):
    """Every file of one run, in one folder."""

    folder: Path
    sizes: Sizes
    ascii: Log
    crlf: Log
    cjk: Log
    numbered: Log
    steps: tuple[Log, ...]
    large: Log | None
    source: Path
    long_line: Path

    @property
    def largest(self) -> Log:
        return self.large or self.ascii


@contextmanager
def benchmark_data(wanted: Sizes) -> Iterator[Data]:
    sizes = fitting(wanted, shutil.disk_usage(tempfile.gettempdir()).free)
    folder = Path(tempfile.mkdtemp(prefix="readwell-bench-")).resolve()
    try:
        yield _make_all(folder, sizes)
    finally:
        _remove(folder)


def fitting(wanted: Sizes, free: int) -> Sizes:
    room = free - KEPT_FREE
    if wanted.needed <= room:
        return wanted
    share = room / wanted.needed
    why = f"{in_units(wanted.needed)} are wanted, {in_units(free)} are free in the temporary folder (TMPDIR moves it)"
    if share < MIN_SHARE:
        raise SystemExit(f"!! NO ROOM for the benchmark's data: {why}")
    warn(f"SHRUNK: all logs are made at {share:.1%} of their size: {why}")
    return wanted.shrunk(share)


def log_line(number: int, width: int = 0) -> str:
    """Returns an invented line of a log, padded to a width that includes the line end."""
    mixed = number * 2_654_435_761 & 0xFFFFFFFF
    second, milli = mixed % 86_400, mixed % 997
    stamp = f"2026-02-{1 + mixed % 28:02d}T{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}.{milli:03d}Z"
    event = EVENTS[mixed % len(EVENTS)]
    who = f"[{SERVICES[mixed % len(SERVICES)]}-{mixed % 61:02d}]"
    line = f"{stamp} {LEVELS[mixed % len(LEVELS)]} {who} n={number:07d} {event} {mixed % 8999} ms {mixed:08x}"
    return line if len(line) >= width else f"{line} {'.' * (width - len(line) - 2)}"


def cjk_line(number: int) -> str:
    mixed = number * 2_654_435_761 & 0xFFFFFFFF
    event = CJK_EVENTS[mixed % len(CJK_EVENTS)]
    return f"2026-02-{1 + mixed % 28:02d} {mixed % 86_400:05d} 第{number:07d}行 {event} 编号 {mixed:08x}"


def source_lines() -> list[str]:
    lines = ['"""Keeps the stock of a small shop."""', "", "from collections import Counter", "", ""]
    for number in range(1, 20):
        lines += [
            f"def take_{number}(stock: Counter[str], wanted: int) -> int:",
            f'    taken = min(wanted, stock["shelf {number}"])',
            f'    stock["shelf {number}"] -= taken',
            "    return taken",
            "",
        ]
    return lines


def in_units(size: float) -> str:
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= 0.9995 * factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size:.0f} B"


def _make_all(folder: Path, sizes: Sizes) -> Data:
    piece = _joined(log_line(number) for number in range(1, PIECE_LINES + 1))

    def made(name: str, size: int, repeated: bytes) -> Log:
        progress(f"making {name}, {in_units(size)}")
        return _write_repeated(folder / name, size, repeated)

    return Data(
        folder,
        sizes,
        ascii=made("ascii.log", sizes.log, piece),
        crlf=made("crlf.log", sizes.log, piece.replace(b"\n", b"\r\n")),
        cjk=made("cjk.log", sizes.log, _joined(cjk_line(number) for number in range(1, PIECE_LINES + 1))),
        numbered=_write_numbered(folder / "numbered.log", sizes.numbered),
        steps=tuple(made(f"step{size}.log", size, piece) for size in sizes.steps),
        large=made("large.log", sizes.large, piece) if sizes.large else None,
        source=_write_source(folder / "source.py"),
        long_line=_write_long_line(folder / "long.txt", sizes.long_line),
    )


def _joined(lines: Iterator[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _write_repeated(path: Path, size: int, piece: bytes) -> Log:
    """Writes whole lines only, so that every log ends in a line end."""
    starts = [0]
    while following := piece.find(b"\n", starts[-1]) + 1:
        starts.append(following)
    starts.pop()
    pieces, rest = divmod(size, len(piece))
    end = piece[: piece.rfind(b"\n", 0, rest) + 1]
    with path.open("wb") as file:
        for _ in range(pieces):
            file.write(piece)
        file.write(end)
        _flush(file.fileno())
    lines = pieces * len(starts) + end.count(b"\n")
    return Log(path, pieces * len(piece) + len(end), lines, len(piece), tuple(starts))


def _write_numbered(path: Path, lines: int) -> Log:
    with path.open("wb") as file:
        for first in range(1, lines + 1, PIECE_LINES):
            progress(f"making {path.name}, line {first} of {lines}")
            last = min(lines, first + PIECE_LINES - 1)
            file.write(_joined(log_line(number, NUMBERED_LINE) for number in range(first, last + 1)))
        _flush(file.fileno())
    return Log(path, path.stat().st_size, lines)


def _write_source(path: Path) -> Path:
    path.write_text("".join(f"{line}\n" for line in source_lines()))
    return path


def _write_long_line(path: Path, size: int) -> Path:
    progress(f"making {path.name}, one line of {in_units(size)}")
    words = b"one line that never ends goes on and on; "
    piece = words * (1_000_000 // len(words))
    with path.open("wb") as file:
        for written in range(0, size, len(piece)):
            file.write(piece[: size - written])
        _flush(file.fileno())
    return path


def _flush(descriptor: int) -> None:
    """Flushes the file to disk, so that writing does not disturb the measurements."""
    os.fsync(descriptor)


def _remove(folder: Path) -> None:
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        signal.signal(signal.SIGINT, previous)
