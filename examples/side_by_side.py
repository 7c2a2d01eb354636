"""Reads the same six lines in every dialect, as different agents would see them."""

import json
from pathlib import Path

from readwell import Reader
from readwell.envelope import ReadTool as EnvelopeTool
from readwell.opencode import ReadTool as OpencodeTool
from readwell.qq import FileManager


def side_by_side(root: Path, name: str) -> dict[str, str]:
    """Returns what each dialect answers to a request for the first six lines of a file."""
    envelope = EnvelopeTool(root).run({"path": name, "limit": 6})
    return {
        "native": Reader(root).reply({"path": name, "limit": 6}).text,
        "qq": FileManager(root).read_file(name, 1, 6),
        "envelope": json.dumps(envelope, indent=2, ensure_ascii=False),
        "opencode": str(OpencodeTool(root=root).execute_sync({"filePath": name, "limit": 6})["output"]),
    }


if __name__ == "__main__":
    for dialect, reply in side_by_side(Path(__file__).parent, "hello.py").items():
        print(f"── {dialect} " + "─" * (76 - len(dialect)))
        print(reply, end="\n\n")
