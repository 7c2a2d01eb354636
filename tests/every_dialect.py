"""Tables of tests that need a row for each dialect, and what a dialect calls the path."""

from readwell.dialects import NAMES, dialect_named


def require_every_dialect(table, but=()):
    """The table, if it has a row for each dialect but those that are named; otherwise the failure says which one is missing."""
    missing = [name for name in NAMES if name not in {*table, *but}]
    assert not missing, (
        f"this table of a test needs a row for {', '.join(missing)}: CONTRIBUTING.md, Add a dialect, lists the others"
    )
    return table


def path_param(name):
    """What the tool of a dialect that reads calls its path."""
    return dialect_named(name).tools[0].required[0]


PARAMS = require_every_dialect(
    {
        "native": ("path", "offset", "limit"),
        "qq": ("path", "start_line", "num_lines"),
        "envelope": ("path", "start_line", "limit"),
        "opencode": ("filePath", "offset", "limit"),
    }
)
"""What each dialect calls the path, the first line and the number of lines."""
