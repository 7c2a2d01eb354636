"""Which language a text is written in: by its name, or else by its first bytes."""

from __future__ import annotations

import os
import re

EXTENSIONS = {
    "bash": "sh bash zsh ksh",
    "c": "c",
    "calendar": "ics ifb vcf vcard",
    "cpp": "cpp cc cxx c++ hpp hh hxx ipp cu",
    "csharp": "cs csx",
    "css": "css",
    "csv": "csv tsv",
    "dart": "dart",
    "elixir": "ex exs",
    "go": "go",
    "haskell": "hs",
    "hcl": "hcl tf tfvars",
    "html": "html htm xhtml",
    "java": "java",
    "javascript": "js jsx mjs cjs",
    "json": "json jsonc json5 geojson webmanifest ipynb",
    "jsonl": "jsonl ndjson",
    "kotlin": "kt kts",
    "lua": "lua",
    "markdown": "md markdown mdx",
    "nix": "nix",
    "php": "php",
    "python": "py pyi pyw",
    "restructuredtext": "rst rest",
    "ruby": "rb rake gemspec",
    "rust": "rs",
    "scala": "scala sc sbt",
    "solidity": "sol",
    "swift": "swift",
    "toml": "toml",
    "tsx": "tsx",
    "typescript": "ts mts cts",
    "xml": "xml xsd xsl xslt svg rss atom plist csproj",
    "yaml": "yaml yml",
    "zig": "zig",
}
BY_EXTENSION = {extension: language for language, names in EXTENSIONS.items() for extension in names.split()}
BY_NAME = {
    "Gemfile": "ruby",
    "Rakefile": "ruby",
    "Cargo.lock": "toml",
    "poetry.lock": "toml",
    "uv.lock": "toml",
    "Pipfile": "toml",
    ".bashrc": "bash",
    ".profile": "bash",
    ".zshrc": "bash",
}
INTERPRETERS = {
    "python": "python",
    "sh": "bash",
    "bash": "bash",
    "zsh": "bash",
    "dash": "bash",
    "node": "javascript",
} | {name: name for name in ("lua", "php", "ruby", "elixir")}
STARTS = (
    (rb"<\?php\b", "php"),
    (rb"<!doctype html\b|<html\b", "html"),
    (rb"<\?xml\b", "xml"),
    (rb'[{\[]\s*["{\[]', "json"),
)
COMMENTED_JSON = re.compile(r".*\.(?:jsonc|json5)|[jt]sconfig.*\.json", re.I)
CPP = re.compile(rb"^\s*(?:class|namespace|template|using|public:|private:)\b", re.M)

OWN = frozenset(["csv", "html", "json", "jsonl", "markdown", "restructuredtext", "toml", "xml"])
NEEDS_AST_GREP = frozenset(EXTENSIONS) - OWN
"""Languages that need the extra `code`."""


def language_of(name: str, head: bytes) -> str | None:
    """Returns the language of a file by its name, else by its first bytes; None: unknown."""
    first = re.match(rb"#![^\n]*?([a-z]+)[0-9.]*\s*(?:-[^\n]*)?$", head, re.M)
    interpreter = INTERPRETERS.get(first[1].decode()) if first else None
    extension = os.path.splitext(name)[1][1:].lower()
    if extension == "h":
        return "cpp" if CPP.search(head) else "c"
    named = BY_NAME.get(name) or BY_EXTENSION.get(extension)
    if named or interpreter:
        return named or interpreter
    return None if extension else _language_by_first_bytes(head)


def is_commented_json(name: str) -> bool:
    """Whether a file of this name is JSON with comments, in which a comma may also stand before a closing bracket."""
    return COMMENTED_JSON.fullmatch(name) is not None


def _language_by_first_bytes(head: bytes) -> str | None:
    """Returns the language that the first bytes of a text reveal."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return next((language for pattern, language in STARTS if re.match(pattern, start, re.I)), None)
