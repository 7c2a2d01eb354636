"""A document whose parser never ends, among a hundred others: searched in a process that has the parser installed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_fork_servers")]

CONVERTERS = Path(__file__).parents[1] / "documents"
SEARCHES = """
import json, sys
sys.path += [sys.argv[1], sys.argv[2]]
import readwell
found, failed, params = [], set(), {"pattern": "needle", "limit": 200}
with readwell.Reader(sys.argv[3], cache_dir=None, deadline_s=12) as reader:
    for _ in range(20):
        reply = reader.search_reply(params)
        assert not reply.is_error, reply.text
        found += [match["path"] for match in reply.data["matches"]]
        failed |= {notice["message"] for notice in reply.data["notices"]}
        if reply.data["next"] is None:
            break
        params["after"] = reply.data["next"]["after"]
print(json.dumps([found, sorted(failed)]))
"""


def install_plugin(folder):
    """Makes a package that converts papyri with `plain_converters`, where a unit `slow` sleeps for ten minutes."""
    about = folder / "papyri-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: papyri\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[readwell.converters]\npapyrus = plain_converters:LEAVES\n")


def test_a_document_that_hangs_among_a_hundred_is_named_and_the_others_are_searched(tmp_path):
    install_plugin(tmp_path / "installed")
    papyri = tmp_path / "papyri"
    papyri.mkdir()
    for number in range(100):
        (papyri / f"{number:02}.papyrus").write_bytes(f"\0{number}\fneedle".encode())
    (papyri / "30-hangs.papyrus").write_bytes(b"\0needle\fslow")
    done = subprocess.run(
        [sys.executable, "-c", SEARCHES, tmp_path / "installed", CONVERTERS, papyri],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found, failed = json.loads(done.stdout)
    assert found == [f"{number:02}.papyrus" for number in range(100)]
    assert failed == ["not searched: 1 could not be read: 30-hangs.papyrus"]
