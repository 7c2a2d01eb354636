"""Small containers, converted once so that all that their format needs is loaded."""

from __future__ import annotations

from collections.abc import Mapping


def zipped(parts: Mapping[str, str]) -> bytes:
    """Returns a ZIP of some texts."""
    from io import BytesIO
    from zipfile import ZIP_DEFLATED, ZipFile

    content = BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as container:
        for name, text in parts.items():
            container.writestr(name, text)
    return content.getvalue()
