"""Counts how many files of real source trees get a notice of hidden characters: few should.

`python scripts/hidden_rate.py [FOLDER …]`; by default the standard library and the installed packages.
"""

import collections
import sys
import sysconfig
from pathlib import Path

from readwell.model import Traits, Window
from readwell.text import hidden_in
from readwell.text.line_ends import split_lines

MAX_BYTES = 4 << 20


def main(folders: list[str]) -> None:
    for folder in folders or [sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")]:
        counts: collections.Counter[str] = collections.Counter()
        for path in sorted(Path(folder).rglob("*")):
            if not path.is_file() or path.is_symlink() or path.stat().st_size > MAX_BYTES:
                continue
            if "site-packages" in path.relative_to(folder).parts:
                continue
            try:
                text = path.read_bytes().decode("utf-8-sig")
            except UnicodeDecodeError:
                continue
            if "\0" in text:
                continue
            counts["files"] += 1
            counts["not ASCII"] += not text.isascii()
            lines = split_lines(text)
            found = hidden_in(Window(lines, 1, len(lines), len(lines), None, "end", text="\n".join(lines)), Traits())
            for kind in found._fields:
                if numbers := getattr(found, kind):
                    counts[kind] += 1
                    print(f"  {kind}: {path.relative_to(folder)}: {numbers[:5]}")
            counts["any"] += any(found)
        print(f"{folder}: {dict(counts)}")


if __name__ == "__main__":
    main(sys.argv[1:])
