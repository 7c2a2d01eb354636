"""Whether a document of the OpenDocument kind has a password."""

from ...errors import DocumentLocked
from ..container import Container
from ..tree import every


def refuse_locked(container: Container) -> None:
    """Refuses a document whose manifest says that its parts are encrypted."""
    if every(container.xml_if_any("META-INF/manifest.xml"), "manifest:encryption-data"):
        raise DocumentLocked(container.format)
