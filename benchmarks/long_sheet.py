"""Measures a workbook of a million rows through the cage: its first window, the whole, and the memory of both.

`python long_sheet.py [ROWS]` makes the workbook in a temporary folder, reads it, and removes it.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from cage_cost import large

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from corpus.pdf_documents import headings
from corpus.sheet_writer import HEAD, S, rows, sheet, workbook

ROWS = 1_000_000
NUMBERS, TEXTS = 7, 3
AT_ONCE = 1000


def make(path: Path, count: int) -> None:
    """Writes a workbook with seven numbers and three distinct texts in each row."""
    path.write_bytes(workbook({"Long": ""}))
    with ZipFile(path) as empty:
        parts = {name: empty.read(name) for name in empty.namelist() if "worksheets/" not in name}
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=4) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
        with packed.open("xl/worksheets/sheet1.xml", "w") as part:
            part.writelines(_sheet(count))
        with packed.open("xl/sharedStrings.xml", "w") as part:
            part.writelines(_strings(count * TEXTS))


def _sheet(count: int) -> Iterator[bytes]:
    before, _, after = sheet("|").partition("|")
    yield before.encode()
    for first in range(1, count + 1, AT_ONCE):
        yield "".join(_row(number) for number in range(first, min(first + AT_ONCE, count + 1))).encode()
    yield after.encode()


def _row(number: int) -> str:
    values = [(number * 7919 + column * 104_729) % 1_000_003 for column in range(NUMBERS)]
    texts = "".join(
        f'<c r="{"HIJ"[place]}{number}" t="s"><v>{(number - 1) * TEXTS + place}</v></c>' for place in range(TEXTS)
    )
    return rows([values], top=number).removesuffix("</row>") + texts + "</row>"


def _strings(count: int) -> Iterator[bytes]:
    yield f'{HEAD}<sst xmlns="{S}" count="{count}" uniqueCount="{count}">'.encode()
    for first in range(0, count, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, count))
        yield "".join(f"<si><t>text number {number * 7919 % 1_000_003}</t></si>" for number in numbers).encode()
    yield b"</sst>"


def main(count: int) -> None:
    """Makes the workbook, reads it and prints the results."""
    with tempfile.TemporaryDirectory() as folder:
        path, small = Path(folder, "long.xlsx"), Path(folder, "warming.pdf")
        make(path, count)
        small.write_bytes(headings())
        size = path.stat().st_size
        with ZipFile(path) as packed:
            inflated = sum(member.file_size for member in packed.infolist())
        read = large(small, path, 1)
    print(f"{count:,} rows of {NUMBERS + TEXTS} cells: {size / 1e6:.0f} MB, unpacked {inflated / 1e6:.0f} MB")
    print(f"first window   {read.first_cpu_s:7.2f} s of processor time, {read.first_s:7.2f} s")
    print(f"whole          {read.whole_cpu_s:7.2f} s of processor time, {read.whole_s:7.2f} s")
    print(f"worker at most {read.worker_peak / 1e6:7.0f} MB, caller {read.caller_extra / 1e6:.1f} MB more than before")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
