"""Reads deny rules from configuration files: the user's outside the roots, and `readwell.toml` in each root."""

import os
from collections.abc import Iterator, Mapping, Sequence
from stat import S_ISREG

from .path_names import is_remote_root
from .policy import DOOR_DENIALS, SECRETS, Denials

PROJECT_FILE = "readwell.toml"
MAX_BYTES = 1 << 20
MAX_LINKS = 40
LISTS = ("deny", "allow")
SWITCHES = ("secrets", "ignore_files", "same_filesystem", "deny_hardlinks")


def door_denials(roots: Sequence[str], file: str | None = None) -> Denials:
    """Returns the deny rules of a door: the usual secrets, the user's file, and each root's `readwell.toml`.

    Without roots only the configuration file counts; from a remote root nothing is read. Raises ValueError if a file
    cannot be read or is invalid.
    """
    local = [root for root in roots if not is_remote_root(root)]
    denials = _denials_with_table(DOOR_DENIALS if roots else Denials(), _read_user_table(file, local) if file else {})
    added = tuple(line for root in local for line in _read_project_denials(os.path.join(root, PROJECT_FILE)))
    return denials._replace(deny=denials.deny + added) if added else denials


def _denials_with_table(default: Denials, table: Mapping[str, object]) -> Denials:
    """Returns the default rules, changed as a configuration table says."""
    lists = {name: _checked_patterns(name, table.get(name, [])) for name in LISTS}
    switches = {name: _checked_switch(name, table[name]) for name in SWITCHES if name in table}
    secrets = switches.pop("secrets", bool(default.deny))
    deny = (SECRETS if secrets else ()) + lists["deny"]
    return default._replace(deny=deny, allow=lists["allow"])._replace(**switches)


def _read_user_table(file: str, roots: Sequence[str]) -> Mapping[str, object]:
    """Reads the user's configuration file, which an agent that writes inside a root must not be able to change."""
    inside = [f"{os.path.realpath(root).rstrip('/')}/" for root in roots]
    # A root itself may be passed, as from `../rules.toml` in it: its own name stands in the folder above.
    if any(name.startswith(root) for name in _traversed_paths(file) for root in inside):
        raise ValueError(f"the configuration must lie outside the roots, and so must the way to it: {file!r}")
    table = _read_table(file, 0)
    if table is None:
        raise ValueError(f"there is no configuration file {file!r}")
    unknown = sorted(set(table) - {*LISTS, *SWITCHES})
    if unknown:
        raise ValueError(f"{file!r}: unknown: {', '.join(unknown)}")
    return table


def _traversed_paths(file: str) -> Iterator[str]:
    """Yields each path that is looked up on the way to a file, links included."""
    remaining = os.path.join(os.getcwd(), file).split("/")[::-1]
    passed, links = "", 0
    while remaining and links <= MAX_LINKS:
        part = remaining.pop()
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
        remaining += target.split("/")[::-1]


def _read_project_denials(file: str) -> tuple[str, ...]:
    """Returns the deny rules of a `readwell.toml`; it may not allow anything, since an agent may have written it."""
    table = _read_table(file, os.O_NOFOLLOW) or {}
    others = sorted(set(table) - {"deny"})
    if others:
        raise ValueError(f"{file!r} may only deny, for it lies inside a root: {', '.join(others)}")
    lines = _checked_patterns("deny", table.get("deny", []))
    negated = [line for line in lines if line.lstrip().startswith("!")]
    if negated:
        raise ValueError(f"{file!r} may only deny, for it lies inside a root: {', '.join(negated)}")
    return lines


def _read_table(file: str, more_flags: int) -> dict[str, object] | None:
    """Reads a TOML file of limited size without blocking; returns None if it does not exist."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | more_flags)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise ValueError(f"the configuration cannot be read: {file!r}: {error}") from error
    try:
        status = os.fstat(descriptor)
        if not S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
            raise ValueError(f"no configuration: {file!r}")
        with open(descriptor, "rb", closefd=False) as stream:
            content = stream.read(MAX_BYTES)
    finally:
        os.close(descriptor)
    import tomllib

    try:
        return tomllib.loads(content.decode())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file!r} is no TOML: {error}") from error


def _checked_patterns(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(line, str) for line in value):  # pyright: ignore[reportUnknownVariableType]
        raise ValueError(f"{name} must be a list of patterns")
    return tuple(str(line) for line in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _checked_switch(name: str, value: object) -> bool:
    if value is not True and value is not False:
        raise ValueError(f"{name} must be true or false")
    return value
