"""What the operating system refuses is a typed answer in every dialect, tried as a user without rights."""

import os
import tempfile
from pathlib import Path

import pytest

from ordinary_user import as_an_ordinary_user
from readwell import Reader, Unreadable
from readwell.envelope import ReadTool as EnvelopeTool
from readwell.opencode import ReadTool as OpencodeTool
from readwell.qq import FileManager


@pytest.fixture
def root():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        root = Path(folder)
        (root / "secret.txt").write_text("secret\n")
        (root / "secret.txt").chmod(0)
        (root / "closed").mkdir()
        (root / "closed" / "inside.txt").write_text("inside\n")
        (root / "closed").chmod(0)
        yield root
        (root / "closed").chmod(0o755)


@pytest.mark.parametrize("name", ["secret.txt", "closed/inside.txt", "closed"])
def test_a_file_without_permission_is_refused_in_every_dialect(root, name):
    native, qq, envelope, opencode = Reader(root), FileManager(root), EnvelopeTool(root), OpencodeTool(root=root)
    with as_an_ordinary_user():
        reply = native.reply({"path": name})
        assert reply.text == f"[error PERMISSION_DENIED] Permission denied: '{name}'. Ask for read permission."
        assert qq.read_file(name) == f"Error: Permission denied: '{name}'."
        answer = envelope.run({"path": name})
        assert answer["error"] == {"code": "PERMISSION_DENIED", "message": f"Permission denied: '{name}'."}
        assert answer["context"]["path_resolved"] == name
        with pytest.raises(PermissionError, match=f"^Permission denied: {root}/{name}$"):
            opencode.execute_sync({"filePath": name})
        with pytest.raises(Unreadable):
            native.read(name)


def test_a_root_that_is_no_directory_is_refused_at_once(root):
    for face in (Reader, FileManager, EnvelopeTool, lambda given: OpencodeTool(root=given)):
        for given in (root / "missing", root / "secret.txt"):
            with pytest.raises(ValueError, match="not a directory"):
                face(given)


def test_an_ignore_file_that_is_kept_shut_denies_all_below_it(root):
    (root / "open.txt").write_text("open\n")
    (root / ".aiignore").write_text("nothing.txt\n")
    (root / ".aiignore").chmod(0)
    with as_an_ordinary_user(), Reader(root, ignore_files=True) as reader:
        denied = "[error ACCESS_DENIED] Path is excluded by policy. Read another file."
        assert [reader.reply({"path": path}).text for path in ("open.txt", "missing.txt", ".")] == [denied] * 3


def test_a_folder_whose_ignore_files_cannot_be_looked_at_is_denied(root):
    (root / "names").mkdir()
    (root / "names" / "a.txt").touch()
    (root / "names").chmod(0o744)  # others may see the names, and enter none
    reader = Reader(root, ignore_files=True)
    with as_an_ordinary_user(), reader:
        denied = "[error ACCESS_DENIED] Path is excluded by policy. Read another file."
        assert [reader.reply({"path": path}).text for path in ("names", "names/a.txt")] == [denied] * 2
