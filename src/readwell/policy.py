"""May this path be read? Values that compare names with roots and rules, and never touch the disk."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .model import AdmittedPath, Root
from .names import below, normalised
from .patterns import Check, Patterns, compiled, folded, unwatched

SECRETS = (
    ".env", ".env.*", "!.env.example", "!.env.sample", "!.env.template",
    "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.kdbx",
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "!id_*.pub",
    ".ssh/", ".gnupg/", "**/.aws/credentials", "**/.config/gcloud/", ".azure/", "**/.kube/config",
    "**/.docker/config.json", ".netrc", ".pgpass", ".my.cnf", ".npmrc", ".pypirc", ".git-credentials",
    "**/.git/config", "*.tfstate*", "secrets.yml", "secrets.yaml", "service-account*.json", ".htpasswd",
)  # fmt: skip
"""Where secrets usually lie, at any depth: denied by doors unless their configuration allows it."""

DENYING_FILES = (".aiignore", ".aiexclude", ".cursorignore", ".geminiignore")
THINNING_FILE = ".gitignore"
"""Thins listings where a dialect wants that; never denies."""
SEARCH_IGNORING_FILES = (THINNING_FILE, ".ignore")
"""A search passes over what these name, and what the others name where they do not deny it."""


class Denials(NamedTuple):
    """What may not be read inside the roots, as whoever embeds the reader decided; nothing by default."""

    deny: tuple[str, ...] = ()
    """Patterns in gitignore's syntax, from each root."""
    allow: tuple[str, ...] = ()
    """Exceptions from `deny`; ignore files are not lifted by them."""
    ignore_files: bool = False
    same_filesystem: bool = False
    """Refuse what is mounted below a root."""
    deny_hardlinks: bool = False
    """Refuse files that have a second name, which may lie outside."""


DOOR_DENIALS = Denials(SECRETS, ignore_files=True)
"""What doors that serve a model deny."""


class Policy:
    """Where reading may happen: inside `roots`, or anywhere when there are none, and not what the rules deny."""

    def __init__(self, roots: tuple[Root, ...] = (), denials: Denials | None = None) -> None:
        self.roots = roots
        self.denials = denials or Denials()
        self._deny = _compiled("deny", self.denials.deny)
        self._allow = _compiled("allow", self.denials.allow)

    def locate(self, path: str, cwd: str) -> AdmittedPath:
        """Says where to open a path: below the first root that it names, as it is written, `..` and all.

        By its name alone; what it leads to is judged when it is opened.
        """
        absolute = path if path.startswith("/") else f"{cwd.rstrip('/')}/{path}"
        for number, root in enumerate(self.roots):
            for spelling in (root.absolute, root.real):
                rest = below(absolute, spelling)
                if rest is not None:
                    return AdmittedPath(path, absolute, number, rest)
        return AdmittedPath(path, absolute, None, "")

    def places(self, absolute: str) -> list[tuple[str, str]]:
        """Returns what the rules judge of a path: each root that holds it and what follows, `..` resolved.

        A root stands here by each of its spellings; where no root does, the path lies outside.
        """
        plain = normalised(absolute, "/")
        if not self.roots:
            return [("", plain[1:])]
        found = ((spelling, below(plain, spelling)) for root in self.roots for spelling in {root.absolute, root.real})
        return [(spelling.rstrip("/"), "" if rest == "." else rest) for spelling, rest in found if rest is not None]

    def denies(self, place: str, check: Check = unwatched) -> str | None:
        """Returns the rule that denies a path below a root, by its name alone."""
        if self._deny is None or not place:
            return None
        parts = folded(place).split("/")
        line = self._deny.excludes(parts, True, check)
        if line is None or (self._allow and self._allow.excludes(parts, True, check)):
            return None
        return f"deny: {line}"

    def denies_in(self, folder: str, check: Check, judged: bool = False) -> Callable[[str], bool]:
        """Returns what says of each name in a folder below a root whether a rule denies it.

        `judged`: the folder itself is not denied, or it is allowed, and so is all that it holds.
        """
        if self._deny is None:
            return lambda _: False
        parts = folded(folder).split("/") if folder else []
        denied = self._deny.within(parts, check, judged)
        allowed = self._allow.within(parts, check) if self._allow else None
        return lambda name: denied(folded(name)) is not None and not (allowed and allowed(folded(name)))


def _compiled(setting: str, lines: Sequence[str]) -> Patterns | None:
    try:
        return compiled(lines) if lines else None
    except ValueError as error:
        raise ValueError(f"{setting}: {error}") from error
