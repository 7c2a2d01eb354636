"""A converter of one's own: contact cards (`.vcf`) as Markdown, each card a unit like the page of a PDF.

A package names its converters in the entry point group `readwell.converters`; this program writes such an entry for
itself, beside the root: nothing inside a root is imported.
"""

import sys
import tempfile
from pathlib import Path

from readwell import Reader
from readwell.documents.contract import Converter

CARDS = "BEGIN:VCARD\nFN:Ada\nTEL:1843\nEND:VCARD\nBEGIN:VCARD\nFN:Grace\nTEL:1952\nEND:VCARD\n"
ENTRY = "[readwell.converters]\nvcf = own_converter:CONVERTER\n"


class Cards:
    """An opened file of cards."""

    unit = "card"

    def __init__(self, content: bytes) -> None:
        self._cards = content.decode().split("BEGIN:VCARD\n")[1:]
        self.count = len(self._cards)

    def prepared(self) -> bytes:
        return b""

    def markdown(self, number: int) -> str:
        fields = dict(line.split(":", 1) for line in self._cards[number - 1].splitlines())
        return f"## {fields.get('FN', '?')}\n\nphone: {fields.get('TEL', '?')}"


def open_cards(content: bytes, password: str | None, prepared: bytes) -> Cards:
    return Cards(content)


CONVERTER = Converter("vcf", "1", open_cards)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        about = Path(folder) / "cards-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: cards\nVersion: 1\n")
        (about / "entry_points.txt").write_text(ENTRY)
        sys.path += [folder, str(Path(__file__).resolve().parent)]
        root = Path(folder) / "project"
        root.mkdir()
        (root / "friends.vcf").write_text(CARDS)
        with Reader(root, cache_dir=None) as reader:
            print(reader.reply({"path": "friends.vcf", "view": "markdown"}).text)
            print(reader.reply({"path": "friends.vcf", "view": "markdown", "pages": "2"}).text)
