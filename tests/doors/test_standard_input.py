"""`readwell -` reads standard input; `--follow` prints lines as they are added."""

import gzip
import os
import subprocess
import sys
import threading
import time
from functools import partial

import pytest

import readwell
from effort import some_of

READWELL = [sys.executable, "-m", "readwell"]


def run(*words, given=b""):
    done = subprocess.run([*READWELL, *words], input=given, capture_output=True, check=False, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_standard_input_is_a_file_called_dash():
    status, out, _ = run("-", "--offset", "2", "--limit", "1", given=b"one\ntwo\nthree\n")
    assert (status, out.split("\n")[1:3]) == (0, ["2\ttwo", "[more: offset=3]"])
    assert out.startswith("[- | lines 2-2 of 3 | utf-8 LF | rev ")


def test_standard_input_is_searched_and_unpacked():
    status, out, _ = run("search", "tw", "-", given=gzip.compress(b"one\ntwo\n"))
    assert (status, out.split("\n")[1]) == (0, "2\ttwo")
    assert out.startswith('[- | search "tw" | matches 1-1 of 1 | rev ')
    assert run("search", "x", "-", given=b"one\n")[0] == 1


def test_standard_input_may_stand_behind_an_option():
    status, out, said = run("search", "line 7", "--ignore-case", "-", given=b"LINE 7\n")
    assert (status, out.split("\n")[1:2], said) == (0, ["1\tLINE 7"], "")


def test_nothing_on_standard_input_is_an_empty_file():
    assert run("-")[1].split("\n")[1] == "[end]"


def wait_until(holds, seconds=20):
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)


def lines_of(windows, count, seen):
    for window in windows:
        seen.append((window.from_start, list(enumerate(window.lines, window.start))))
        if sum(len(lines) for _, lines in seen) >= count:
            return


def test_following_yields_lines_as_they_are_added_and_tells_a_new_file(tmp_path):
    log = tmp_path / "app.log"
    log.write_text("".join(f"{number}\n" for number in range(1, 16)))
    seen = []
    with (
        readwell.Reader(tmp_path, cache_dir=None) as reader,
        reader.follow("app.log", offset=-2, deadline_s=30) as windows,
    ):
        thread = threading.Thread(target=lines_of, args=(windows, 6, seen))
        thread.start()
        wait_until(lambda: seen)  # else its first look may come after the first change
        with log.open("a") as file:
            file.write("16\n1")
            file.flush()
            time.sleep(0.6)
            file.write("7\n")
        time.sleep(0.6)
        other = tmp_path / "new"
        other.write_text("a\nb\n")
        os.replace(other, log)
        thread.join(20)
    told = [each for _, lines in seen for each in lines]
    assert told[-2:] == [(1, "a"), (2, "b")] and (17, "17") in told and (16, "16") in told and (17, "1") not in told
    assert [anew for anew, lines in seen if (1, "a") in lines] == [True]


TEXTS = ["x\ny\nz\n", "again\n", "one line that is longer than all\n", "x\ny\nz\nfour\n", "x"]


@pytest.mark.parametrize("text", some_of(TEXTS, 5))
def test_a_file_that_is_written_anew_in_place_is_told_whatever_its_length(tmp_path, text):
    log = tmp_path / "app.log"
    log.write_text("a\nb\nc\n")
    seen = []
    with (
        readwell.Reader(tmp_path, cache_dir=None) as reader,
        reader.follow("app.log", offset=-2, deadline_s=2) as windows,
    ):
        thread = threading.Thread(target=lines_of, args=(windows, 9, seen))
        thread.start()
        wait_until(lambda: seen)
        log.write_text(text)
        thread.join(20)
    assert seen[0] == (False, [(2, "b"), (3, "c")])
    assert seen[1:] == [(True, list(enumerate(text.splitlines(), 1)))]


def test_another_file_of_the_same_name_is_told_though_it_has_the_same_line_in_the_same_place(tmp_path):
    log, other = tmp_path / "app.log", tmp_path / "new"
    log.write_text("a\nb\n")
    other.write_text("x\nb\nc\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader, reader.follow("app.log", deadline_s=30) as windows:
        assert next(windows).lines == ["a", "b"]
        os.replace(other, log)
        window = next(windows)
    assert (window.from_start, window.start, window.lines) == (True, 1, ["x", "b", "c"])


def test_following_ends_at_its_deadline_with_what_is_there_of_the_last_line(tmp_path):
    (tmp_path / "a.log").write_text("one\ntwo")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        seen = [window.lines for window in reader.follow("a.log", deadline_s=0.1)]
    assert seen == [["one"], ["two"]]


def test_following_ends_when_it_is_closed(tmp_path):
    (tmp_path / "a.log").write_text("one\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        windows = reader.follow("a.log")
        assert next(windows).lines == ["one"]
        threading.Timer(0.2, windows.close).start()
        assert list(windows) == []


def test_follow_on_the_command_line_prints_until_it_is_interrupted(tmp_path):
    import signal

    log = tmp_path / "a.log"
    log.write_text("one\n")
    # a shell starts what it puts into the background with this signal ignored, and children would inherit that
    heard = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    running = subprocess.Popen([*READWELL, str(log), "--follow"], stdout=subprocess.PIPE, text=True, preexec_fn=heard)
    try:
        assert running.stdout.readline() == "1\tone\n"
        with log.open("a") as file:
            file.write("two\n")
        assert running.stdout.readline() == "2\ttwo\n"
    finally:
        running.send_signal(signal.SIGINT)
        try:
            status = running.wait(10)
        finally:
            running.kill()
            running.communicate()
    assert status == 130


def test_following_what_does_not_exist_is_told(tmp_path):
    status, _, error = run(str(tmp_path / "no.log"), "--follow")
    assert (status, "NOT_FOUND" in error) == (1, True)


def test_following_a_directory_says_what_to_leave_out(tmp_path):
    told = f"readwell: [error IS_DIRECTORY] '{tmp_path}' is a directory. Leave out --follow to list it.\n"
    assert run(str(tmp_path), "--follow") == (1, "", told)
