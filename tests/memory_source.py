"""A store of bytes in memory as sources: the smallest implementation of what the engine asks of any store."""

import os
import tempfile
from hashlib import sha256

from readwell.errors import AccessDenied, NotFound, ReadError
from readwell.model import LocatedPath
from readwell.source import Entry, Identity, Target
from readwell.source.routes import Route

SCHEME = "mem://"


class MemorySource:
    """A file of the store, or a folder: what the names of files begin with."""

    repaired = packing = ""
    is_size_known = True
    remarks = ()
    is_sparse = False
    identity_shows_changes = True
    mtime_ms = 0

    def __init__(self, path, content, names=()):
        self._path, self._content, self._names = path, content, names
        self.name, self.size, self.is_directory = path.rpartition("/")[2], len(content), bool(names)
        self.address, self.content_hash = path, None
        self.identity = Identity("memory", path, self.size, 0, self.revision())
        self._spooled = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, ReadError):
            error.opened, error.in_directory = self._path, self.is_directory
        if self._spooled:
            self._spooled.close()

    @property
    def descriptor(self):
        """The content in a file without a name."""
        if self._spooled is None:
            self._spooled = tempfile.TemporaryFile()  # noqa: SIM115
            self._spooled.write(self._content)
            self._spooled.flush()
        return self._spooled.fileno()

    def real_path(self):
        return self._path

    def read_at(self, offset, count):
        return self._content[offset : offset + count] if offset < self.size else b""

    def read_into(self, buffer, offset):
        found = self.read_at(offset, len(buffer))
        buffer[: len(found)] = found
        return len(found)

    def next_data_offset(self, offset):
        return offset

    def revision(self):
        return sha256(self._content).hexdigest()[:12]

    def change_since_opened(self):
        return "steady"

    def entries(self):
        for name in self._names:
            yield Entry(name.rstrip("/"), "directory" if name.endswith("/") else "file")

    def listing_filter(self, skip_ignored):
        return None

    def target_of(self, name):
        return None

    def size_of(self, name):
        return self._names[name]


class MemoryOpener:
    """Opens `mem://…` out of a dict of paths and bytes."""

    cwd, roots = "", ()

    def __init__(self, files):
        self.files, self.closed = files, False

    def locate(self, path):
        if ".." in path.split("/"):
            raise AccessDenied
        return LocatedPath(path, path, None, path.removeprefix(SCHEME).strip("/"))

    def open(self, path, deadline):
        if path.below in self.files:
            return MemorySource(path.asked, self.files[path.below])
        names = self._names_below(path.below)
        if not names:
            raise NotFound
        return MemorySource(path.asked, b"", names)

    def open_repaired(self, path, deadline):
        return self.open(path, deadline)

    def target_of(self, path, deadline):
        if path.below in self.files:
            return Target("file", len(self.files[path.below]))
        return Target("directory", 0) if self._names_below(path.below) else None

    def close(self):
        self.closed = True

    def _names_below(self, folder):
        """The next parts of all names in a folder, with a slash behind what goes on, and the sizes of files."""
        before = f"{folder}/" if folder else ""
        rests = {name[len(before) :]: len(content) for name, content in self.files.items() if name.startswith(before)}
        return {rest if "/" not in rest else rest.partition("/")[0] + "/": size for rest, size in rests.items()}


def route_to(files):
    """The route that a tool is given."""
    return Route(lambda path: path.startswith(SCHEME), MemoryOpener(files))


def write_files(files, folder):
    """Writes the same files to a folder of the disk."""
    for name, content in files.items():
        place = os.path.join(folder, name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(content)
