"""Writes the generated parts of README.md, or checks with --check that they are up to date."""

import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).parent.parent
sys.path.insert(0, str(PROJECT / "examples"))

from side_by_side import side_by_side  # noqa: E402

LANGUAGES = {"native": "text", "qq": "text", "envelope": "json", "opencode": "xml"}


def main() -> int:
    readme = PROJECT / "README.md"
    text = readme.read_text()
    fresh = re.sub(
        r"(<!-- side by side -->\n).*?(<!-- /side by side -->)",
        lambda found: found[1] + section() + found[2],
        text,
        flags=re.S,
    )
    if "--check" not in sys.argv:
        readme.write_text(fresh)
    elif fresh != text:
        print("README.md shows what the code no longer answers: run `make format`")
        return 1
    return 0


def section() -> str:
    """Returns the sample read in each dialect, with the same time and path on every machine."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        shutil.copy(PROJECT / "examples" / "hello.py", root)
        os.utime(root / "hello.py", (1_767_225_600, 1_767_225_600))
        replies = side_by_side(root, "hello.py")
    blocks: list[str] = []
    for dialect, reply in replies.items():
        reply = reply.replace(str(root), "/project")
        if dialect == "envelope":
            reply = without_clock(reply)
        blocks.append(f"**`{dialect}`**\n\n```{LANGUAGES[dialect]}\n{reply}\n```\n")
    return "\n" + "\n".join(blocks) + "\n"


def without_clock(reply: str) -> str:
    envelope = json.loads(reply)
    took = envelope["stats"]["time_ms"]
    envelope["stats"]["time_ms"] = 0
    envelope["text"] = envelope["text"].replace(f"(Took {took}ms)", "(Took 0ms)")
    return json.dumps(envelope, indent=2, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main())
