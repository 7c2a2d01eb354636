"""The README cannot lie: its side-by-side section is what the code answers, its examples run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from readwell.dialects import NAMES

HOUSE = Path(__file__).parent.parent
EXAMPLES = sorted(path for path in (HOUSE / "examples").glob("*.py"))
PAGED = """\
[app.log | lines {0}-{1} of 11 | utf-8 LF | rev 8e506976b8de]
{2}
{3}

"""
CARD = "5\t<!-- card 2 -->\n6\t## Grace\n7\t\n8\tphone: 1952\n[end]\n"
PRINTED = {
    "hello.py": "Hello, world!\n",
    "own_converter.py": (
        "[friends.vcf | vcf, 2 cards | lines 1-8 of 8 (cards 1-2) | rev d09455b246cf]\n"
        f"1\t<!-- card 1 -->\n2\t## Ada\n3\t\n4\tphone: 1843\n{CARD}"
        f"[friends.vcf | vcf, 2 cards | lines 5-8 of 8 (card 2) | rev d09455b246cf]\n{CARD}"
    ),
    "own_dialect.py": (
        "Shows three lines of a file, from the line you give.\n1: one\n2: two\n3: three\n-- next: from=4\n"
        "4: four\n-- that is all\n!! NotFound; perhaps notes.txt\n!! AccessDenied\n"
    ),
    "page_through.py": "".join(
        PAGED.format(first, last, "\n".join(f"{n}\tevent {n}" for n in range(first, last + 1)), end)
        for first, last, end in ((1, 5, "[more: offset=6]"), (6, 10, "[more: offset=11]"), (11, 11, "[end]"))
    ),
    "recover.py": (
        "[error NOT_FOUND] File 'setings.toml' does not exist. Did you mean: settings.toml?\nname = \"demo\"\n"
    ),
}
"""What each example prints. `side_by_side.py` makes the section of the README that is compared below."""


def test_the_side_by_side_section_is_what_the_code_answers():
    found = subprocess.run(
        [sys.executable, HOUSE / "scripts" / "readme.py", "--check"], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_prints_what_it_should(example, tmp_path):
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    found = subprocess.run(
        [sys.executable, example],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=60,
    )
    assert (found.returncode, found.stderr) == (0, "")
    if example.name == "side_by_side.py":
        assert re.findall(r"^── ([\w-]+)", found.stdout, re.M) == list(NAMES) and "rror" not in found.stdout
    else:
        assert found.stdout == PRINTED[example.name]


def test_the_python_blocks_of_the_readme_run():
    text = (HOUSE / "README.md").read_text()
    blocks = [block.partition("\n```")[0] for block in text.split("```python\n")[1:]]
    assert blocks
    for block in blocks:
        found = subprocess.run(
            [sys.executable, "-c", block], cwd=HOUSE, capture_output=True, text=True, check=False, timeout=60
        )
        assert (found.returncode, found.stderr) == (0, ""), block
