"""What an agent does after a mistake: the error says the next step, and the code says whether to try."""

import tempfile
from pathlib import Path

from readwell import NotFound, Reader


def read_or_nearest(reader: Reader, path: str) -> str:
    """Reads a file, or the one whose name is nearest to a wrong name."""
    try:
        return reader.read(path).text
    except NotFound as missing:
        if not missing.lookalikes:
            raise
        folder = path.rpartition("/")[0]
        return reader.read(f"{folder}/{missing.lookalikes[0]}" if folder else missing.lookalikes[0]).text


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "settings.toml").write_text('name = "demo"\n')
        with Reader(folder) as reader:
            print(reader.reply({"path": "setings.toml"}).text)
            print(read_or_nearest(reader, "setings.toml"))
