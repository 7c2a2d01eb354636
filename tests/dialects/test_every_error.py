"""Every way to fail is answered in every dialect, to the byte, and survives a process border."""

import errno
import json
import pickle
from pathlib import Path
from threading import Lock

import pytest

from every_dialect import path_param
from readwell import errors
from readwell.audit import Recorder
from readwell.audit.record_json import json_fields_of
from readwell.dialects import NAMES, dialect_named
from readwell.model import Call, Root
from readwell.report.logged_call import parse_logged_call

GOLDEN = Path(__file__).parent / "golden"
CALL = Call(
    params={"path": "docs/plan.md", "filePath": "docs/plan.md"},
    elapsed_ms=3,
    cwd="/project",
    roots=(Root("/project", "/project", "/project"),),
    mark=lambda: "00000000",
)
SAMPLES = {
    "InvalidRequest": errors.InvalidRequest("limit", "many", "a whole number"),
    "InvalidRequest path": errors.InvalidRequest("path", "a\0b", "a path without NUL"),
    "StartPastEnd": errors.StartPastEnd(900, 120),
    "StartPastEnd empty": errors.StartPastEnd(2, 0),
    "ColumnPastEnd": errors.ColumnPastEnd(7, 4001, 80),
    "AccessDenied": errors.AccessDenied("root"),
    "AccessDenied rule": errors.AccessDenied("*.pem"),
    "NotFound": errors.NotFound(),
    "NotFound lookalikes": errors.NotFound(("plan.rst", "plans.md")),
    "WrongKind": errors.WrongKind(),
    "IsDirectory": errors.IsDirectory(),
    "NotRegularFile": errors.NotRegularFile(),
    "NotRegularFile made up": errors.NotRegularFile(made_up=True),
    "BinaryFile": errors.BinaryFile("", 10),
    "BinaryFile named": errors.BinaryFile("PNG image", 4200),
    "BinaryFile document": errors.BinaryFile("XLSX document", 4200, "markdown"),
    "BinaryFile image": errors.BinaryFile("PNG image", 4200, "image"),
    "ConversionFailed": errors.ConversionFailed("pdf", "the file is damaged"),
    "ConverterMissing": errors.ConverterMissing("pdf", 'pip install "readwell[documents]"'),
    "DocumentLocked": errors.DocumentLocked("pdf"),
    "DocumentEmpty": errors.DocumentEmpty("pdf", 12),
    "TooLarge": errors.TooLarge(1 << 28),
    "ChangedWhileReading": errors.ChangedWhileReading(),
    "DeadlineExceeded": errors.DeadlineExceeded(30),
    "TooManyCalls": errors.TooManyCalls("calls in flight", 2),
    "Unreadable": errors.Unreadable(errno.EIO, "Input/output error"),
    "Unreadable permission": errors.Unreadable(errno.EACCES, "Permission denied"),
}


def all_subclasses(kind):
    return {kind, *(found for child in kind.__subclasses__() for found in all_subclasses(child))}


def answered(name, error):
    """The reply to an error of a call that names the path as the dialect does."""
    call = CALL._replace(params={**CALL.params, path_param(name): "docs/plan.md"})
    return dialect_named(name).tools[0].render_error(error, call)


def answer(name, error):
    reply = answered(name, error)
    told = {"text": reply.text, "data": reply.data}
    if reply.exception and not isinstance(reply.exception, errors.ReadError):
        told["raises"] = f"{type(reply.exception).__name__}: {reply.exception}"
    return told


@pytest.mark.parametrize("title", SAMPLES)
def test_a_report_counts_every_error_by_its_code(title):
    lines = []
    recorder = Recorder(lambda record: lines.append(f"{{{json_fields_of(record)}}}".encode()), "native", lambda: 0.0)
    recorder.record_failure(("read", None, 0.0, "docs/plan.md"), SAMPLES[title])
    assert parse_logged_call(lines[0]).outcome == answer("native", SAMPLES[title])["data"]["error"]["code"]


@pytest.mark.parametrize("name", NAMES)
def test_every_error_is_answered_as_written_down(name):
    answers = {title: answer(name, error) for title, error in SAMPLES.items()}
    golden = GOLDEN / name / "errors.json"
    if not golden.exists():
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n")
        pytest.fail(f"{golden} was missing and has been written: read every answer, then keep it")
    assert answers == json.loads(golden.read_text())


def test_every_error_type_is_among_the_samples():
    assert {type(error) for error in SAMPLES.values()} == all_subclasses(errors.ReadError) - {errors.ReadError}


@pytest.mark.parametrize("title", SAMPLES)
def test_an_error_survives_pickling(title):
    error = SAMPLES[title]
    error.opened = "/project/docs/plan.md"
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.args, vars(again)) == (type(error), error.args, vars(error))
    error.opened = None


@pytest.mark.parametrize("value", [[1], {}, object(), lambda: 1, Lock()], ids=lambda value: type(value).__name__)
def test_an_invalid_value_that_is_neither_text_nor_a_number_is_named_by_its_type(value):
    """It may be one that cannot be pickled or must not be kept."""
    error = errors.InvalidRequest("limit", value, "at least 1")
    again = pickle.loads(pickle.dumps(error))
    assert (again.param, again.value, again.wants) == ("limit", type(value).__name__, "at least 1")
    assert again.args == error.args == ("limit", type(value).__name__, "at least 1")


def test_an_error_type_that_nobody_knows_yet_is_still_answered():
    class Unheard(errors.ReadError):
        pass

    for name in NAMES:
        reply = answered(name, Unheard())
        assert reply.is_error
        assert "docs/plan.md" in reply.text
