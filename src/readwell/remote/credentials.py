"""Credentials of object stores: chosen, refreshed, never shown and never pickled."""

from __future__ import annotations

from collections.abc import Callable
from errno import EACCES
from importlib import import_module
from time import time
from typing import Any, Generic, NoReturn, TypeVar

from ..deadline import Deadline
from ..errors import Unreadable
from ..import_guard import importing_only_from, interpreter_import_path
from .deadline_threads import AbandonableCalls
from .sdk_settings import aws_profile, first_set_variable

KEPT_S = 300.0
"""How long credentials without an end of their own are used before they are looked for again."""
NOT_SHOWN = "credentials are not shown and not pickled"


class Secret:
    """Base of what must not be seen: prints nothing, cannot be pickled."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: not shown>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(NOT_SHOWN)


class AwsCredentials(Secret):
    """An access key, its secret, and the token of a session; empty for a public bucket."""

    def __init__(self, key: str = "", secret: str = "", token: str = "") -> None:
        self.key, self.secret, self.token = key, secret, token


class Token(Secret):
    """A bearer token, or nothing for a public bucket."""

    def __init__(self, text: str = "") -> None:
        self.text = text


T = TypeVar("T", bound=Secret)


class RenewedCredentials(Secret, Generic[T]):
    """Credentials that are looked for when they are first needed, and again after a while. Safe to share."""

    def __init__(self, find: Callable[[], T]) -> None:
        self._find, self._found, self._until = find, list[T](), 0.0
        self._looking = AbandonableCalls(1)

    def __call__(self, deadline: Deadline) -> T:
        """Returns the credentials; raises a ReadError where none can be found, or not before the deadline."""
        return self._found[0] if time() < self._until else self._looking.call(self._find_if_expired, deadline)

    def _find_if_expired(self) -> T:
        """Returns what was found, looked for again where it has expired."""
        if time() >= self._until:  # else another call has found them meanwhile
            self._found = [self._find()]
            self._until = time() + KEPT_S
        return self._found[0]


def aws_credentials() -> AwsCredentials:
    """Returns the credentials of the environment, of the profile, or of whatever else botocore finds."""
    if first_set_variable("AWS_NO_SIGN_REQUEST", "AWS_SKIP_SIGNATURE").lower() in ("1", "true", "yes"):
        return AwsCredentials()
    key, secret = first_set_variable("AWS_ACCESS_KEY_ID"), first_set_variable("AWS_SECRET_ACCESS_KEY")
    if key and secret:
        return AwsCredentials(key, secret, first_set_variable("AWS_SESSION_TOKEN"))
    profile = aws_profile()
    key, secret = profile.get("aws_access_key_id", ""), profile.get("aws_secret_access_key", "")
    if key and secret:
        return AwsCredentials(key, secret, profile.get("aws_session_token", ""))
    return _from_sdk("botocore.session", _from_botocore) or AwsCredentials()


def google_token(may_use_google_auth: bool) -> Token:
    """Returns a token of the environment, or of google-auth if that may be used: a file, a login, the machine's own."""
    if given := first_set_variable("GOOGLE_OAUTH_ACCESS_TOKEN", "CLOUDSDK_AUTH_ACCESS_TOKEN"):
        return Token(given)
    return (may_use_google_auth and _from_sdk("google.auth", _from_google)) or Token()


def azure_token() -> Token:
    """Returns a token of the environment, or of what azure-identity finds."""
    if given := first_set_variable("AZURE_STORAGE_TOKEN"):
        return Token(given)
    return _from_sdk("azure.identity", _from_azure) or Token()


def _from_sdk(module: str, find: Callable[[Any], T | None]) -> T | None:
    """Asks the SDK of a cloud, if it is installed; what it raises may name files and accounts, and is not passed on."""
    with importing_only_from(interpreter_import_path()):
        try:
            sdk = import_module(module)
        except ImportError:
            return None
        try:
            return find(sdk)
        except Exception:  # noqa: BLE001 - an SDK may raise anything
            raise Unreadable(EACCES, "no credentials were found for the root") from None


def _from_botocore(sdk: Any) -> AwsCredentials | None:
    """Returns what the AWS SDK finds, or None."""
    session = sdk.get_session().get_credentials()
    frozen = session.get_frozen_credentials() if session else None
    return AwsCredentials(frozen.access_key, frozen.secret_key, frozen.token or "") if frozen else None


def _from_google(sdk: Any) -> Token | None:
    """Returns what the Google SDK finds, or None."""
    transport = import_module("google.auth.transport.requests")
    try:
        default, _ = sdk.default(scopes=["https://www.googleapis.com/auth/devstorage.read_only"])
    except sdk.exceptions.DefaultCredentialsError:
        return None
    default.refresh(transport.Request())
    return Token(str(default.token))


def _from_azure(sdk: Any) -> Token | None:
    """Returns what the Azure SDK finds."""
    return Token(str(sdk.DefaultAzureCredential().get_token("https://storage.azure.com/.default").token))
