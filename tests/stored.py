"""What a cache folder holds."""

import re
from pathlib import Path


def entries_in(folder):
    """Returns the entries of the stores below a folder, without their accounts and locks."""
    return [path for path in Path(folder).rglob("*") if re.fullmatch("[0-9a-f]{64}", path.name)]
