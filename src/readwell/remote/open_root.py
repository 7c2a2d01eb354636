"""One remote root and what its reads share: rules, pieces read last, versions seen, threads."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from errno import EFBIG
from functools import partial
from itertools import islice
from threading import Lock

from ..deadline import Deadline
from ..errors import DeadlineExceeded, NotFound, ReadError, Unreadable
from ..fork_locks import renew_after_fork
from ..model import LocatedPath
from ..named_tuple import NamedTuple
from ..path_names import is_address
from ..policy import Denials
from ..similar_names import similar_names
from ..source import Source, Target
from ..source.ignore_file_cache import MAX_BYTES as MAX_IGNORE_FILE_BYTES
from ..source.missing_names import MAX_NAMES
from ..source.version_stamp import stamp_of
from .range_cache import MAX_BYTES as MAX_CACHED_BYTES
from .range_cache import RangeCache
from .remote_access_rules import KeyRules
from .remote_file import HEAD, RemoteFile
from .remote_folder import RemoteFolder, RemoteListing
from .store_contract import ITSELF, Store, Version

LONGEST_KEY = 1024
"""Bytes: no object store has longer keys."""
MAX_KNOWN = 1024
MAX_ENTRIES = 1_000_000
"""Of one folder: they are kept in memory while they are listed."""
THREADS = 8


class RemoteRoot(NamedTuple):
    """A remote root: as it was written, its address, what its keys begin with, and its store."""

    given: str
    address: str
    prefix: str
    store: Store


class OpenRemoteRoot:
    """One root and what its reads share: rules, pieces read last, versions seen, threads."""

    def __init__(self, root: RemoteRoot, denials: Denials) -> None:
        self._address, self._prefix, self._store = root.address, root.prefix, root.store
        self._rules = KeyRules(denials, self._fetch_ignore_files)
        self._range_cache = RangeCache()
        self._known: OrderedDict[str, Version] = OrderedDict()
        self.after_fork()
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Replaces the lock, and the threads, which belong to the other process."""
        self._lock = Lock()
        self._threads: Executor | None = None

    @property
    def can_list(self) -> bool:
        """Whether folders can be listed."""
        return self._store.can_list

    def close(self) -> None:
        """Closes connections and threads that nobody uses."""
        with self._lock:
            threads, self._threads = self._threads, None
        if threads:
            threads.shutdown(wait=False, cancel_futures=True)
        self._store.close()

    def open_below(self, below: str, deadline: Deadline) -> Source:
        """Opens an object or a folder; raises NotFound without looking for similar names."""
        self._rules.refuse_denied(below, deadline)
        if not below or below.endswith("/") or self._is_listed_folder(below, deadline):
            return self._open_folder(below, deadline)
        key = self._key_of(below)
        known = self._known.get(below)
        # All of a larger object is never in memory, so that whoever reads it asks the server in any case.
        if known and known.size > MAX_CACHED_BYTES:
            return self._file_source(below, key, known, deadline, version_confirmed=False)
        try:
            head = self._store.fetch(key, 0, HEAD, None, deadline)
        except NotFound:
            if not self.can_list:
                raise
            return self._open_folder(below, deadline)
        source = self._file_source(below, key, head.version, deadline, version_confirmed=True)
        source.add_first_bytes(head.content)
        self._remember_version(below, head.version)
        return source

    def target_of(self, below: str, deadline: Deadline) -> Target | None:
        """Returns what a path leads to, without its content."""
        self._rules.refuse_denied(below, deadline)
        try:
            if below and not below.endswith("/") and not self._is_listed_folder(below, deadline):
                key = self._key_of(below)
                version = self._store.version_of(key, deadline)
                return Target(
                    "file",
                    version.size,
                    stamp_of(self._file_source(below, key, version, deadline, version_confirmed=True)),
                )
        except NotFound:
            pass
        if not self.can_list:
            return None
        exists = not below or self._has_entries(below, deadline)
        return Target("directory", 0) if exists else None

    def not_found(self, path: LocatedPath, deadline: Deadline) -> NotFound:
        """Returns the error for a missing path, with similar names or the nearest folder that exists."""
        if not self.can_list:
            return NotFound(unlisted=True)
        parent, _, name = path.below.strip("/").rpartition("/")
        try:
            names = self._visible_names(parent, deadline)
            if names or not parent:
                return NotFound(similar_names(name, names, lambda _: True, deadline.check))
            nearest, is_file = self._nearest_existing(parent, deadline)
            return NotFound((), f"{self._address}/{nearest}" if is_address(path.asked) else nearest, is_file)
        except DeadlineExceeded:
            raise
        except ReadError:
            return NotFound()

    def names_in(self, folder: LocatedPath, deadline: Deadline) -> list[str] | None:
        """Returns the names in a folder; None where there is none."""
        try:
            return self._visible_names(folder.below.strip("/"), deadline) or None
        except DeadlineExceeded:
            raise
        except ReadError:
            return None

    def _visible_names(self, folder: str, deadline: Deadline) -> list[str]:
        """Returns the names in a folder that may be seen."""
        self._rules.refuse_denied(folder, deadline)
        with self._folder_with_rules(self._list_entries(folder, MAX_NAMES, deadline), folder, deadline) as source:
            visibility_of = source.listing_filter(False)
            return [each.name for each in source.entries() if not visibility_of or visibility_of(each) == "shown"]

    def _nearest_existing(self, parent: str, deadline: Deadline) -> tuple[str, bool]:
        """Returns the nearest folder above that exists, and whether it is a file."""
        while parent:
            target = self.target_of(parent, deadline)
            if target:
                return parent, target.kind == "file"
            parent = parent.rpartition("/")[0]
        return ".", False

    def _open_folder(self, below: str, deadline: Deadline) -> RemoteFolder:
        """Returns a folder; raises NotFound where nothing has its prefix."""
        folder = below.strip("/")
        listing = deadline.once((self, folder), lambda: self._list_entries(folder, None, deadline))
        if folder and not listing.exists:
            raise NotFound
        return self._folder_with_rules(listing, folder, deadline)

    def _folder_with_rules(self, listing: RemoteListing, folder: str, deadline: Deadline) -> RemoteFolder:
        """Returns a folder with the rules that hold in it."""
        address = f"{self._address}/{folder}" if folder else self._address
        return RemoteFolder(
            address,
            listing,
            lambda skip: self._rules.listing_filter_in(folder, skip, deadline),
            lambda everything: self._rules.search_visibility_in(folder, everything, deadline),
        )

    def _list_entries(self, folder: str, most: int | None, deadline: Deadline) -> RemoteListing:
        """Returns the entries of a folder by name; a folder wins over an object of the same name."""
        key = self._key_of(f"{folder}/" if folder else "")
        sizes: dict[str, int | None] = {}
        shadowed: set[str] = set()
        number = unnamed = 0
        for number, (name, size) in enumerate(islice(self._store.entries(key, deadline), most), 1):
            if number % 1000 == 0:
                deadline.tick(number, 0, "list")
            if number > MAX_ENTRIES:
                raise Unreadable(EFBIG, f"it has more than {MAX_ENTRIES} entries")
            unnamed += not name
            if name in ("", ITSELF):
                continue
            if name in sizes and (size is None) != (sizes[name] is None):
                shadowed.add(name)
            if sizes.get(name, 0) is not None:
                sizes[name] = size
        return RemoteListing(sizes, number > 0, sorted(shadowed), unnamed)

    def _has_entries(self, below: str, deadline: Deadline) -> bool:
        """Says whether anything has this prefix."""
        return next(iter(self._store.entries(self._key_of(f"{below.strip('/')}/"), deadline)), None) is not None

    def _is_listed_folder(self, below: str, deadline: Deadline) -> bool:
        """Whether this call has listed the folder above, and there it is a folder."""
        parent, _, name = below.rpartition("/")
        listing = (deadline.computed or {}).get((self, parent))
        return isinstance(listing, RemoteListing) and listing.entries.get(name, 0) is None

    def _file_source(
        self, below: str, key: str, version: Version, deadline: Deadline, version_confirmed: bool
    ) -> RemoteFile:
        """Returns an object as a source."""
        return RemoteFile(
            self._store,
            key,
            version,
            address=f"{self._address}/{below}",
            store_id=self._store.store_id,
            range_cache=self._range_cache,
            deadline=deadline,
            executor=self._executor,
            forget=partial(self._forget_version, below),
            version_confirmed=version_confirmed,
            rules_inside=self._rules.rules_inside(below, self._address),
        )

    def _executor(self) -> Executor:
        with self._lock:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(THREADS, "remote")
            return self._threads

    def _remember_version(self, below: str, version: Version) -> None:
        """Keeps the version of an object that was seen."""
        with self._lock:
            self._known[below] = version
            self._known.move_to_end(below)
            if len(self._known) > MAX_KNOWN:
                self._known.popitem(last=False)

    def _forget_version(self, below: str) -> None:
        """Forgets the version of an object."""
        with self._lock:
            self._known.pop(below, None)

    def _key_of(self, below: str) -> str:
        """Returns the key of a path; raises NotFound for one that cannot exist."""
        key = self._prefix + below
        if "\0" in key or len(key.encode(errors="surrogatepass")) > LONGEST_KEY:
            raise NotFound
        return key

    def _fetch_ignore_files(self, folder: str, names: Sequence[str], deadline: Deadline) -> Mapping[str, bytes | None]:
        """Fetches the ignore files of a folder; those that cannot be read are None."""
        key = self._key_of(f"{folder}/" if folder else "")
        if self.can_list:
            listing = (deadline.computed or {}).get((self, folder))
            known = listing.entries if isinstance(listing, RemoteListing) else None
            present = (
                known
                if known is not None
                else {name for name, _ in self._store.entries(key, deadline, ".") if name in names}
            )
            names = [name for name in names if name in present]
        contents: dict[str, bytes | None] = {}
        for name in names:
            try:
                contents[name] = self._store.fetch(key + name, 0, MAX_IGNORE_FILE_BYTES + 1, None, deadline).content
            except NotFound:
                continue
            except DeadlineExceeded:
                raise
            except ReadError:
                contents[name] = None
        return contents
