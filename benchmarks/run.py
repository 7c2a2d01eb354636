"""Compares readwell with `wc -l`, minimal Python and its peers: `python benchmarks/run.py [--large] [--quick]`.

Every ratio comes from one interleaved run; writes results.json, the page of the guide and its pictures.
"""

import argparse
import os
import platform
import signal
import sys
from pathlib import Path

from console import progress, warn
from data import FULL, LARGE, QUICK, Data, Sizes, benchmark_data, in_units
from figures import Figures, as_json, as_table
from peer_comparison import compare_peers, memory_peaks
from peers import Peer, peers_named
from performance_page import write_page
from plots import PICTURES, RESULTS, draw_in_own_environment
from readwell_calls import version_of
from scan_and_window import scan_rows, window_rows
from timing import MIN_PAIRS

QUICK_ROUNDS = 3
WINDOW_ROUNDS = 31


def main() -> None:
    options = _options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    peers = peers_named(options.peers)
    try:
        with benchmark_data(_sizes(options)) as data:
            figures = _measured(data, peers, options.quick)
    except KeyboardInterrupt:
        progress("")
        sys.exit("interrupted; the data is removed")
    progress("")
    print(as_table(figures))
    _write(figures, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", action="store_true", help="also a log of 10 GB")
    parser.add_argument("--quick", action="store_true", help="a few MB and three rounds, to try the benchmark itself")
    parser.add_argument("--peers", metavar="A,B", help="only these peers; none: without peers")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="write results.json and the pictures there")
    options = parser.parse_args()
    if options.large and options.quick:
        parser.error("--large and --quick exclude each other")
    return options


def _sizes(options: argparse.Namespace) -> Sizes:
    if options.quick:
        return QUICK
    return LARGE if options.large else FULL


def _measured(data: Data, peers: tuple[Peer, ...], quick: bool) -> Figures:
    _warn_of_little_memory(data)
    rounds = QUICK_ROUNDS if quick else MIN_PAIRS
    window_rounds = QUICK_ROUNDS if quick else WINDOW_ROUNDS
    scans, noise = scan_rows(data, rounds)
    windows = window_rows(data, window_rounds)
    peaks = memory_peaks(data)
    comparison = compare_peers(data, peers, rounds)
    rows = sorted([*scans, *windows, *comparison.rows], key=lambda row: row.number)
    return Figures(
        settings=_settings(data, rounds, window_rounds),
        noise=noise,
        rows=rows,
        peaks=peaks,
        points=comparison.points,
        participants=comparison.participants,
        skipped=comparison.skipped,
        compared_size=data.numbered.size,
    )


def _settings(data: Data, rounds: int, window_rounds: int) -> dict[str, object]:
    return {
        "readwell": version_of("readwell"),
        "stringzilla": version_of("stringzilla"),
        "Python": platform.python_version(),
        "system": platform.system(),
        "CPUs": os.cpu_count(),
        "log": in_units(data.ascii.size),
        "largest log": in_units(data.largest.size),
        "numbered log": f"{data.numbered.lines} lines, {in_units(data.numbered.size)}",
        "rounds": rounds,
        "rounds of windows": window_rounds,
    }


def _warn_of_little_memory(data: Data) -> None:
    """Warns where the files do not fit into the page cache: the benchmark would measure the disk."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if data.sizes.needed > memory * 0.7:
        warn(f"LITTLE MEMORY: {in_units(data.sizes.needed)} of data, {in_units(memory)} of memory: the disk counts too")


def _write(figures: Figures, options: argparse.Namespace) -> None:
    if options.quick and options.into is None:
        print("\nA quick run says little: nothing was written (--into FOLDER writes it).")
        return
    results = options.into / "results.json" if options.into else RESULTS
    results.parent.mkdir(parents=True, exist_ok=True)
    results.write_text(as_json(figures))
    print(f"\nwritten: {results.name}")
    draw_in_own_environment(results, options.into or PICTURES)
    if options.into is None:
        write_page()


if __name__ == "__main__":
    main()
