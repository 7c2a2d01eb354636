"""Office documents with a password: a ZIP that is encrypted as a whole, in a container of the old kind."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from io import BytesIO
from typing import Any

from ..errors import ConversionFailed, DocumentLocked

LOADED = (
    "msoffcrypto.format.ooxml",
    "msoffcrypto.method.ecma376_agile",
    "msoffcrypto.method.ecma376_standard",
    "cryptography.hazmat.backends.openssl",
    "cryptography.hazmat.primitives.ciphers.modes",
    "cryptography.hazmat.primitives.hmac",
)
"""What is imported while a document is decrypted."""
INSTALL = 'pip install "readwell[passwords]"'


def decrypt_office(format_name: str, content: bytes, password: str | None) -> bytes:
    """Returns the document inside; raises DocumentLocked where the password is missing or wrong."""
    if password is None:
        raise DocumentLocked(format_name)
    try:
        library: Any = import_module("msoffcrypto")
        errors: Any = import_module("msoffcrypto.exceptions")
    except ImportError as error:
        raise ConversionFailed(format_name, f"its password cannot be used without an extra: {INSTALL}") from error
    opened = BytesIO()
    try:
        sealed = library.OfficeFile(BytesIO(content))
        sealed.load_key(password=password)
        sealed.decrypt(opened)
    except (errors.InvalidKeyError, errors.DecryptionError) as error:
        raise DocumentLocked(format_name) from error
    except (errors.FileFormatError, ValueError) as error:
        raise ConversionFailed(format_name, "it is damaged: what is encrypted cannot be found") from error
    return opened.getvalue()


def load_decryption() -> bytes:
    """Loads what decrypts, if it is installed, before the cage shuts; returns no sample."""
    for name in LOADED:
        with suppress(ImportError):
            import_module(name)
    return b""
