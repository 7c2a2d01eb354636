"""File names, paths and addresses as text, without the disk: escaped for printing, compared by components; sizes."""

from __future__ import annotations

from collections.abc import Sequence

from .invisible_characters import BIDI, CONTROLS, FLAGS, INVISIBLE
from .light_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from re import Match

UNPRINTABLE = f"{FLAGS}|[\t\n\r\x1b\x9b\ud800-\udfff]|{CONTROLS}|{BIDI}|{INVISIBLE}"
"""What is escaped in names; also matches flags, which are kept."""
ESCAPED = "x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}"
"""What follows the backslash of an escape."""
ESCAPE = rf"\\(?={ESCAPED})"
"""The backslash of an escape."""
IN_REMARKS = '"[]|'
"""What would look like the end of a name or of a field in some remarks, and is escaped there."""
HOME = "~"
"""A name that begins a path as the home directory of the process."""
PLAIN_NAME = r"[\w./\\~+@=-]+"
"""Names that cannot be taken for several words."""


def printable(name: str) -> str:
    r"""Returns the name with whatever cannot be seen, and lone surrogates, as `\x0a`, `\u202e`, `\udcff`."""
    if name.isascii() and name.isprintable():
        return name
    import re

    shown = re.sub(UNPRINTABLE, lambda match: _escape(match[0]), name)
    # What joins two characters is ordinary only as long as both are there.
    return shown if shown == name else printable(shown)


def name_as_listed(name: str) -> str:
    r"""Returns a name as directories list it, no two alike: a backslash that could begin an escape is one, `\x5c`.

    A name `~` is `\x7e`: given back, it would be the home directory.
    """
    shown = printable(escape_backslashes(name))
    if HOME not in shown or "://" in shown:
        return shown
    import re

    return re.sub(rf"(?<![^/]){HOME}(?![^/])", lambda _: _escape(HOME), shown)


def escape_backslashes(name: str) -> str:
    r"""Returns a name with `\x5c` for each backslash that could begin an escape, so that it is read as it is."""
    if "\\" not in name:
        return name
    import re

    return re.sub(ESCAPE, r"\\x5c", name)


def unescape_name(shown: str) -> str:
    r"""Returns the name that replies show so: the inverse of `name_as_listed`, and of escaping characters of remarks.

    An escape that stands for a character that is never escaped is part of the name.
    """
    if "\\" not in shown:
        return shown
    import re

    name = re.sub(rf"(\\x5c(?={ESCAPED}))|\\({ESCAPED})", _unescape_match, shown)
    try:
        name.encode(errors="surrogateescape")
    except UnicodeEncodeError:  # nothing on a disk is called so
        return shown
    return name


def _unescape_match(match: Match[str]) -> str:
    if match[1]:
        return "\\"
    code = int(match[2][1:], 16)
    if not 0 < code <= 0x10FFFF:  # a NUL is in no path
        return match[0]
    character = chr(code)
    shown = _escape(character) if character in IN_REMARKS or character == HOME else printable(character)
    return character if shown == match[0] else match[0]


def has_escape(path: str) -> bool:
    r"""Says whether a path holds an escape, as `\x0a` is one: it may be how another is shown."""
    return unescape_name(path) != path


def quoted(name: str) -> str:
    """Returns a name from outside for use in a sentence: printable, and in quotes unless it needs none."""
    import re

    shown = printable(name)
    if re.fullmatch(PLAIN_NAME, shown):
        return shown
    if "'" not in shown:
        return f"'{shown}'"
    return '"' + shown.replace('"', "\\x22") + '"'


def _escape(character: str) -> str:
    if len(character) > 1:
        return character
    code = ord(character)
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


TYPOGRAPHIC = {"\u202f": " ", "\xa0": " ", "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'}
"""Spaces and quotes that programs put into names and people do not type."""


def look_alike_key(name: str) -> str:
    """Returns the name composed, with plain spaces and straight quotes: equal for names that look the same.

    Several names with slashes between them become those that each alone would, in less time.
    """
    if name.isascii():
        return name
    from unicodedata import normalize

    loose = normalize("NFC", name)
    for character, plain in TYPOGRAPHIC.items():  # quicker than translate
        loose = loose.replace(character, plain)
    return loose


ADDRESS = r"[a-z][a-z0-9+.-]{0,31}://"
REMOTE_ROOTS = ("s3://", "gs://", "az://", "http://", "https://")


def is_address(path: str) -> bool:
    """Says whether a path is the address of something that is not on this disk, such as `s3://…`."""
    if "://" not in path:
        return False
    import re

    return re.match(ADDRESS, path) is not None and not path.startswith("file://")


def without_user_info(path: str) -> str:
    """Returns a path; of an address such as `https://user:password@host/…` without what stands before the `@`."""
    scheme, mark, rest = path.partition("://")
    if not mark or "/" in scheme or "@" not in (host := rest.partition("/")[0]):
        return path
    return f"{scheme}://…{rest[host.rindex('@') :]}"


def is_remote_root(root: str) -> bool:
    """Says whether a root is the address of an object store or an HTTP server."""
    return root.startswith(REMOTE_ROOTS)


def path_below(absolute: str, root: str) -> str | None:
    """Returns what follows the root in a path, `.` for the root itself, None outside; `..` stays."""
    if absolute.startswith(f"{root}/") and "/." not in absolute and "//" not in absolute:
        return absolute[len(root) + 1 :] or "."
    parts = [part for part in absolute.split("/") if part not in ("", ".")]
    wanted = [part for part in root.split("/") if part]
    if parts[: len(wanted)] != wanted:
        return None
    rest = parts[len(wanted) :]
    slash = "/" if rest and absolute.endswith(("/", "/.")) else ""
    return ("/".join(rest) or ".") + slash


def normalised(path: str, cwd: str) -> str:
    """Returns the absolute path without `.`, `..` and doubled slashes; links are not resolved."""
    absolute = path if path.startswith("/") else f"{cwd}/{path}"
    if "/." not in absolute and "//" not in absolute and not absolute.endswith("/"):
        return absolute
    kept: list[str] = []
    for part in absolute.split("/"):
        if part == "..":
            del kept[-1:]
        elif part not in ("", "."):
            kept.append(part)
    return "/" + "/".join(kept)


def path_for_caller(path: str, cwd: str, roots: Sequence[tuple[str, str]]) -> str:
    """Returns a path as a caller may ask for it again: relative inside the first of the roots, by either spelling."""
    if not roots:
        return path
    if ("://" in path or "://" in cwd) and (is_address(path) or is_address(cwd)):
        return _path_in_address(path, cwd, roots[0][0])
    absolute = normalised(path, cwd)
    return path_below(absolute, roots[0][0]) or path_below(absolute, roots[0][1]) or absolute


def _path_in_address(path: str, cwd: str, root: str) -> str:
    address = path if is_address(path) or path.startswith("/") else f"{cwd}/{path}"
    scheme, _, rest = address.partition("://")
    plain = f"{scheme}:/{normalised(rest, '/')}" if rest else address
    if not is_address(root):
        return plain
    return "." if plain == root else plain.removeprefix(f"{root}/")


def entry_path(folder: str, name: str) -> str:
    """Returns the path of an entry of a folder; an address such as `s3://` keeps both of its slashes."""
    return f"{folder}{name}" if folder.endswith("/") else f"{folder}/{name}"


def readable_size(size: int) -> str:
    """Returns a number of bytes in the unit that makes it short: `512 bytes`, `4.1 KB`."""
    if size < 1024:
        return f"{size} byte{'s' * (size != 1)}"
    scaled, unit = size / 1024, "KB"
    for larger in ("MB", "GB", "TB"):
        if scaled < 1024:
            break
        scaled, unit = scaled / 1024, larger
    return f"{scaled:.1f} {unit}"
