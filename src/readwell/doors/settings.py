"""The settings of every tool (`SETTINGS`), from options and environment variables, and the tool built from them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence

from ..dialects import Dialect, Setting
from ..errors import TooLarge
from ..light_typing import TYPE_CHECKING, NoReturn, Protocol, cast
from ..path_names import is_remote_root
from ..tool import CACHE_DIR, DEADLINE_S, Ocr, PdfLines, Progress, Tool
from ..tool_setup import standard_input_route
from .security import POLICY_SETTINGS, SECURITY_SETTINGS, chosen_audit, chosen_denials, restrict_to_roots
from .value_parsers import parse_bool, value_parser

if TYPE_CHECKING:
    from ..policy import Denials
    from ..tool import Route

ADDRESS = rf"[a-z0-9]+://(?:\[[^\]]*\]|[^:/]*)(?::[0-9]+)?[^{os.pathsep}]*"
"""An address among paths: its colons separate nothing."""


class UsageReporter(Protocol):
    """What reports wrong usage: an argument parser, or what makes one for that."""

    def error(self, message: str) -> NoReturn:
        """Exits with status 2 and one line."""
        ...


SETTINGS = (
    Setting("cache_dir", "text", "where converted documents and indexes of huge files are kept; empty: nowhere"),
    Setting("pdf_lines", ("paragraphs", "printed"), "paragraphs or printed: the lines of a PDF (default: paragraphs)"),
    Setting("ocr", ("auto", "never", "always"), "auto, never or always: OCR of PDF pages (auto: those without text)"),
    Setting("ocr_languages", "text", "languages of scans, such as eng+deu (default: what is installed)"),
    Setting("deadline_s", "seconds", f"seconds one read may take (default {DEADLINE_S:g})"),
    Setting("config", "text", "a TOML file of deny rules, outside the roots"),
    Setting("deny", "patterns", "patterns of what may not be read, as in .gitignore, parted by ':'; repeatable"),
    Setting("allow", "patterns", "exceptions from deny rules; repeatable"),
    Setting("ignore_files", "switch", "yes or no: obey .aiignore and its like (default with a root: yes)"),
    Setting("same_filesystem", "switch", "yes or no: refuse what is mounted below a root"),
    Setting("deny_hardlinks", "switch", "yes or no: refuse files that have a second name"),
    Setting("audit", "text", "append a line of JSON for each call to this file"),
    Setting("caller", "text", "the name of the agent in the audit log (default: the MCP client's)"),
    Setting("landlock", "switch", "yes or no: let the kernel keep this process to its roots"),
)
"""Settings of every tool; a dialect adds its own."""


def settings_of(dialects: Iterable[Dialect]) -> list[Setting]:
    """Returns the settings of the dialects and those of every tool, each once, without `home`."""
    settings: dict[str, Setting] = {}
    for setting in (*(own for dialect in dialects for own in dialect.settings), *SETTINGS):
        if setting.value_type != "home":
            settings.setdefault(setting.name, setting)
    return list(settings.values())


def build_tool(
    parser: UsageReporter,
    dialect: Dialect,
    options: dict[str, object],
    param_values: Mapping[str, object],
    environment: Mapping[str, str],
    on_progress: Progress | None = None,
    single_call: bool = False,
) -> Tool:
    """Builds the tool that options and environment describe; exits with 2 if they are invalid.

    `param_values` are those of the settings that are parameters, too: on the command line the params of the call.
    """
    settings = chosen_settings(parser, dialect, options, param_values, environment)
    security = {name: settings.pop(name) for name in SECURITY_SETTINGS if name in settings}
    deadline_s = cast("float", settings.pop("deadline_s", DEADLINE_S))
    settings.pop("cache_dir", None)
    pdf_lines = cast("PdfLines", settings.pop("pdf_lines", "paragraphs"))
    ocr, languages = cast("Ocr", settings.pop("ocr", "auto")), languages_of(settings.pop("ocr_languages", ""))
    roots = chosen_roots(options, environment)
    try:
        return Tool(
            dialect.configured(**settings) if dialect.configured else dialect,
            roots,
            deadline_s=deadline_s,
            on_progress=on_progress,
            cache_dir=chosen_cache_dir(options, environment),
            password=chosen_password(parser, options, environment),
            pdf_lines=pdf_lines,
            ocr=ocr,
            ocr_languages=languages,
            denials=chosen_denials(security, roots),
            audit=chosen_audit(security),
            routes=_standard_input_routes(parser, options),
            single_call=single_call,
        )
    except ValueError as error:
        parser.error(str(error))


def denials_of_door(
    parser: UsageReporter, options: Mapping[str, object], roots: Sequence[str], environment: Mapping[str, str]
) -> Denials:
    """Returns the deny rules that options and environment give to a door with these roots; raises ValueError."""
    chosen = dict(options)
    for setting in SETTINGS:
        if setting.name in POLICY_SETTINGS and chosen.get(setting.name) is None:
            chosen[setting.name] = _setting_from_environment(parser, setting.name, value_parser(setting), environment)
    return chosen_denials({name: chosen[name] for name in POLICY_SETTINGS if chosen[name] is not None}, roots)


def languages_of(words: object) -> list[str]:
    """Returns the languages of a setting such as `eng+deu`."""
    return [name.strip() for name in str(words).replace(",", "+").split("+") if name.strip()]


def _standard_input_routes(parser: UsageReporter, options: dict[str, object]) -> list[Route]:
    """Returns the route to standard input where a path names it; it is read to its end before the call begins."""
    given = cast("list[str]", options.get("given") or options.get("paths") or [])
    if not any(path == "-" or path.startswith("-/") for path in given):
        return []
    if sys.stdin is None:
        parser.error("there is no standard input")
    try:
        return [standard_input_route(sys.stdin.buffer)]
    except TooLarge as error:
        parser.error(f"standard input is longer than {error.limit >> 30} GiB")


def apply_landlock(
    parser: UsageReporter, options: dict[str, object], environment: Mapping[str, str], by_default: bool
) -> None:
    """Restricts this process to its roots with Landlock, if the settings say so; called before any thread starts."""
    wanted = options.get("landlock")
    if wanted is None:
        wanted = _setting_from_environment(parser, "landlock", parse_bool, environment)
    roots = chosen_roots(options, environment)
    if wanted and not roots:
        parser.error("--landlock needs a --root")
    if wanted or (by_default and wanted is None):
        restrict_to_roots(roots, chosen_cache_dir(options, environment))


def chosen_roots(options: Mapping[str, object], environment: Mapping[str, str]) -> list[str]:
    """Returns the roots of the options, or else of the environment."""
    given = cast("list[str]", options["root"])
    listed = environment.get("READWELL_ROOT", "")
    if given or not listed:
        return given
    import re

    return re.findall(f"{ADDRESS}|[^{os.pathsep}]+", listed)


def absolute_roots(parser: UsageReporter, roots: Sequence[str]) -> list[str]:
    """Returns the absolute paths of roots; without any, that of the current directory. Addresses stay as they are."""
    try:
        return [root if is_remote_root(root) else os.path.abspath(root) for root in roots or ["."]]
    except FileNotFoundError:
        parser.error("the current directory was removed: name a --root by its full path")


def chosen_password(parser: UsageReporter, options: Mapping[str, object], environment: Mapping[str, str]) -> str | None:
    """Returns the password in the variable that `--password-env` names; exits with 2 if it is not set."""
    name = options.get("password_env")
    if name is None:
        return None
    return environment.get(str(name)) or parser.error(f"--password-env: the variable {name} is not set")


def chosen_cache_dir(options: Mapping[str, object], environment: Mapping[str, str]) -> str:
    """Returns the cache directory of the options, the environment or the platform; empty: no cache."""
    chosen = options.get("cache_dir")
    if chosen is not None:
        return str(chosen)
    base = environment.get("XDG_CACHE_HOME", "")
    return environment.get("READWELL_CACHE_DIR") or (os.path.join(base, "readwell") if base else CACHE_DIR)


def chosen_settings(
    parser: UsageReporter,
    dialect: Dialect,
    options: dict[str, object],
    param_values: Mapping[str, object],
    environment: Mapping[str, str],
) -> dict[str, object]:
    """Returns the values that options or environment set, by name; options win."""
    chosen: dict[str, object] = {}
    for setting in settings_of([dialect]):
        name, given = setting.name, param_values if setting.is_param else options
        value = given.get(name)
        if value is None or (setting.is_param and not value):
            value = _setting_from_environment(parser, name, value_parser(setting), environment)
        if setting.is_param and value is not None:
            value = max(1, value) if isinstance(value, int) else None
        if value is not None:
            chosen[name] = value
    return chosen | {each.name: os.path.expanduser("~") for each in dialect.settings if each.value_type == "home"}


def _setting_from_environment(
    parser: UsageReporter, name: str, parse: Callable[[str], object], environment: Mapping[str, str]
) -> object:
    variable = f"READWELL_{name.upper()}"
    word = environment.get(variable, "")
    if not word:
        return None
    from argparse import ArgumentTypeError

    try:
        return parse(word)
    except ArgumentTypeError as error:
        return parser.error(f"{variable}: {error}")
