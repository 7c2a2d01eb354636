"""Servers that lie, dawdle, fail and send elsewhere: every fault has a type, in time, and nothing is loaded unasked."""

import gc
import socket
import time
import warnings
from contextlib import closing, suppress
from itertools import repeat

import pytest
from scripted_server import (
    always,
    closes,
    cuts_body,
    drips,
    drips_head,
    hangs,
    ignores_range,
    serving,
    status,
)

from readwell import Reader
from readwell.errors import (
    ChangedWhileReading,
    DeadlineExceeded,
    InvalidRequest,
    NotFound,
    ReadError,
    Unreadable,
)

TEXT = b"".join(b"line %d\n" % number for number in range(1, 200))
LONG = b"".join(b"line %d of a long file\n" % number for number in range(1, 60_000))


@pytest.fixture
def reader(server):
    """A reader of a folder of the server."""
    server.objects = {"/folder/a.txt": TEXT, "/folder/long.txt": LONG, "/outside.txt": b"outside\n"}
    with Reader(f"{server.url}/folder/", cache_dir=None, deadline_s=5) as made:
        yield made


def failure(reader, path="a.txt", **params):
    with pytest.raises(ReadError) as caught:
        reader.read(path, **params)
    return caught.value


def test_a_good_server_is_read_with_one_request(reader, server):
    found = reader.read("a.txt", limit=2)
    assert (found.lines, found.window.total) == (["line 1", "line 2"], 199)
    assert server.requests() == (1, len(TEXT))


def test_lines_are_counted_unasked_only_where_a_second_request_brings_all(reader, server):
    server.objects["/folder/short.txt"] = short = LONG[: 1 << 20]
    assert reader.read("short.txt", limit=1).window.total == len(short.splitlines())
    assert server.requests()[0] <= 2
    assert reader.read("long.txt", limit=1).window.total is None
    assert server.requests()[0] <= 2
    assert reader.read("long.txt", limit=1, total="exact").window.total == 59_999
    assert server.requests()[1] > len(LONG) // 2
    assert reader.read("long.txt", limit=1).window.total == 59_999


def test_making_a_reader_sends_nothing(reader, server):
    assert server.requests() == (0, 0)


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_is_refused_and_its_target_is_neither_asked_nor_told(reader, server, code):
    with serving() as elsewhere:
        elsewhere.objects = {"/folder/a.txt": b"secret\n"}
        server.fault = always(status(code, {"Location": f"{elsewhere.url}/folder/a.txt"}))
        error = failure(reader)
        assert isinstance(error, Unreadable) and "redirect" in error.reason
        assert str(elsewhere.port) not in str(error)
        assert elsewhere.seen == []


def test_a_server_that_ignores_ranges_is_not_loaded(reader, server):
    server.fault = always(ignores_range)
    error = failure(reader, "long.txt")
    assert isinstance(error, Unreadable) and "ignores ranges" in error.reason
    assert len(server.seen) == 1
    assert "ignores ranges" in failure(reader).reason


@pytest.mark.parametrize(
    "code, kind", [(401, Unreadable), (403, Unreadable), (404, NotFound), (410, NotFound), (400, Unreadable)]
)
def test_a_refusal_is_told_by_its_type_at_once(reader, server, code, kind):
    server.fault = always(status(code))
    error = failure(reader)
    assert type(error) is kind
    assert len(server.seen) == 1
    if code in (401, 403):
        assert error.no_permission


def test_a_range_that_the_server_refuses_although_the_file_has_it_is_an_error(reader, server):
    server.fault = lambda handler, _: handler.command == "GET" and status(416)(handler)
    assert "refuses ranges" in failure(reader).reason


def test_three_failures_in_a_row_are_passed_over(reader, server):
    server.fault = lambda handler, number: number < 3 and status(500)(handler)
    assert reader.read("a.txt", limit=1).lines == ["line 1"]
    assert len(server.seen) == 4


@pytest.mark.parametrize(("code", "asked"), [(code, 2) for code in (408, 425, 429, 500, 502, 503, 504)] + [(501, 1)])
def test_what_may_pass_is_asked_once_more(reader, server, code, asked):
    server.fault = lambda handler, number: number == 0 and status(code)(handler)
    with suppress(Unreadable):
        reader.read("a.txt", limit=1)
    assert len(server.seen) == asked


@pytest.mark.slow
def test_a_server_that_stays_broken_is_told(reader, server):
    server.fault = always(status(500))
    assert "answered 500" in failure(reader).reason


def test_a_busy_server_is_asked_again_when_it_says(reader, server):
    server.fault = lambda handler, number: number == 0 and status(429, {"Retry-After": "1"})(handler)
    began = time.monotonic()
    assert reader.read("a.txt", limit=1).lines == ["line 1"]
    assert time.monotonic() - began >= 1


def test_a_busy_server_that_wants_longer_than_the_deadline_is_told_at_once(reader, server):
    server.fault = always(status(429, {"Retry-After": "3600"}))
    error = failure(reader)
    assert "busy" in error.reason and error.retryable
    assert len(server.seen) == 1


@pytest.mark.slow
@pytest.mark.parametrize("fault", [cuts_body, closes])
def test_a_body_that_is_cut_and_a_connection_that_is_closed_are_tried_again(reader, server, fault):
    server.fault = lambda handler, number: number < 2 and fault(handler)
    assert reader.read("a.txt", limit=1).lines == ["line 1"]
    server.fault = always(fault)
    assert isinstance(failure(reader), Unreadable)


@pytest.mark.parametrize("fault", [drips, drips_head, hangs])
def test_a_server_that_dawdles_is_left_at_the_deadline(server, fault):
    server.objects, server.fault = {"/a.txt": TEXT}, always(fault)
    with Reader(server.url, cache_dir=None, deadline_s=0.7) as reader:
        began = time.monotonic()
        assert isinstance(failure(reader), DeadlineExceeded)
        assert time.monotonic() - began < 5


def test_a_call_that_is_cancelled_ends_though_the_server_is_silent(server):
    server.objects, server.fault = {"/a.txt": TEXT}, always(hangs)
    with Reader(server.url, cache_dir=None, deadline_s=60) as reader:
        began = time.monotonic()
        until = began + 0.3
        reply = reader.tool.reply({"path": "a.txt"}, cancelled=lambda: time.monotonic() > until)
        assert reply.data["error"]["code"] == "TIMEOUT"
        assert time.monotonic() - began < 6


@pytest.mark.parametrize(
    "told",
    [
        {"Content-Range": "bytes 0-9/199"},
        {"Content-Range": "bytes 5-1688/1689"},
        {"Content-Range": "bytes 0-1688/99999999999"},
        {"Content-Range": "bytes */1689"},
        {"Content-Range": "bytes 0-1688/*"},
        {"Content-Range": "bytes 0-\u0661/2".encode().decode("latin-1")},
        {},
    ],
)
def test_an_answer_with_another_range_than_was_asked_for_is_an_error(reader, server, told):
    server.fault = lambda handler, _: handler.answer(206, TEXT, told) or True
    assert isinstance(failure(reader), Unreadable)


@pytest.mark.parametrize("length", [10, 10**12])
def test_a_length_that_is_a_lie_is_an_error(reader, server, length):
    headers = {"Content-Range": f"bytes 0-{len(TEXT) - 1}/{len(TEXT)}"}

    def lies(handler, _):
        handler.answer(206, TEXT, headers, length=length)
        handler.close_connection = True
        return True

    server.fault = lies
    assert isinstance(failure(reader), Unreadable)


@pytest.mark.parametrize("honours", [True, False])
def test_an_object_that_changes_between_two_ranges_is_read_again_and_never_mixed(reader, server, honours):
    server.honours_if_match = honours
    other = LONG.replace(b"long", b"LONG")

    def changes(handler, number):
        if number == 1:
            server.objects["/folder/long.txt"] = other
        return False

    server.fault = changes
    found = reader.read("long.txt", offset=-3)
    assert found.lines == [f"line {number} of a LONG file" for number in range(59_997, 60_000)]


@pytest.mark.parametrize("honours", [True, False])
def test_an_object_that_changes_all_the_time_is_told(reader, server, honours):
    server.honours_if_match = honours

    def changes(handler, number):
        server.objects["/folder/long.txt"] = LONG.replace(b"long", b"%04d" % number)
        return False

    server.fault = changes
    assert isinstance(failure(reader, "long.txt", offset=-3), ChangedWhileReading)


def test_an_object_that_vanishes_between_two_ranges_is_not_found(reader, server):
    def vanishes(handler, number):
        if number == 1:
            del server.objects["/folder/long.txt"]
        return False

    server.fault = vanishes
    assert isinstance(failure(reader, "long.txt", offset=-3), NotFound)


def test_an_empty_object_is_an_empty_file(reader, server):
    server.objects["/folder/empty.txt"] = b""
    assert reader.read("empty.txt").window.total == 0
    server.fault = always(ignores_range)
    assert reader.read("empty.txt").window.total == 0
    # So does Azure's emulator.
    server.fault = lambda handler, _: (
        handler.command == "GET" and (handler.answer(206, b"", {"Content-Range": "bytes 0--1/0"}) or True)
    )
    assert reader.read("empty.txt").window.total == 0
    assert isinstance(failure(reader, "a.txt"), Unreadable)


def test_an_object_of_five_terabytes_by_its_header_is_read_as_far_as_it_is_asked_for(reader, server):
    size = 5 * 10**12
    line = b"a line of sixteen\n"[-16:]

    def huge(handler, _):
        if handler.command == "HEAD":
            handler.answer(200, b"", {"ETag": '"huge"'}, length=size)
            return True
        first, last = map(int, handler.headers["Range"].removeprefix("bytes=").split("-"))
        last = min(last, size - 1)
        body = (line * ((last - first) // 16 + 2))[first % 16 :][: last - first + 1]
        handler.answer(206, body, {"Content-Range": f"bytes {first}-{last}/{size}", "ETag": '"huge"'})
        return True

    server.fault = huge
    found = reader.read("huge.log", limit=3)
    assert (found.size, len(found.lines), found.window.total) == (size, 3, None)
    assert len(reader.read("huge.log", offset=-3).lines) == 3
    count, sent = server.requests()
    assert count <= 4 and sent < 512_000


def test_an_answer_in_chunks_is_read_and_one_that_never_ends_is_left(reader, server):
    def chunked(body):
        def fault(handler, _):
            first, last = map(int, handler.headers["Range"].removeprefix("bytes=").split("-"))
            handler.send_response(206)
            handler.send_header("Content-Range", f"bytes {first}-{min(last, len(LONG) - 1)}/{len(LONG)}")
            handler.send_header("ETag", '"chunked"')
            handler.send_header("Transfer-Encoding", "chunked")
            handler.end_headers()
            with suppress(OSError):
                for part in body(LONG[first : last + 1]):
                    handler.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            return True

        return fault

    server.fault = chunked(lambda found: [*(found[at : at + 9999] for at in range(0, len(found), 9999)), b""])
    assert reader.read("long.txt", offset=-1).lines == ["line 59999 of a long file"]
    server.fault = chunked(lambda found: repeat(found))
    assert isinstance(failure(reader, "other.txt"), Unreadable)


def test_a_server_that_takes_no_connection_is_left_at_the_deadline():
    """One connection fills its queue: the kernel answers no other."""
    with closing(socket.create_server(("127.0.0.1", 0), backlog=0)) as silent:
        host, port = silent.getsockname()
        with (
            closing(socket.create_connection((host, port))),
            Reader(f"http://{host}:{port}/", cache_dir=None, deadline_s=0.3) as reader,
        ):
            began = time.monotonic()
            assert isinstance(failure(reader), DeadlineExceeded)
            assert time.monotonic() - began < 10


def test_a_dead_server_is_told_soon(server):
    with Reader("http://127.0.0.1:9", cache_dir=None, deadline_s=20) as reader:
        began = time.monotonic()
        assert "refuses connections" in failure(reader).reason
        assert time.monotonic() - began < 10


def test_a_name_that_is_no_server_is_told():
    with Reader("http://no-such-host.invalid/", cache_dir=None, deadline_s=20) as reader:
        assert isinstance(failure(reader), Unreadable)


def test_an_http_root_cannot_be_listed(reader):
    error = failure(reader, ".")
    assert isinstance(error, InvalidRequest) and "cannot be listed" in error.wants
    assert reader.reply({"path": "./"}).data["error"]["code"] == "INVALID_PARAM"


@pytest.mark.parametrize("pattern", ["*.txt", "[an]*.txt", "sub/*.txt", "**"])
def test_a_pattern_on_an_http_root_is_refused_because_nothing_can_be_listed(reader, pattern):
    replies = reader.reply({"paths": [pattern]}), reader.search_reply({"pattern": "x", "paths": [pattern]})
    words = (
        "[error INVALID_PARAM] Invalid paths. It must be names of files, no patterns: an HTTP root cannot be listed."
    )
    assert [reply.text for reply in replies] == [words, words]


def test_a_missing_file_of_an_http_root_does_not_advise_to_list_it(reader):
    words = "File 'none.txt' does not exist. Check the path: its root is an HTTP server, which cannot be listed."
    assert reader.reply({"path": "none.txt"}).text == f"[error NOT_FOUND] {words}"
    assert words in reader.search_reply({"pattern": "x", "path": "none.txt"}).text


def test_no_proxy_of_the_environment_is_used(reader, server, monkeypatch):
    with serving() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert reader.read("a.txt", limit=1).lines == ["line 1"]
        assert proxy.seen == []


def test_a_kept_connection_that_the_server_closed_is_replaced(reader, server):
    assert reader.read("a.txt", limit=1).lines == ["line 1"]
    server.fault = lambda handler, number: number == 1 and closes(handler)
    assert reader.read("a.txt", limit=1).lines == ["line 1"]


def telling_no_version(server):
    """Answers ranges, with nothing that tells one version of an object from another."""

    def bare(handler, _):
        content = server.objects["/folder/long.txt"]
        first, last = map(int, handler.headers["Range"].removeprefix("bytes=").split("-"))
        last = min(last, len(content) - 1)
        handler.answer(206, content[first : last + 1], {"Content-Range": f"bytes {first}-{last}/{len(content)}"})
        return True

    return bare


def test_a_reader_that_is_dropped_closes_its_connections(server):
    server.objects = {"/a.txt": TEXT}
    dropped = Reader(f"{server.url}/", cache_dir=None)
    dropped.itself = dropped  # so that only the collector of cycles finds it
    dropped.read("a.txt")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        del dropped
        gc.collect()
    assert [str(each.message) for each in told] == []


def test_a_server_without_any_sign_of_a_version_is_read_but_nothing_of_it_is_kept(reader, server):
    server.fault = telling_no_version(server)
    one, other = (reader.read("long.txt", limit=1, total="exact") for _ in range(2))
    assert one.window.total == other.window.total == 59_999
    assert one.revision != other.revision


@pytest.mark.parametrize(("lines", "asked"), [(100, 1), (20_000, 2)])
def test_the_revision_of_a_small_object_is_that_of_its_content_where_no_version_is_told(reader, server, lines, asked):
    server.fault = telling_no_version(server)
    server.objects["/folder/long.txt"] = b"".join(b"%06d a line before\n" % each for each in range(lines))
    first = reader.read("long.txt", limit=1)
    assert len(server.seen) == asked
    assert reader.read("long.txt", limit=1, if_revision=first.revision).unchanged
    server.objects["/folder/long.txt"] = server.objects["/folder/long.txt"].replace(b"before", b"behind")
    again = reader.read("long.txt", limit=1, if_revision=first.revision)
    assert again.lines == ["000000 a line behind"]
    assert len(server.seen) == 3 * asked


@pytest.mark.parametrize("total", ["lazy", "auto"])
@pytest.mark.parametrize("lines", [100, 20_000, 59_999])
def test_no_piece_of_an_older_version_is_shown_where_none_is_told(reader, server, lines, total):
    server.fault = telling_no_version(server)
    for word in (b"before", b"behind"):
        server.objects["/folder/long.txt"] = b"".join(b"%06d a line %s\n" % (each, word) for each in range(lines))
        shown = reader.read("long.txt", offset=-1, total=total).lines
        assert shown == [f"{lines - 1:06d} a line {word.decode()}"]
