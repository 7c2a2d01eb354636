"""Configuration files: what a person decided outside of the roots, and what a project may add inside one."""

import os
from collections.abc import Iterator, Mapping, Sequence
from stat import S_ISREG

from .policy import DOOR_DENIALS, SECRETS, Denials

PROJECT_FILE = "readwell.toml"
MOST_BYTES = 1 << 20
MOST_LINKS = 40
LISTS = ("deny", "allow")
SWITCHES = ("secrets", "ignore_files", "same_filesystem", "deny_hardlinks")


def door_denials(roots: Sequence[str], file: str | None = None) -> Denials:
    """Returns what a door denies: the usual secrets, what the configuration says, what the projects add.

    Without a root there is nothing but the configuration. Raises ValueError for what cannot be meant.
    """
    found = _chosen(DOOR_DENIALS if roots else Denials(), _outside(file, roots) if file else {})
    added = tuple(line for root in roots for line in _project_denials(os.path.join(root, PROJECT_FILE)))
    return found._replace(deny=found.deny + added) if added else found


def _chosen(usual: Denials, table: Mapping[str, object]) -> Denials:
    lists = {name: _lines(name, table.get(name, [])) for name in LISTS}
    switches = {name: _switch(name, table[name]) for name in SWITCHES if name in table}
    secrets = switches.pop("secrets", bool(usual.deny))
    deny = (SECRETS if secrets else ()) + lists["deny"]
    return usual._replace(deny=deny, allow=lists["allow"])._replace(**switches)


def _outside(file: str, roots: Sequence[str]) -> Mapping[str, object]:
    inside = [f"{os.path.realpath(root).rstrip('/')}/" for root in roots]
    if any(f"{name}/".startswith(root) for name in _names_on_the_way(file) for root in inside):
        raise ValueError(f"the configuration must lie outside the roots, and so must links to it: {file!r}")
    table = _table(file, 0)
    if table is None:
        raise ValueError(f"there is no configuration file {file!r}")
    unknown = sorted(set(table) - {*LISTS, *SWITCHES})
    if unknown:
        raise ValueError(f"{file!r}: unknown: {', '.join(unknown)}")
    return table


def _names_on_the_way(file: str) -> Iterator[str]:
    """Yields each name that leads to a file, its links resolved one after the other."""
    ahead = os.path.join(os.getcwd(), file).split("/")[::-1]
    passed, links = "", 0
    while ahead and links <= MOST_LINKS:
        part = ahead.pop()
        if part in ("", ".", ".."):
            passed = passed.rpartition("/")[0] if part == ".." else passed
            continue
        yield f"{passed}/{part}"
        try:
            target = os.readlink(f"{passed}/{part}")
        except OSError:
            passed = f"{passed}/{part}"
            continue
        links += 1
        passed = "" if target.startswith("/") else passed
        ahead += target.split("/")[::-1]


def _project_denials(file: str) -> tuple[str, ...]:
    """Returns what a file inside a root adds; it may not allow anything, since whoever is denied may write it."""
    table = _table(file, os.O_NOFOLLOW) or {}
    others = sorted(set(table) - {"deny"})
    if others:
        raise ValueError(f"{file!r} may only deny, for it lies inside a root: {', '.join(others)}")
    lines = _lines("deny", table.get("deny", []))
    lifting = [line for line in lines if line.lstrip().startswith("!")]
    if lifting:
        raise ValueError(f"{file!r} may only deny, for it lies inside a root: {', '.join(lifting)}")
    return lines


def _table(file: str, more_flags: int) -> dict[str, object] | None:
    """Reads a file of bounded size without waiting for it; None where there is none."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | more_flags)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ValueError(f"the configuration cannot be read: {file!r}: {error}") from error
    try:
        found = os.fstat(descriptor)
        if not S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
            raise ValueError(f"no configuration: {file!r}")
        content = os.read(descriptor, MOST_BYTES)
    finally:
        os.close(descriptor)
    import tomllib

    try:
        return tomllib.loads(content.decode())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file!r} is no TOML: {error}") from error


def _lines(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(line, str) for line in value):  # pyright: ignore[reportUnknownVariableType]
        raise ValueError(f"{name} must be a list of patterns")
    return tuple(str(line) for line in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _switch(name: str, value: object) -> bool:
    if value is not True and value is not False:
        raise ValueError(f"{name} must be true or false")
    return value
