"""The README cannot lie: its side-by-side section is what the code answers, its examples run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent
EXAMPLES = sorted(path for path in (HOUSE / "examples").glob("*.py"))


def test_the_side_by_side_section_is_what_the_code_answers():
    found = subprocess.run(
        [sys.executable, HOUSE / "scripts" / "readme.py", "--check"], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs(example, tmp_path):
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
    assert found.stdout


def test_the_python_blocks_of_the_readme_run():
    text = (HOUSE / "README.md").read_text()
    blocks = [block.partition("\n```")[0] for block in text.split("```python\n")[1:]]
    assert blocks
    for block in blocks:
        found = subprocess.run(
            [sys.executable, "-c", block], cwd=HOUSE, capture_output=True, text=True, check=False, timeout=60
        )
        assert (found.returncode, found.stderr) == (0, ""), block
