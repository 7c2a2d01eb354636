"""`readwell.corpus`: one document in, one value out, in this process and in those of executors."""

import multiprocessing
import os
import pickle
import resource
import signal
import subprocess
import sys
import time
import zipfile
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import chdir

import pytest
from cage_probe import cage_of_child
from small_corpus import BAD, SOURCES, fill, fill_bad, rows
from small_documents import PASSWORD, pdf, printed

from command_line import called
from ordinary_user import as_an_ordinary_user
from readwell import Reader
from readwell.corpus import Converted, EngineLost, Options, convert, convert_many, find_sources
from readwell.corpus.engine_task import convert_batch
from readwell.corpus.local_pool import LocalPool
from settled_files import settle


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return fill(tmp_path_factory.mktemp("corpus"))


def comparable(converted):
    """What depends neither on the machine nor on the moment: a file has no stamp right after it was written."""
    return converted._replace(ms=0, stamp="")


def test_a_document_is_its_text_its_units_and_what_identifies_it(folder):
    path = str(folder / "first" / "005.pdf")
    found = convert(path)
    with Reader(root=None, total="exact") as reader:
        read = reader.read(path)
    assert (found.source, found.format, found.unit, found.error) == (path, "pdf", "page", None)
    assert (found.text, found.lines) == (read.text, read.window.total)
    assert [(unit.number, unit.first_line) for unit in found.units] == [(1, 1), (2, 3), (3, 5)]
    assert "\n".join(unit.markdown for unit in found.units) == found.text
    assert found.size == os.path.getsize(path)


def test_a_value_says_the_same_from_a_path_and_from_bytes(folder):
    path = folder / "first" / "005.pdf"
    by_path, by_bytes = convert(path), convert(path.read_bytes(), name="005.pdf")
    same = ("sha256", "format", "unit", "first_lines", "text", "error", "version", "size")
    assert [getattr(by_path, name) for name in same] == [getattr(by_bytes, name) for name in same]
    assert by_path.id != by_bytes.id
    assert by_bytes.source == "005.pdf"


@pytest.mark.parametrize("content", [b"", b"one\ntwo", b"one\ntwo\n", "zwölf\n".encode()])
def test_a_text_is_as_it_is(tmp_path, content):
    (tmp_path / "notes.txt").write_bytes(content)
    found = convert(tmp_path / "notes.txt")
    assert (found.text.encode(), found.format, found.error) == (content, "text", None)
    assert found.lines == len(content.splitlines())


def test_a_result_and_its_options_can_be_pickled(folder):
    found = convert(str(folder / "first" / "005.pdf"))
    options = Options(passwords={"a": "b"}, ocr_languages=["eng"])
    assert pickle.loads(pickle.dumps(found)) == found
    assert pickle.loads(pickle.dumps(options)) == options
    assert "b" not in repr(options).replace("pdf_lines", "").replace("paragraphs", "").replace("number", "").split("=")


@pytest.mark.parametrize("name", BAD)
def test_a_document_that_fails_is_a_row(tmp_path, name):
    fill_bad(tmp_path)
    found = convert(tmp_path / name)
    assert (found.error and found.error.code) == BAD[name][1]
    assert (len(found.sha256), found.text) == (64, "")


def test_what_cannot_be_opened_is_a_row(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    failed = [convert(path) for path in (tmp_path / "nothing", tmp_path, tmp_path / "pipe")]
    assert [each.error.code for each in failed] == ["NOT_FOUND", "IS_DIRECTORY", "NOT_REGULAR"]
    for each in failed:
        assert (each.sha256, each.format, each.unit, each.first_lines, each.text) == ("", "", "", (), "")
        assert (each.size, each.stamp, each.unchanged, each.unit_count, each.units) == (0, "", False, 0, [])


def test_what_may_not_be_read_is_a_row(tmp_path):
    (tmp_path / "secret.txt").write_text("x")
    (tmp_path / "secret.txt").chmod(0)
    convert(b"x")  # imports what an ordinary user may not be able to
    (tmp_path / "closed").mkdir(mode=0)
    with as_an_ordinary_user(tmp_path):
        sources = find_sources(f"{tmp_path}/secret.txt", f"{tmp_path}/closed")
        codes = [convert(source).error.code for source in sources]
    assert codes == ["PERMISSION_DENIED", "PERMISSION_DENIED"]


@pytest.mark.parametrize("scheme", ["s3", "https", "gs", "az", "ftp"])
def test_an_address_with_a_password_is_a_row_that_does_not_repeat_it(tmp_path, scheme):
    address = f"{scheme}://user:pass-word@bucket/folder/a@b.pdf"
    options = Options(audit=str(tmp_path / "audit"))
    with ThreadPoolExecutor(1) as executor:
        found = [convert(address, options=options), *convert_many([address], executor=executor, options=options)]
    assert {row.source for row in found} == {f"{scheme}://…@bucket/folder/a@b.pdf"}
    assert {row.error.code for row in found} == {"NOT_FOUND" if scheme == "ftp" else "INVALID_PARAM"}
    held = convert(b"words\n", name=address, options=options)
    assert (held.source, held.text) == (f"{scheme}://…@bucket/folder/a@b.pdf", "words\n")
    with Losing(address, 1000) as executor:
        [lost] = convert_many([address], executor=executor, options=options)
    assert lost.error.code == "WORKER_LOST"
    assert "pass-word" not in repr([*found, held, lost]) + (tmp_path / "audit").read_text()


def test_an_address_without_a_password_is_told_as_it_is():
    for source in ("a@b.txt", "mails://", "docs/s3://u@h/x", "s3://no-such!/a@b"):
        assert convert(source).source == source


def test_passwords_are_found_by_name(tmp_path):
    (tmp_path / "locked.pdf").write_bytes(pdf(printed(1, 2), user=PASSWORD))
    for passwords in ({"locked.pdf": PASSWORD}, {"*.txt": "other", "lock*": PASSWORD}):
        assert convert(tmp_path / "locked.pdf", options=Options(passwords=passwords)).error is None
    assert convert(tmp_path / "locked.pdf").error.code == "DOCUMENT_LOCKED"


def test_roots_confine_what_is_converted(folder, tmp_path):
    (tmp_path / "out.txt").write_text("secret")
    options = Options(roots=(str(folder),))
    assert convert(tmp_path / "out.txt", options=options).error.code == "ACCESS_DENIED"
    assert convert(folder / "second" / "000.txt", options=options).error is None


def test_invalid_options_are_refused_before_anything_runs(folder):
    with pytest.raises(ValueError, match="pdf_lines"):
        next(convert_many([str(folder)], options=Options(pdf_lines="none")))


@pytest.fixture
def packed(tmp_path):
    """A folder with an archive."""
    with zipfile.ZipFile(tmp_path / "docs.zip", "w") as archive:
        archive.writestr("inner.txt", "words\n")
        archive.writestr("sub/page.html", "<p>hello</p>")
    return tmp_path


@pytest.mark.parametrize("path", ["docs.zip", "docs.zip/sub"])
def test_an_archive_says_what_to_do(packed, path):
    what = f"'{path}' is an archive, or a folder in one. Name its files, such as '{path}/NAME', or unpack it."
    settle(packed)
    with chdir(packed):
        error = convert(path).error
    assert (error.code, error.message) == ("IS_DIRECTORY", what)
    for words in ((), ("-o", "out")):
        done = called(packed, "convert", path, *words, env=os.environ)
        assert (done.returncode, done.stdout, done.stderr.splitlines()[0]) == (1, "", f"readwell: {what}")


def test_a_member_of_an_archive_is_a_source(packed):
    settle(packed)
    members = {"docs.zip/inner.txt": "words\n", "docs.zip/sub/page.html": "hello"}
    with chdir(packed):
        for member, text in members.items():
            found = convert(member)
            assert (found.error, found.source, found.text) == (None, member, text)
        assert convert("docs.zip/none.txt").error.code == "NOT_FOUND"
    words = (*members, "-o", "out", "--format", "jsonl")
    assert called(packed, "convert", *words, env=os.environ).stderr.startswith("2 converted, 0 failed")
    assert {row["source"]: row["text"] for row in rows(packed / "out")} == members
    assert called(packed, "convert", *words, "--resume", env=os.environ).stderr.startswith(
        "nothing to do: all 2 sources are done"
    )


@pytest.mark.parametrize("kind", ["fork", "spawn", "forkserver", "threads", "own"])
@pytest.mark.slow
def test_every_kind_of_executor_gives_the_same(folder, kind):
    sources = find_sources(str(folder))
    alone = {comparable(convert(source)) for source in sources}
    if kind == "own":
        found = list(convert_many(sources, workers=2))
    elif kind == "threads":
        with ThreadPoolExecutor(2) as executor:
            found = list(convert_many(sources, executor=executor, workers=2))
    else:
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(kind)) as executor:
            found = list(convert_many(sources, executor=executor, workers=2))
    assert {comparable(each) for each in found} == alone
    assert len(found) == len(sources)


@pytest.mark.parametrize(
    "method",
    ["spawn", pytest.param("forkserver", marks=pytest.mark.slow), pytest.param("fork", marks=pytest.mark.slow)],
)
def test_the_cage_is_shut_in_worker_processes(method):
    with LocalPool(1, method) as pool:
        caged = pool.submit(cage_of_child).result(60)
    assert caged
    assert {status["NoNewPrivs"] for status in caged} == {"1"}


def test_what_is_done_is_left_out_and_what_has_changed_is_not(tmp_path):
    fill(tmp_path, 4)
    sources = find_sources(str(tmp_path))
    with ThreadPoolExecutor(2) as executor:
        done = {each.source: each.sha256 for each in convert_many(sources, executor=executor)}
        assert list(convert_many(sources, executor=executor, done=done)) == []
        with open(sources[0], "ab") as file:
            file.write(b"more")
        assert [each.source for each in convert_many(sources, executor=executor, done=done)] == [sources[0]]


def test_a_relative_path_is_found_by_a_worker_in_another_directory(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "locked.pdf").write_bytes(pdf(printed(1, 2), user=PASSWORD))
    monkeypatch.chdir(tmp_path)
    options = Options(passwords={"docs/locked.pdf": PASSWORD})
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork"), os.chdir, ("/",)) as executor:
        [found] = convert_many(["docs/locked.pdf"], executor=executor, options=options)
    alone = convert("docs/locked.pdf", options=options)
    assert comparable(found)._replace(stamp="") == comparable(alone)._replace(stamp="")
    assert (found.source, found.error) == ("docs/locked.pdf", None)


def test_contents_and_paths_travel_together(folder):
    path = str(folder / "second" / "000.txt")
    with ThreadPoolExecutor(2) as executor:
        found = {each.source: each.text for each in convert_many([path, ("held.txt", b"held\n")], executor=executor)}
    assert found == {path: "document 0\n", "held.txt": "held\n"}


class Losing(ThreadPoolExecutor):
    """An executor whose workers die with certain documents."""

    def __init__(self, fatal, times):
        super().__init__(2)
        self.fatal, self.left = fatal, times

    def submit(self, fn, /, options, batch):
        if self.left and any(task.source == self.fatal for task in batch):
            self.left -= 1
            failed = Future()
            failed.set_exception(RuntimeError("the worker died"))
            return failed
        return super().submit(fn, options, batch)


def test_a_document_whose_worker_dies_is_tried_again(folder):
    sources = find_sources(str(folder))
    with Losing(sources[3], 2) as executor:
        found = list(convert_many(sources, executor=executor))
    assert sorted(each.source for each in found) == sources
    assert {each.error for each in found} == {None}


def test_a_document_that_kills_every_worker_is_a_row_and_the_others_are_converted(folder):
    sources = find_sources(str(folder))
    with Losing(sources[3], 1000) as executor:
        found = {each.source: each.error for each in convert_many(sources, executor=executor)}
    assert sorted(found) == sources
    lost = found.pop(sources[3])
    assert (lost.code, lost.retryable) == ("WORKER_LOST", True)
    assert set(found.values()) == {None}


def test_an_executor_that_takes_nothing_ends_the_run(folder):
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(EngineLost):
        list(convert_many(find_sources(str(folder)), executor=executor))


class Refusing(ThreadPoolExecutor):
    """An executor that takes some work, and then raises."""

    def __init__(self, error, after):
        super().__init__(2)
        self.error, self.left = error, after

    def submit(self, fn, /, *args, **kwargs):
        if not self.left:
            raise self.error
        self.left -= 1
        return super().submit(fn, *args, **kwargs)


@pytest.mark.parametrize(
    "error", [OSError(11, "no more processes"), ConnectionError("closed"), ValueError("no"), KeyError("x")]
)
@pytest.mark.parametrize("after", [0, 2])
def test_an_engine_that_raises_as_it_is_given_work_ends_the_run(folder, error, after):
    with Refusing(error, after) as executor, pytest.raises(EngineLost, match=type(error).__name__) as caught:
        list(convert_many(find_sources(str(folder)), executor=executor))
    assert caught.value.__cause__ is error


def without_descriptors(act):
    """Calls a function while this process may open no further descriptor."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        return act()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_pool_that_cannot_be_made_says_so(folder):
    from readwell.corpus.engines import ENGINES, EngineUnavailable

    sources = find_sources(str(folder))
    LocalPool(1).shutdown()  # imports what it needs
    convert(b"x")
    with pytest.raises(EngineLost, match="Too many open files"):
        without_descriptors(lambda: list(convert_many(sources, workers=1)))
    with pytest.raises(EngineUnavailable, match="Too many open files: raise the limits"):
        without_descriptors(ENGINES["local"](None, 1).__enter__)


def kill_self(*_):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_local_process_that_is_killed_is_replaced(folder):
    sources = find_sources(str(folder))
    with LocalPool(2) as pool:
        murder = pool.submit(kill_self)
        found = list(convert_many(sources, executor=pool, workers=2))
        assert murder.exception() is not None
    assert sorted(each.source for each in found) == sources
    assert {each.error for each in found} == {None}


def test_workers_have_the_environment_of_the_moment_when_their_pool_is_made(monkeypatch):
    for value in ("first", "second"):
        monkeypatch.setenv("READWELL_TEST_WORD", value)
        with LocalPool(1) as pool:
            assert pool.submit(os.getenv, "READWELL_TEST_WORD").result(60) == value


@pytest.mark.slow
def test_workers_end_with_the_process_that_started_them(tmp_path):
    import subprocess
    import sys

    from small_corpus import SOURCES

    script = (
        "import os, time\n"
        "from readwell.corpus.local_pool import LocalPool\n"
        "if __name__ == '__main__':\n"
        "    pool = LocalPool(2)\n"
        "    print(pool.submit(os.getpid).result(), flush=True)\n"
        "    time.sleep(60)\n"
    )
    (tmp_path / "run.py").write_text(script)
    run = subprocess.Popen(
        [sys.executable, tmp_path / "run.py"],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": SOURCES},
    )
    worker = int(run.stdout.readline())
    run.kill()
    run.wait()
    run.stdout.close()
    until = time.monotonic() + 20
    while os.path.exists(f"/proc/{worker}") and time.monotonic() < until:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{worker}")


def test_a_defect_costs_one_row(monkeypatch):
    from readwell.corpus import engine_task

    def broken(source, name, options, known):
        if source == "bad":
            raise KeyError("oops")
        return convert(b"fine", name=source, options=options)

    monkeypatch.setattr(engine_task, "convert_unless_known", broken)
    found = [each for _, each in convert_batch(Options(), (engine_task.Task(0, "bad"), engine_task.Task(1, "good")))]
    assert [each.error and each.error.code for each in found] == ["DEFECT", None]
    assert isinstance(found[0], Converted)


# sources


def test_a_folder_is_every_regular_file_below_it_in_order(tmp_path):
    for name in ("b/2.txt", "b/10.txt", "a.txt", "b/.hidden", "c/d/e.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    os.mkfifo(tmp_path / "b" / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "link.txt").symlink_to(tmp_path / "a.txt")
    found = find_sources(str(tmp_path))
    assert found == [
        f"{tmp_path}/{name}" for name in ("a.txt", "b/.hidden", "b/10.txt", "b/2.txt", "c/d/e.txt", "link.txt")
    ]


def test_globs_duplicates_and_what_does_not_exist(tmp_path, monkeypatch):
    fill(tmp_path, 4)
    (tmp_path / ".secret.txt").write_text("x")
    monkeypatch.chdir(tmp_path)
    assert find_sources("**/*.txt") == ["second/000.txt"]
    assert find_sources("*/00[01].*") == ["first/001.pdf", "second/000.txt"]
    assert find_sources("first", "first/001.pdf", "first") == ["first/001.pdf", "first/003.html"]
    assert find_sources("nothing", "none*", ".*.txt") == ["nothing", "none*", ".secret.txt"]


def test_what_the_policy_denies_is_no_source(tmp_path):
    from readwell.policy import Denials

    fill(tmp_path, 4)
    options = Options(roots=(str(tmp_path),), denials=Denials(deny=("*.html",)))
    assert [path.rpartition(".")[2] for path in find_sources(str(tmp_path), options=options)] == ["pdf", "txt", "docx"]


def test_a_single_root_or_language_is_taken_as_one(tmp_path):
    options = Options(roots=str(tmp_path), ocr_languages="eng")
    assert (options.roots, options.ocr_languages) == ((str(tmp_path),), ("eng",))
    assert convert(tmp_path / "a.txt", options=options).error.code == "NOT_FOUND"


def test_units_are_counted_as_they_are_listed(folder):
    sources = [str(folder / "first" / "005.pdf"), str(folder / "second" / "000.txt"), "nothing"]
    found = [convert(source) for source in sources]
    assert [each.unit_count for each in found] == [len(each.units) for each in found] == [3, 1, 0]


def test_a_batch_of_ray_data_is_columns():
    from readwell.corpus.ray import Converter

    columns = Converter()({"path": ["a.txt", "b.pdf"], "bytes": [b"words\n", b"%PDF-1.7 damaged"]})
    assert {name: columns[name] for name in ("source", "text", "format", "units", "lines", "error")} == {
        "source": ["a.txt", "b.pdf"],
        "text": ["words\n", ""],
        "format": ["text", ""],
        "units": [1, 0],
        "lines": [1, 0],
        "error": ["", "CONVERSION_FAILED"],
    }


@pytest.mark.parametrize(
    ("address", "hint"), [(None, "started no worker"), ("tcp://a:1", "start one with `dask worker tcp://a:1`")]
)
def test_a_cluster_without_workers_says_what_to_do(address, hint):
    from readwell.corpus import dask
    from readwell.corpus.engines import EngineUnavailable

    class Empty:
        def wait_for_workers(self, count, timeout):
            raise TimeoutError

    with pytest.raises(EngineUnavailable, match=hint) as told:
        dask._wait_for_workers(Empty(), address)
    assert "None" not in str(told.value)


def test_a_client_of_a_cluster_of_others_that_cannot_be_closed_fails_no_run():
    from readwell.corpus import dask

    class Client:
        cluster = None

        def close(self):
            raise AssertionError("can only join a started process")

    dask._close(Client())


ASKS_A_POOL = """
import os
from readwell.corpus.local_pool import LocalPool
if __name__ == "__main__":
    for given in ({"SECRET": "old"}, {}, {"SECRET": "new", "OTHER": "1"}):
        for name in ("SECRET", "OTHER"):
            os.environ.pop(name, None)
        os.environ.update(given)
        with LocalPool(1) as pool:
            print([pool.submit(os.getenv, name).result() for name in ("SECRET", "OTHER")])
"""


def test_the_processes_of_a_pool_have_the_variables_of_now(tmp_path):
    (tmp_path / "asks.py").write_text(ASKS_A_POOL)
    words = [sys.executable, tmp_path / "asks.py"]
    done = subprocess.run(words, env=os.environ | {"PYTHONPATH": SOURCES}, capture_output=True, text=True, timeout=60)
    assert (done.stdout.splitlines(), done.stderr) == (["['old', None]", "[None, None]", "['new', '1']"], "")
