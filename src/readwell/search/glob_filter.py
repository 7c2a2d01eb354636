"""`Glob`: which files of a tree a caller's globs select, and which folders may contain such files."""

from __future__ import annotations

import re
from itertools import pairwise

from ..errors import InvalidRequest
from .re2_compiler import Compiled, compile_expression

MAX_CHOICES = 64
ANY_DEPTH = "**"
NOTHING = r"[^\x00-\x{10ffff}]"
"""Matches no character."""
WANTS = "a glob such as *.py or src/**/*.ts"


class Glob:
    """A compiled glob; its wildcards match a leading dot only with `everything`."""

    def __init__(self, glob: str, everything: bool) -> None:
        if glob.startswith("!"):
            raise InvalidRequest("glob", glob, f"{WANTS}: it says what is searched, and cannot exclude")
        choices = _expand_braces(glob)
        parts = [_components(choice) for choice in choices]
        files = [_file_expression(each, everything) for each in parts]
        self._files = _compile_glob("|".join(files))
        self._folders = _compile_glob("|".join(_folder_expression(each, everything) for each in parts))
        self._unmatched = dict(zip(choices, map(_compile_glob, files), strict=True))

    @property
    def unmatched(self) -> tuple[str, ...]:
        """The alternatives that have matched no file so far."""
        return tuple(self._unmatched)

    def matches(self, path: str) -> bool:
        """Whether it matches a file, by its path below the folder that is searched."""
        raws = _spellings(path)
        if not _any_matches(self._files, raws):
            return False
        if self._unmatched:
            self._unmatched = {
                choice: files for choice, files in self._unmatched.items() if not _any_matches(files, raws)
            }
        return True

    def may_contain(self, folder: str) -> bool:
        """Whether it may match files below a folder."""
        return _any_matches(self._folders, _spellings(f"{folder}/"))


def _spellings(path: str) -> list[bytes]:
    r"""Returns a path as it is shown, and with its own backslashes and `~`, which are shown as `\x5c` and `\x7e`."""
    if "\\x" not in path:
        return [path.encode()]
    return [path.encode(), path.replace(r"\x7e", "~").replace(r"\x5c", "\\").encode()]


def _any_matches(expression: Compiled, paths: list[bytes]) -> bool:
    return any(expression.fullmatch(path) is not None for path in paths)


def _expand_braces(glob: str) -> list[str]:
    """Returns the globs that one with braces stands for: two for `*.{ts,tsx}`."""
    done, ahead = list[str](), [glob]
    while ahead:
        each = ahead.pop()
        braces = re.search(r"\{([^{}]*)\}", each)
        if not braces:
            done.append(each)
        else:
            ahead += [each[: braces.start()] + word + each[braces.end() :] for word in braces[1].split(",")]
        if len(done) + len(ahead) > MAX_CHOICES:
            raise InvalidRequest("glob", wants=f"{WANTS}, with at most {MAX_CHOICES} alternatives")
    return done


def _components(glob: str) -> list[str]:
    """Returns the components of a glob: a bare name is meant at any depth, one that ends in a slash is a folder."""
    if "/" not in glob:
        return [ANY_DEPTH, glob]
    parts = [part for part in glob.split("/") if part not in ("", ".")]
    return [*parts, ANY_DEPTH] if glob.endswith("/") else parts


def _file_expression(parts: list[str], everything: bool) -> str:
    """Returns an expression for the paths that a glob matches."""
    *folders, name = parts
    if name == ANY_DEPTH:
        folders, name = parts, "*"
    return "".join(_folder_component_expression(each, everything) for each in folders) + _component_expression(
        name, everything
    )


def _folder_expression(parts: list[str], everything: bool) -> str:
    """Returns the expression for all folders on the way to a file."""
    folders = parts if parts[-1] == ANY_DEPTH else parts[:-1]
    return "".join(f"(?:{_folder_component_expression(each, everything)}" for each in folders) + ")?" * len(folders)


def _folder_component_expression(part: str, everything: bool) -> str:
    """Returns an expression for one folder of a glob, or for any depth."""
    return (
        f"(?:{_component_expression('*', everything)}/)*"
        if part == ANY_DEPTH
        else f"{_component_expression(part, everything)}/"
    )


def _component_expression(part: str, everything: bool) -> str:
    """Returns the expression for one component of a path."""
    if part == "*":
        return "[^/]+" if everything else "[^/.][^/]*"
    written, at = "", 0
    while at < len(part):
        first = "[^/]" if everything or at else "[^/.]"
        several = re.compile(r"\[([!^]?)(\]?[^\]]*)\]").match(part, at)
        if part[at] == "*":
            # If `*` matched nothing, a dot after it would begin a hidden name.
            written += "[^/]*" if everything or at else f"(?:[^/.][^/]*){'?' * (part[1:2] != '.')}"
        elif part[at] == "?":
            written += first
        elif several:
            written += _set_expression(several[2], several[1] != "", "/" if everything or at else "./")
            at = several.end() - 1
        else:
            written += re.escape(part[at])
        at += 1
    return written


def _set_expression(inside: str, negated: bool, never: str) -> str:
    """Returns the expression of a set such as `[a-z]`, which never matches some characters unless it spells them."""
    written = ""
    for low, high, single in re.findall(r"(?s)(.)-(.)|(.)", inside):
        if single or negated or low > high:
            written += _in_set(single) if single else f"{_in_set(low)}-{_in_set(high)}"
            continue
        cuts = [ord(low) - 1, *(ord(each) for each in never if low <= each <= high), ord(high) + 1]
        ranges = ((before + 1, after - 1) for before, after in pairwise(cuts) if after - before > 1)
        written += "".join(f"{_in_set(chr(first))}-{_in_set(chr(last))}" for first, last in ranges)
    if negated:
        return f"[^{written}{never}]"
    return f"[{written}]" if written else NOTHING


def _in_set(character: str) -> str:
    """Returns a character as a set of an expression spells it."""
    return f"\\{character}" if character in "\\[]^-" else character


def _compile_glob(expression: str) -> Compiled:
    """Compiles an expression; raises InvalidRequest for a glob that is too large."""
    try:
        return compile_expression(expression)
    except ValueError:
        raise InvalidRequest("glob", wants=WANTS) from None
