"""A root for every case, and one with things around it that must stay unseen."""

import os

import pytest
from small_files import JUNK


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


@pytest.fixture
def surrounded(root):
    """root with one of each kind, and links to things outside it that must stay unseen."""
    (root / "text.txt").write_bytes(b"one\ntwo\nthree\n")
    (root / "folder").mkdir()
    (root / "folder" / "inner.txt").write_bytes(b"inner\n")
    (root / "binary.bin").write_bytes(JUNK)
    outside = root.parent / "root-evil"
    outside.mkdir()
    (outside / "plain.txt").write_bytes(b"outside\n")
    os.mkfifo(outside / "pipe")
    (root / "to_file").symlink_to(outside / "plain.txt")
    (root / "to_folder").symlink_to("../root-evil")
    (root / "to_nothing").symlink_to(outside / "nothing")
    (root / "to_link").symlink_to("to_file")
    return root
