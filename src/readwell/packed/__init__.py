"""What is packed in files: compressed ones read as what they hold, archives as folders. Unpacked in the cage."""

from .unpacking_opener import UnpackingOpener

__all__ = ["UnpackingOpener"]
