"""Whether a document of the OpenDocument kind has a password."""

from ...errors import DocumentLocked
from ..xml_tree import every
from ..zip_container import ZipContainer


def refuse_locked(container: ZipContainer) -> None:
    """Refuses a document whose manifest says that its parts are encrypted."""
    if every(container.xml_if_any("META-INF/manifest.xml"), "manifest:encryption-data"):
        raise DocumentLocked(container.format)
