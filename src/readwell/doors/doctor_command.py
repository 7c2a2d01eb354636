"""The command `readwell doctor`: checks what this machine supports and what is missing."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Literal

from .. import __version__
from ..cage import capabilities
from ..documents.ocr import find_installed_engine, installed_languages
from ..documents.pdf import SAMPLE
from ..errors import ReadError
from ..named_tuple import NamedTuple
from ..policy import Denials
from ..reader import Reader
from .argument_parsers import Parser, add_settings
from .security import POLICY_SETTINGS
from .settings import chosen_cache_dir, denials_of_door
from .terminal import escape_controls, write

INSTALL = 'pip install "readwell[{}]"'


class Finding(NamedTuple):
    """The result of one check; `less` means that readwell works without it, with less speed or protection."""

    name: str
    state: Literal["ok", "less", "MISSING"]
    words: str


def run(argv: list[str]) -> int:
    """Prints the findings; returns 1 if something that should work does not."""
    parser = command_parser()
    options = vars(parser.parse_args(argv))
    roots: list[str] = options["root"]
    write(f"readwell {__version__} on Python {sys.version.split()[0]}, {sys.platform}")
    findings = [
        *_kernel_findings(),
        *_extra_findings(),
        _recognition_finding(),
        _conversion_finding(),
        _cache_finding(chosen_cache_dir({}, os.environ)),
        *(_root_finding(root, lambda: denials_of_door(parser, options, roots, os.environ)) for root in roots),
    ]
    for finding in findings:
        write(f"{finding.state:<8}{finding.name:<12}{finding.words}")
    return 1 if any(finding.state == "MISSING" for finding in findings) else 0


def command_parser() -> Parser:
    """Returns the parser of `readwell doctor`."""
    parser = Parser(
        prog="readwell doctor",
        description="Say what this machine offers; exit with 1 where something promised is missing.",
        allow_abbrev=False,
    )
    parser.add_argument("--root", action="append", default=[], metavar="ROOT", help="try a root, such as s3://bucket")
    add_settings(parser, [], POLICY_SETTINGS)
    return parser


def _kernel_findings() -> Iterator[Finding]:
    """Yields what the kernel supports."""
    kernel = capabilities()
    yield Finding(
        "openat2",
        "ok" if kernel.openat2 else "less",
        "keeps reads beneath the root" if kernel.openat2 else "absent: roots are kept by a walk, which is slower",
    )
    yield Finding(
        "landlock",
        "ok" if kernel.landlock else "less",
        f"version {kernel.landlock}" if kernel.landlock else "absent: parsers could open files",
    )
    yield Finding(
        "seccomp",
        "ok" if kernel.seccomp else "less",
        f"filters {kernel.seccomp}" if kernel.seccomp else "absent: parsers could make any system call",
    )
    yield Finding(
        "limits",
        "ok" if kernel.limits else "less",
        "memory and time of parsers" if kernel.limits else "parsers are ended by the clock only",
    )


def _extra_findings() -> Iterator[Finding]:
    """Checks for each extra whether its packages are installed, in the pinned versions."""
    wanted: dict[str, list[tuple[str, str]]] = {}
    for line in _requirements():
        parsed = re.fullmatch(r"([\w.-]+)([^;]*);.*extra == ['\"]([\w-]+)['\"].*", line)
        if parsed and parsed[3] != "all":
            wanted.setdefault(parsed[3], []).append((parsed[1], parsed[2].strip()))
    shared = Counter(name for packages in wanted.values() for name, _ in packages)
    for extra, packages in wanted.items():
        yield _extra_finding(extra, packages, own_packages=[name for name, _ in packages if shared[name] == 1])


def _requirements() -> list[str]:
    """Returns what the installed package requires."""
    try:
        return requires("readwell") or []
    except PackageNotFoundError:  # run from its sources
        return []


def _extra_finding(extra: str, packages: list[tuple[str, str]], own_packages: list[str]) -> Finding:
    """Returns whether an extra is installed, and in the right versions; without any package of its own it is not."""
    installed = {name: _installed_version(name) for name, _ in packages}
    shown = ", ".join(f"{name} {held}" for name, held in installed.items() if held)
    outdated = [
        f"{name}{exact}"
        for name, exact in packages
        if exact.startswith("==") and installed[name] not in (None, exact[2:])
    ]
    absent = [name for name, held in installed.items() if held is None]
    if absent and not any(installed[name] for name in own_packages):
        return Finding(extra, "less", f"not installed: {INSTALL.format(extra)}")
    if absent or outdated:
        needed = outdated or absent
        return Finding(extra, "MISSING", f"{shown}; needs {', '.join(needed)}: {INSTALL.format(extra)}")
    return Finding(extra, "ok", shown)


def _installed_version(package: str) -> str | None:
    """Returns the installed version of a package, or None."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _recognition_finding() -> Finding:
    """Tells the engine that reads scans, and the languages it has data for."""
    import_path = tuple(sys.path)
    engine, languages = find_installed_engine(import_path), installed_languages(import_path)
    if engine is None:
        return Finding("scans", "less", f"not read: {INSTALL.format('ocr')}")
    if not languages:
        return Finding("scans", "MISSING", f"{engine.name} has no language data: {INSTALL.format('ocr')}")
    return Finding("scans", "ok", f"{engine.name}: {', '.join(languages)}")


def _conversion_finding() -> Finding:
    """Converts a sample page in the sandbox."""
    if _installed_version("pypdfium2") is None:
        return Finding("conversion", "less", f"not tried: {INSTALL.format('documents')}")
    with tempfile.TemporaryDirectory() as folder, Reader(folder, cache_dir=None) as reader:
        with open(os.path.join(folder, "sample.pdf"), "wb") as file:
            file.write(SAMPLE)
        try:
            lines = reader.read("sample.pdf").lines
        except ReadError as error:
            return Finding("conversion", "MISSING", str(error))
    worked = lines[-1:] == ["Good day"]
    return Finding(
        "conversion", "ok" if worked else "MISSING", "a page was converted" if worked else "a page came out wrong"
    )


def _root_finding(root: str, denials: Callable[[], Denials]) -> Finding:
    """Tries a root: reaches it, lists it, reads a byte; says how long an answer takes, or what is wrong."""
    from .root_check import check_root, failure_and_next_step

    shown = escape_controls(_redact_secrets(root))
    try:
        return Finding("root", "ok", f"{shown}: {check_root(root, denials())}")
    except (ReadError, ValueError) as error:
        return Finding("root", "MISSING", f"{shown}: {failure_and_next_step(error).replace(repr(root), repr(shown))}")


def _redact_secrets(root: str) -> str:
    """Returns a root without what may be a password or a signature: what stands before `@`, and a query."""
    if "://" not in root:
        return root
    return re.split(r"[?#]", root, maxsplit=1)[0].rpartition("@")[2]


def _cache_finding(folder: str) -> Finding:
    """Returns whether the cache can be written."""
    folder = os.path.expanduser(folder)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return Finding("cache", "ok", folder)
    except OSError as error:
        return Finding("cache", "MISSING", f"{folder}: {error.strerror}: nothing is kept; set READWELL_CACHE_DIR")
