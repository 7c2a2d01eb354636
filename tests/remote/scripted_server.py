"""A small HTTP and S3 server on 127.0.0.1 that counts what it is asked, and misbehaves as a test tells it to."""

import re
import socket
import ssl
import threading
import time
from contextlib import contextmanager, suppress
from email.utils import formatdate
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qs, quote, unquote, urlsplit
from xml.sax.saxutils import escape

BORN = 1_700_000_000


class RecordedRequest(NamedTuple):
    """A request as it arrived."""

    method: str
    target: str
    headers: dict
    sent: list
    """The number of bytes of the body that were sent."""
    sender: tuple
    """The other end of the connection."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16

    def do_GET(self):
        script = self.server.script
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = RecordedRequest(self.command, self.path, headers, [0], self.client_address)
        with script.lock:
            number = len(script.seen)
            script.seen.append(asked)
        self.asked = asked
        if script.fault and script.fault(self, number):
            return
        self.serve()

    do_HEAD = do_POST = do_GET  # noqa: N815

    def serve(self):
        """Answers as a good server does."""
        script = self.server.script
        parts = urlsplit(self.path)
        query = parse_qs(parts.query, keep_blank_values=True)
        if "list-type" in query:
            self.list_keys({name: values[0] for name, values in query.items()})
            return
        key = unquote(parts.path)
        if key not in script.objects:
            self.answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
            return
        content = script.objects[key]
        tag = script.tag_of(key)
        headers = {"Last-Modified": formatdate(BORN, usegmt=True), "Accept-Ranges": "bytes"}
        if tag:
            headers["ETag"] = tag
        wanted = self.headers.get("If-Match")
        if wanted and wanted != tag and script.honours_if_match:
            self.answer(412, b"")
            return
        span = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if not span:
            self.answer(200, content, headers)
            return
        first, last = int(span[1]), min(int(span[2]), len(content) - 1)
        if first >= len(content):
            self.answer(416, b"", {"Content-Range": f"bytes */{len(content)}"})
            return
        headers["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
        self.answer(206, content[first : last + 1], headers)

    def answer(self, status, body, headers=(), length=None):
        """Sends an answer; `length` is what it says of its length."""
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if self.command != "HEAD":
            with suppress(OSError):
                self.wfile.write(body)
                self.asked.sent[0] += len(body)

    def list_keys(self, query):
        """Answers with a page of keys, as S3 does."""
        script = self.server.script
        bucket = "/" + urlsplit(self.path).path.strip("/") + "/"
        prefix, most = query.get("prefix", ""), min(1000, int(query.get("max-keys", "1000")))
        keys = sorted(key.removeprefix(bucket) for key in script.objects if key.startswith(bucket + prefix))
        folders = dict.fromkeys(key[: key.index("/", len(prefix)) + 1] for key in keys if "/" in key[len(prefix) :])
        files = [key for key in keys if "/" not in key[len(prefix) :]]
        rows = sorted([*folders, *files])
        start = int(query.get("continuation-token", "0"))
        page = rows[start : start + most]
        more = start + most < len(rows)
        xml = "".join(
            f"<CommonPrefixes><Prefix>{escape(quote(row))}</Prefix></CommonPrefixes>"
            if row in folders
            else f"<Contents><Key>{escape(quote(row))}</Key><Size>{len(script.objects[bucket + row])}</Size></Contents>"
            for row in page
        )
        token = f"<NextContinuationToken>{start + most}</NextContinuationToken>" if more else ""
        body = (
            '<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
            f"<EncodingType>url</EncodingType><IsTruncated>{str(more).lower()}</IsTruncated>{token}{xml}"
            "</ListBucketResult>"
        )
        self.answer(200, body.encode())

    def log_message(self, *_):
        """Says nothing."""


class Script:
    """What the server has, what it was asked, and how it misbehaves.

    `fault(handler, number)` is asked at each request and returns whether it has answered.
    """

    def __init__(self, port, secure):
        self.port, self.secure = port, secure
        self.objects, self.tags = {}, {}
        self.seen, self.fault, self.honours_if_match = [], None, True
        self.lock = threading.Lock()

    @property
    def url(self):
        return f"{'https' if self.secure else 'http'}://127.0.0.1:{self.port}"

    def tag_of(self, key):
        return self.tags[key] if key in self.tags else f'"{md5(self.objects[key]).hexdigest()}"'

    def requests(self):
        """How many requests have come since the last time, and how many bytes were sent."""
        with self.lock:
            seen, self.seen = self.seen, []
        return len(seen), sum(each.sent[0] for each in seen)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """Clients that give up are no news."""


@contextmanager
def serving(certificate=None, adjust=None):
    """Runs a server; gives its script. `adjust` is given the settings of TLS."""
    server = Server(("127.0.0.1", 0), Handler)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        if adjust:
            adjust(context)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.script = Script(server.server_address[1], certificate is not None)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server.script
    finally:
        server.shutdown()
        server.server_close()


# --- ways to misbehave ------------------------------------------------------------------------


def always(fault):
    return lambda handler, _: fault(handler)


def status(code, headers=()):
    def fault(handler):
        handler.answer(code, b"", headers)
        return True

    return fault


def ignores_range(handler):
    handler.headers.replace_header("Range", "none")
    return False


def cuts_body(handler):
    """Sends half of what it announces."""
    whole = handler.server.script.objects[unquote(urlsplit(handler.path).path)]
    part = whole[: len(whole) // 2]
    headers = {"Content-Range": f"bytes 0-{len(whole) - 1}/{len(whole)}", "ETag": '"x"'}
    handler.answer(206, part, headers, length=len(whole))
    handler.close_connection = True
    return True


def cuts_answer(handler):
    """Sends half of the body of a good answer, whatever was asked for, then closes."""
    whole = handler.answer

    def half(status, body, headers=(), length=None):
        whole(status, body[: len(body) // 2], headers, length=len(body))

    handler.answer, handler.close_connection = half, True
    handler.serve()
    handler.close_connection = True
    return True


def drips(handler):
    """Sends a byte now and then."""
    handler.send_response(206)
    handler.send_header("Content-Range", "bytes 0-99999/100000")
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    with suppress(OSError):
        for _ in range(200):
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.05)
    handler.close_connection = True
    return True


def drips_head(handler):
    """Sends its headers a byte at a time."""
    with suppress(OSError):
        for letter in b"HTTP/1.1 206 Partial Content\r\n" + b"X-Filler: y\r\n" * 50:
            handler.connection.sendall(bytes([letter]))
            time.sleep(0.05)
    handler.close_connection = True
    return True


def closes(handler):
    """Closes without an answer."""
    with suppress(OSError):
        handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True
    return True


def hangs(handler):
    """Says nothing for a while."""
    time.sleep(8)
    return closes(handler)
