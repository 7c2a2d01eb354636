"""The table of docs/errors.md: every kind of file that is recognised, and what happens to it. Prints it, or --check.

Each row is what a reader says of a small file of that kind.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from readwell import Reader
from readwell.documents.converters import BUILT_IN
from readwell.documents.format_detection import IMAGES, RENDERED, UNREAD_OFFICE
from readwell.packed.packing_detection import BZIP2, GZIP, XZ, ZSTD
from readwell.text.text_or_binary import SIGNATURES

PAGE = Path(__file__).parents[1] / "docs" / "errors.md"
BEGIN, END = "<!-- formats: begin -->\n", "<!-- formats: end -->\n"
READ = {"ZIP archive", "empty ZIP archive", "gzip archive", "bzip2 archive", "xz archive", "zstd archive", "7z archive"}
READ |= {"PDF document", "SQLite database", "OLE container", "Parquet table", "Arrow table"}
"""What is read where it is whole: told in rows of their own."""
RIFF = {"WebP image": b"WEBP", "WAV audio": b"WAVE", "AVI video": b"AVI "}


def ole_container(stream: str) -> bytes:
    """Returns the least of a container of the old kind that has such a stream."""
    header = bytearray(b"\xd0\xcf\x11\xe0" + bytes(508))
    header[30] = 9
    return bytes(header) + stream.encode("utf-16-le").ljust(512, b"\0")


def refused() -> dict[str, bytes]:
    """Returns a small file of each kind that is refused."""
    files = {name: start.ljust(64, b"\0") for start, name in SIGNATURES if name not in READ}
    files |= {name: ole_container(stream) for stream, name in UNREAD_OFFICE}
    files |= {"WebP image": b"RIFF\0\0\0\0WEBP".ljust(64, b"\0"), "WAV audio": b"RIFF\0\0\0\0WAVE".ljust(64, b"\0")}
    return {
        **files,
        "AVI video": b"RIFF\0\0\0\0AVI ".ljust(64, b"\0"),
        "MP4 or similar media": b"\0\0\0\0ftyp".ljust(64, b"\0"),
    }


def rows() -> list[str]:
    """Returns the rows of the table."""
    rendered = set(RENDERED.values())
    documents = sorted(name for name in BUILT_IN if name not in rendered)
    listed = [f"| {', '.join(documents)} | read as Markdown: [documents](documents.md) |"]
    texts = sorted({extension for extension in RENDERED if extension != "ipynb"})
    listed += [f'| {", ".join(texts)} | read as text; as Markdown with `view="markdown"` |']
    packings = ", ".join(each.name for each in (GZIP, BZIP2, XZ, ZSTD))
    listed += [f"| {packings} | read as what they hold: [compressed files](packed.md) |"]
    listed += ["| zip, 7z, tar | read as folders: [archives](packed.md#archives) |"]
    listed += [f"| {', '.join(sorted(IMAGES))} | shown as [images](native.md#images) where that is set up |"]
    with tempfile.TemporaryDirectory() as folder, Reader(folder, cache_dir=None) as reader:
        for name, content in sorted(refused().items(), key=lambda each: each[0].lower()):
            path = Path(folder) / "file.bin"
            path.write_bytes(content)
            error: Any = reader.reply({"path": "file.bin"}).data["error"]
            listed.append(f"| {name} | `{error['code']}` {error['hint']} |")
    return listed


def table() -> str:
    """Returns the table as the page has it."""
    return "\n".join(["| kind | what happens |", "|---|---|", *rows(), ""])


def main() -> int:
    """Prints the table, writes it with --write, or compares it with --check."""
    page = PAGE.read_text()
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    made = f"{before}{BEGIN}{table()}{END}{after}"
    if "--write" in sys.argv:
        PAGE.write_text(made)
    elif "--check" in sys.argv:
        if made != page:
            print("docs/errors.md does not name every kind of file as readers do: run `make format`")
            return 1
    else:
        print(table())
    return 0


if __name__ == "__main__":
    sys.exit(main())
