"""`Policy`: which root contains a path and which deny rule matches it, by name alone. Never touches the disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .light_typing import TYPE_CHECKING
from .model import LocatedPath, Root
from .named_tuple import NamedTuple
from .path_names import normalised, path_below

if TYPE_CHECKING:
    from .gitignore import Check, Patterns

SECRETS = (
    ".env", ".env.*", "!.env.example", "!.env.sample", "!.env.template",
    "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.kdbx",
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "!id_*.pub",
    ".ssh/", ".gnupg/", "**/.aws/credentials", "**/.config/gcloud/", ".azure/", "**/.kube/config",
    "**/.docker/config.json", ".netrc", ".pgpass", ".my.cnf", ".npmrc", ".pypirc", ".git-credentials",
    "**/.git/config", "*.tfstate*", "secrets.yml", "secrets.yaml", "service-account*.json", ".htpasswd",
)  # fmt: skip
"""Files that usually contain secrets, at any depth: denied by doors unless their configuration allows them."""

DENYING_FILES = (".aiignore", ".aiexclude", ".cursorignore", ".geminiignore")
LISTING_IGNORE_FILE = ".gitignore"
"""Entries that it names are left out of listings where a dialect wants that, and never denied."""
SEARCH_IGNORE_FILES = (LISTING_IGNORE_FILE, ".ignore")
"""A search skips what these name, and what the denying files name where they are not obeyed as denials."""


class Denials(NamedTuple):
    """What may not be read inside the roots; nothing by default."""

    deny: tuple[str, ...] = ()
    """Patterns in gitignore's syntax, from each root."""
    allow: tuple[str, ...] = ()
    """Exceptions from `deny`; they do not apply to ignore files."""
    ignore_files: bool = False
    same_filesystem: bool = False
    """Refuse what is mounted below a root."""
    deny_hardlinks: bool = False
    """Refuse files that have a second name, which may be outside."""


DOOR_DENIALS = Denials(SECRETS, ignore_files=True)
"""The default of doors that serve a model."""


class Policy:
    """Confines reading to `roots`, or to nothing if there are none, and denies paths by rules."""

    def __init__(self, roots: tuple[Root, ...] = (), denials: Denials | None = None) -> None:
        self.roots = roots
        self.denials = denials or Denials()
        self._deny = _compile_setting("deny", self.denials.deny)
        self._allow = _compile_setting("allow", self.denials.allow)

    def locate(self, path: str, cwd: str) -> LocatedPath:
        """Returns a path relative to the first root that contains it by name, with any `..` kept.

        Its target is judged when it is opened.
        """
        absolute = path if path.startswith("/") else f"{cwd.rstrip('/')}/{path}"
        for number, root in enumerate(self.roots):
            for spelling in (root.absolute, root.real):
                rest = path_below(absolute, spelling)
                if rest is not None:
                    return LocatedPath(path, absolute, number, rest)
        return LocatedPath(path, absolute, None, "")

    def paths_below_roots(self, absolute: str) -> list[tuple[str, str]]:
        """Returns the roots that contain a path, each with the rest of the path, `..` resolved: what rules match.

        A root is listed by its absolute and by its real path; an empty list means that the path is outside.
        """
        plain = normalised(absolute, "/")
        if not self.roots:
            return [("", plain[1:])]
        pairs = (
            (spelling, path_below(plain, spelling)) for root in self.roots for spelling in {root.absolute, root.real}
        )
        return [(spelling.rstrip("/"), "" if rest == "." else rest) for spelling, rest in pairs if rest is not None]

    def denying_rule(self, path: str, check: Check) -> str | None:
        """Returns the rule that denies a path, relative to a root."""
        if self._deny is None or not path:
            return None
        from .gitignore import folded_path

        parts = folded_path(path).split("/")
        line = self._deny.excluding_line(parts, True, check)
        if line is None or (self._allow and self._allow.excluding_line(parts, True, check)):
            return None
        return f"deny: {line}"

    def denied_name_check(self, folder: str, check: Check, folder_allowed: bool = False) -> Callable[[str], bool]:
        """Returns a function that says whether a rule denies a name in a directory, relative to a root.

        `folder_allowed`: the directory itself is not denied, or it is allowed, and so is all that it contains.
        """
        if self._deny is None:
            return lambda _: False
        from .gitignore import folded_path

        parts = folded_path(folder).split("/") if folder else []
        denied = self._deny.excluder_in(parts, check, folder_allowed)
        allowed = self._allow.excluder_in(parts, check) if self._allow else None
        return lambda name: denied(folded_path(name)) is not None and not (allowed and allowed(folded_path(name)))


def _compile_setting(setting: str, lines: Sequence[str]) -> Patterns | None:
    if not lines:
        return None
    from .gitignore import compile_patterns

    try:
        return compile_patterns(lines)
    except ValueError as error:
        raise ValueError(f"{setting}: {error}") from error
