"""What every program here plays: an agent that reads files, with a script in the place of its model.

The script makes a call that means nothing, follows the suggestion after a wrong name, reads a PDF, is refused a path
outside the root, looks at an image and at two files in one call, and pages through a large log until its budget is
spent. Give a program the name of a file, and it writes there what was asked and answered.
"""

import asyncio
import json
import re
import struct
import sys
import tempfile
import zlib
from base64 import b64encode
from collections.abc import Awaitable, Callable, Generator
from pathlib import Path

from readwell import Reader
from readwell.tokens import estimate_tokens

TASK = "What does the manual say, and what happened on the server?"
BUDGET = 6000
ENOUGH = 500
Params = dict[str, object]


def script() -> Generator[Params, str, str]:
    """Yields the params of each call, is sent the answer to it, and returns the last words."""
    yield {"path": ""}
    answer = yield {"path": "manaul.pdf"}
    found = re.search(r"Did you mean: ([^?]+)\?", answer)
    manual = yield {"path": found[1] if found else "?"}
    yield {"path": "../outside.txt"}
    yield {"path": "plan.png"}
    yield {"paths": ["*.log", "manual.pdf"], "limit": 8}
    spent, more, last = estimate_tokens(manual), "1", ""
    while more and BUDGET - spent > ENOUGH:
        answer = yield {"path": "server.log", "offset": int(more), "limit": 400, "max_tokens": BUDGET - spent}
        spent += estimate_tokens(answer)
        following = re.search(r"\[more: offset=(\d+)", answer)
        more, last = following[1] if following else "", re.findall(r"event (\d+)", answer)[-1]
    pump = re.search(r"Oil the pump\.", manual)
    return f"{pump[0] if pump else '?'} The budget ends at event {last}."


class Model:
    """The script as a model is used: told the last answer, it says the next params, or text if it is done."""

    def __init__(self) -> None:
        self.steps: list[dict[str, object]] = []
        self.said = ""
        self._script = script()

    def next(self, answer: object = None, failed: bool | None = None, image: bytes | str = b"") -> Params | str:
        """Takes an answer, the framework's own word on whether it is a failure, if it has one, and an image."""
        try:
            if not self.steps:
                params = next(self._script)
            else:
                shown = image if isinstance(image, str) else b64encode(image).decode()
                self.steps[-1].update(answer=str(answer), failed=failed, image=shown)
                params = self._script.send(str(answer))
        except StopIteration as done:
            self.said = str(done.value)
            return self.said
        self.steps.append({"params": params})
        return params


def play(
    run: Callable[[Reader, Model], object], arun: Callable[[Reader, Model], Awaitable[object]] | None = None
) -> None:
    """Plays the scene with a synchronous loop and with an asynchronous one, and shows it."""
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        with Reader(folder, images=True, count_tokens=estimate_tokens) as reader:
            scenes = {"sync": Model()}
            run(reader, scenes["sync"])
            if arun is not None:
                scenes["async"] = Model()
                asyncio.run(arun(reader, scenes["async"]))  # type: ignore[arg-type]
    if len(sys.argv) > 1:
        told = {name: {"steps": model.steps, "said": model.said} for name, model in scenes.items()}
        Path(sys.argv[1]).write_text(json.dumps(told))
        return
    for step in scenes["sync"].steps:
        print(f"> {step['params']}\n{str(step['answer']).strip()[:160]}\n")
    print(scenes["sync"].said)


def prepare(folder: Path) -> None:
    """Writes a manual of one page, a plan, and a log of 5,000 lines."""
    (folder / "manual.pdf").write_bytes(one_page_pdf("Oil the pump."))
    (folder / "plan.png").write_bytes(red_png(3136, 100))
    (folder / "server.log").write_text("".join(f"event {number}\n" for number in range(1, 5001)))


def red_png(width: int, height: int) -> bytes:
    """Returns an image of one colour."""
    head = struct.pack("!IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress((b"\0" + b"\xff\0\0" * width) * height)
    chunks = [(b"IHDR", head), (b"IDAT", pixels), (b"IEND", b"")]
    written = [struct.pack("!I", len(body)) + kind + body for kind, body in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(each + struct.pack("!I", zlib.crc32(each[4:])) for each in written)


def one_page_pdf(text: str) -> bytes:
    """Returns the smallest PDF that shows a line of text."""
    drawn = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(bodies) + 1, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n%s%s" % (len(bodies) + 1, table, end)
