"""Compares document conversion with other converters: `python benchmarks/documents.py [--quick] [--peers A,B]`.

Measures processor time, quality, memory and the cost of the cage; writes documents.json and pictures.
"""

import argparse
import json
import os
import platform
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import mean

from cage_cost import large, overhead
from console import progress, warn
from document_figures import Figures, OfficeRow, Participant, PdfRow, SpeedRow, as_json, as_table
from document_plots import draw_in_own_environment
from document_set import ALL_PAGES, OFFICE, SAMPLE_PAGES, DocumentSet, document_set
from document_tables import PAGE, write
from pdf_scores import pdf_scores
from pdf_text import measure
from peers import Peer, Skipped, Worker, start
from readwell_calls import version_of
from scores import Score, score
from timing import Job, JobDropped, interleaved, ratio

HERE = Path(__file__).parent
RESULTS = HERE / "documents.json"
PICTURES = HERE.parent / "docs" / "pictures"
OURS = Peer("readwell", is_ours=True)
PEERS = (
    Peer("markitdown", "markitdown[pdf,docx,pptx,xlsx]", "pip"),
    Peer("pdfplumber", "pdfplumber", "pip"),
    Peer("liteparse", "liteparse", "pip"),
    Peer("pypdfium2", "pypdfium2", "pip"),
    Peer("mammoth", "mammoth==1.13.0 html-to-markdown==3.19.0", "pip"),
)
READS = {
    "readwell": ("pdf", *OFFICE),
    "markitdown": ("pdf", *OFFICE),
    "pdfplumber": ("pdf",),
    "liteparse": ("pdf",),
    "pypdfium2": ("pdf",),
    "mammoth": ("docx",),
}
FAST = ("readwell", "liteparse", "pypdfium2")
"""Converters that take seconds, not minutes, for a thousand pages."""
QUICK_PAGES = 60
Workers = dict[str, Worker]


def main() -> None:
    options = _options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with document_set(QUICK_PAGES if options.quick else ALL_PAGES) as documents, ExitStack() as stack:
            figures = _measured(documents, stack, options)
            progress("")
            print(as_table(figures))
            _write(figures, options, documents)
    except KeyboardInterrupt:
        progress("")
        sys.exit("interrupted; the documents are removed")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few documents and rounds, to try the benchmark itself")
    parser.add_argument("--peers", metavar="A,B", help="only these peers; none: without peers")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="write documents.json and the pictures there")
    return parser.parse_args()


def _measured(documents: DocumentSet, stack: ExitStack, options: argparse.Namespace) -> Figures:
    skipped: dict[str, str] = {}
    workers = _started(_chosen(options.peers), documents, stack, skipped)
    rounds = 1 if options.quick else 2
    load = os.getloadavg()[0]
    speeds = _pdf_speeds(documents, workers, rounds)
    pdfs = _pdf_rows(documents, workers, documents.pdfs[:3] if options.quick else documents.pdfs)
    office = [row for kind in OFFICE for row in _office_rows(kind, documents, workers, rounds)]
    price = overhead(documents.folder / "report.docx", 20 if options.quick else 200)
    (documents.folder / "warming.pdf").write_bytes((documents.folder / "report.pdf").read_bytes())
    read = large(documents.folder / "report.pdf", documents.thousand, 1)
    participants = [
        Participant(name, *(each.hello[key] for key in Participant._fields[1:])) for name, each in workers.items()
    ]
    return Figures(
        settings=_settings(documents, rounds, (load, os.getloadavg()[0])),
        speeds=speeds,
        pdfs=pdfs,
        heads_kept=_heads_kept(documents, options.quick),
        office=office,
        overhead=price,
        large=read,
        participants=participants,
        skipped=skipped,
    )


def _participant(name: str, worker: Worker) -> Participant:
    return Participant(name, *(worker.hello[field] for field in Participant._fields[1:]))


def _chosen(names: str | None) -> tuple[Peer, ...]:
    wanted = [peer.name for peer in PEERS] if names is None else names.split(",")
    if unknown := set(wanted) - {"none"} - {peer.name for peer in PEERS}:
        raise SystemExit(f"unknown peer: {', '.join(sorted(unknown))}")
    return tuple(peer for peer in PEERS if peer.name in wanted)


def _started(peers: tuple[Peer, ...], documents: DocumentSet, stack: ExitStack, skipped: dict[str, str]) -> Workers:
    workers: Workers = {}
    for peer in (OURS, *peers):
        try:
            workers[peer.name] = stack.enter_context(start(peer, documents.folder, HERE / "converter_worker.py"))
        except Skipped as why:
            warn(f"SKIPPED {peer.name}: {why}")
            skipped[peer.name] = str(why).partition(":")[0]
    return workers


def _pdf_speeds(documents: DocumentSet, workers: Workers, rounds: int) -> list[SpeedRow]:
    """Times a sample of pages with every converter, then a thousand pages with the fast ones."""
    readers = {name: worker for name, worker in workers.items() if "pdf" in READS[name]}
    few = _speeds("sample", documents.sample, readers, rounds)
    fast = {name: worker for name, worker in readers.items() if name in FAST}
    return few + _speeds("thousand", documents.thousand, fast, 1)


def _speeds(what: str, path: Path, workers: Workers, rounds: int) -> list[SpeedRow]:
    jobs: dict[str, Job] = {name: _job(worker, [path]) for name, worker in workers.items()}
    times = interleaved(jobs, rounds)
    pages = _pages(path)
    return [
        SpeedRow(
            what=what,
            who=name,
            pages=pages,
            seconds=sorted(taken)[len(taken) // 2],
            time_of_ours=ratio(taken, times["readwell"]),
            peak=workers[name].peak,
        )
        for name, taken in times.items()
    ]


def _job(worker: Worker, paths: list[Path]) -> Job:
    return lambda: sum(worker.ask(path=str(path))["seconds"] for path in paths)


def _pages(path: Path) -> int:
    import pypdfium2

    return len(pypdfium2.PdfDocument(path))


def _pdf_rows(documents: DocumentSet, workers: Workers, pdfs: list[Path]) -> list[PdfRow]:
    readers = [name for name in workers if "pdf" in READS[name]]
    texts: dict[str, dict[Path, str]] = {name: {} for name in readers}
    seconds, failed = dict.fromkeys(readers, 0.0), dict.fromkeys(readers, 0)
    for path in [*pdfs, documents.folder / "report.pdf"]:
        for name in readers:
            progress(f"{name}: {path.name}")
            text, taken = _converted(workers[name], path)
            texts[name][path] = text or ""
            seconds[name] += taken
            failed[name] += text is None
    return [_pdf_row(name, texts[name], documents, seconds[name], failed[name]) for name in readers]


def _pdf_row(name: str, texts: dict[Path, str], documents: DocumentSet, seconds: float, failed: int) -> PdfRow:
    made = documents.folder / "report.pdf"
    found = pdf_scores({path: text for path, text in texts.items() if path != made}, documents.tools)
    return PdfRow(
        who=name,
        **found._asdict(),
        made=score(documents.made[made], texts[made]),
        pages_per_second=sum(map(_pages, texts)) / seconds,
        failed=failed,
    )


def _converted(worker: Worker, path: Path) -> tuple[str | None, float]:
    try:
        answer = worker.ask(path=str(path), show=True)
    except JobDropped as why:
        warn(f"{worker.name} does not convert {path.name}: {why}")
        return None, 0.0
    return answer["text"], answer["seconds"]


def _heads_kept(documents: DocumentSet, quick: bool) -> tuple[float, float]:
    """Returns the mean and the least share of characters that readwell keeps where running lines are not removed."""
    rows = [row for path in documents.pdfs[: 3 if quick else None] if (row := measure(path))]
    kept = [row.kept_with_heads for row in rows]
    return mean(kept), min(kept)


def _office_rows(kind: str, documents: DocumentSet, workers: Workers, rounds: int) -> list[OfficeRow]:
    readers = {name: worker for name, worker in workers.items() if kind in READS[name]}
    files = documents.office(kind)
    texts = {name: {path: _converted(worker, path)[0] for path in files} for name, worker in readers.items()}
    timed = [path for path in files if all(texts[name][path] is not None for name in readers)]
    times = interleaved({name: _job(worker, timed) for name, worker in readers.items()}, 2 * rounds + 1)
    rows: list[OfficeRow] = []
    for name, taken in times.items():
        time_of_ours = ratio(taken, times["readwell"])
        for origin, truths in (("real", documents.real), ("made", documents.made)):
            scores = [score(files[path], texts[name][path] or "") for path in files if path in truths]
            if scores:
                rows.append(
                    OfficeRow(
                        kind=kind,
                        origin=origin,
                        who=name,
                        files=len(scores),
                        score=_mean(scores),
                        time_of_ours=time_of_ours,
                    )
                )
    return rows


def _mean(scores: list[Score]) -> Score:
    return Score(
        text=mean(each.text for each in scores),
        headings=_mean_of_known([each.headings for each in scores]),
        cells=_mean_of_known([each.cells for each in scores]),
    )


def _mean_of_known(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return mean(known) if known else None


def _settings(documents: DocumentSet, rounds: int, load: tuple[float, float]) -> dict[str, object]:
    return {
        "readwell": version_of("readwell"),
        "pypdfium2": version_of("pypdfium2"),
        "Python": platform.python_version(),
        "system": platform.system(),
        "CPUs": os.cpu_count(),
        "load": f"{load[0]:.1f} to {load[1]:.1f}",
        "real PDFs": len(documents.pdfs) if documents.tools else 0,
        "real office documents": len(documents.real),
        "sample pages": min(SAMPLE_PAGES, _pages(documents.sample)),
        "pages": _pages(documents.thousand),
        "rounds": rounds,
    }


def _write(figures: Figures, options: argparse.Namespace, documents: DocumentSet) -> None:
    if options.quick and options.into is None:
        print("\nA quick run says little: nothing was written (--into FOLDER writes it).")
        return
    results = options.into / RESULTS.name if options.into else RESULTS
    results.parent.mkdir(parents=True, exist_ok=True)
    results.write_text(as_json(figures))
    print(f"\nwritten: {results.name}")
    if options.into is None:
        write(PAGE, json.loads(results.read_text()))
    draw_in_own_environment(results, options.into or PICTURES, documents.folder)


if __name__ == "__main__":
    main()
