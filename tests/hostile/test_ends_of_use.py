"""What happens at the edges of use: closing under a read, a working directory that is gone, output that cannot be written."""

import os
import subprocess
import sys
import threading
import time

import pytest

from readwell import NotFound, Reader
from readwell.envelope import ReadTool as EnvelopeTool
from readwell.qq import FileManager

pytestmark = pytest.mark.usefixtures("own_fork_servers")

COMMAND = [sys.executable, "-m", "readwell"]


def test_closing_a_reader_under_a_read_never_leads_out_of_its_root(tmp_path):
    """A descriptor's number is used again at once by others; a read must never go by a number that was closed."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder, text in ((inside, "inside\n"), (outside, "outside\n")):
        folder.mkdir()
        (folder / "f.txt").write_text(text)
    stop, leaked = threading.Event(), []

    def reuse_numbers():
        while not stop.is_set():
            descriptor = os.open(outside, os.O_RDONLY | os.O_DIRECTORY)
            time.sleep(0)
            os.close(descriptor)

    def read(reader):
        for _ in range(20):
            try:
                reply = reader.reply({"path": "f.txt"})
            except ValueError:
                return
            if "inside" not in reply.text:
                leaked.append(reply.text)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    others = [threading.Thread(target=reuse_numbers, daemon=True) for _ in range(3)]
    try:
        for other in others:
            other.start()
        for _ in range(150):
            reader = Reader(inside, cache_dir=None)
            thread = threading.Thread(target=read, args=(reader,))
            thread.start()
            time.sleep(0.0003)
            reader.close()
            thread.join(10)
    finally:
        stop.set()
        sys.setswitchinterval(interval)
        for other in others:
            other.join(10)
    assert leaked == []


def test_a_closed_reader_says_so(tmp_path):
    for reader in (Reader(tmp_path), Reader(None)):
        reader.close()
        with pytest.raises(ValueError, match="closed"):
            reader.reply({"path": "f.txt"})


@pytest.mark.parametrize("name", ["there", "not-there"])
def test_whether_a_name_outside_exists_changes_no_answer(tmp_path, name):
    root = tmp_path / "root"
    root.mkdir()
    (root / "f.txt").write_text("text\n")
    (tmp_path / "out" / "there").mkdir(parents=True)
    reader = Reader(root)
    for path in (f"../out/{name}", f"../out/{name}/../../root/f.txt"):
        assert "[error ACCESS_DENIED]" in reader.reply({"path": path}).text


def test_a_working_directory_that_is_gone_spoils_only_relative_paths(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    (tmp_path / "f.txt").write_text("text\n")
    code = f"""
import os
os.chdir({str(gone)!r}); os.rmdir({str(gone)!r})
from readwell import Reader
from readwell.qq import FileManager
print(Reader(None).read({str(tmp_path / "f.txt")!r}).lines, FileManager().read_file("f.txt"))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("['text'] Error: File 'f.txt' does not exist.\n", "")


@pytest.mark.parametrize("output", ["/dev/full", None], ids=["a full disk", "no output"])
def test_output_that_cannot_be_written_is_one_line_and_status_one(tmp_path, output):
    if output and not os.path.exists(output):
        pytest.skip("NOT TESTED: there is no /dev/full here")
    (tmp_path / "f.txt").write_text("text\n")
    redirect = f">{output}" if output else ">&-"
    line = f'"{sys.executable}" -m readwell f.txt {redirect}'
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("readwell: cannot write the reply")


def test_wrong_usage_repeats_no_escape_sequence(tmp_path):
    done = subprocess.run(
        [*COMMAND, "a", "--b\x1b]0;title\x07"], cwd=tmp_path, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert b"\x1b" not in done.stderr


def test_an_echo_of_things_that_hold_each_other_ends(tmp_path):
    (tmp_path / "f.txt").write_text("text\n")
    knot = []
    knot.extend([knot, knot])
    answer = []
    thread = threading.Thread(
        target=lambda: answer.append(EnvelopeTool(tmp_path).run({"path": "f.txt", "x": knot})), daemon=True
    )
    thread.start()
    thread.join(20)
    assert answer[0]["status"] == "success"


def test_numbers_are_numbers_however_they_are_written(tmp_path):
    (tmp_path / "f.txt").write_text("one\ntwo\n")
    assert FileManager(tmp_path).read_file("f.txt", "0" * 5000 + "2").endswith("\ntwo")
    assert Reader(tmp_path).reply({"path": "f.txt", 10**5000: 1}).data["notices"][0]["code"] == "unknown-parameter"
    with pytest.raises(NotFound):
        Reader(tmp_path).read("missing.txt")
    with pytest.raises(ValueError, match="at least 1"):
        FileManager(tmp_path, max_bytes=0)


def test_a_ceiling_may_be_one(tmp_path):
    (tmp_path / "f.txt").write_text("one\ntwo\n")
    assert (
        FileManager(tmp_path, max_bytes=1).read_file("f.txt").endswith("\no … [line clipped: first 1 characters shown]")
    )
    assert Reader(tmp_path, max_bytes=1).read("f.txt").text == "o"
