"""Pages through a file by doing what each reply says, until it says [end]."""

import tempfile
from pathlib import Path

from readwell import Reader


def page_through(reader: Reader, path: str, limit: int) -> list[str]:
    """Returns the text of every reply; no line is read twice and none is left out."""
    replies: list[str] = []
    params: dict[str, object] = {"path": path, "limit": limit}
    while True:
        reply = reader.reply(params)
        replies.append(reply.text)
        following = reply.data.get("next")
        if not isinstance(following, dict):
            return replies
        params = {"path": path, "limit": limit, **following}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "app.log").write_text("".join(f"event {number}\n" for number in range(1, 12)))
        with Reader(folder) as reader:
            for reply in page_through(reader, "app.log", limit=5):
                print(reply, end="\n\n")
