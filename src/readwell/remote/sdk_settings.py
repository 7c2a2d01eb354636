"""Environment variables and files of the cloud SDKs: the only module of the library that reads them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from configparser import ConfigParser, Error

MAX_OF_A_FILE = 1 << 20


def first_set_variable(*names: str) -> str:
    """Returns the first of some environment variables that is set; else nothing."""
    return next((value for name in names if (value := os.environ.get(name, "").strip())), "")


def aws_profile() -> Mapping[str, str]:
    """Returns the fields of the chosen profile in the files of AWS's SDK; credentials go before configuration."""
    name = first_set_variable("AWS_PROFILE", "AWS_DEFAULT_PROFILE") or "default"
    config = first_set_variable("AWS_CONFIG_FILE") or "~/.aws/config"
    secrets = first_set_variable("AWS_SHARED_CREDENTIALS_FILE") or "~/.aws/credentials"
    section = name if name == "default" else f"profile {name}"
    return {**_section(config, section), **_section(secrets, name)}


def _section(file: str, section: str) -> Mapping[str, str]:
    """Returns a section of a configuration file; empty where it cannot be read."""
    parser = ConfigParser(interpolation=None, strict=False, allow_no_value=True)
    try:
        with open(os.path.expanduser(file), encoding="utf-8") as opened:
            parser.read_string(opened.read(MAX_OF_A_FILE))
        return {name: value or "" for name, value in parser.items(section)}
    except (OSError, Error, UnicodeError):
        return {}


def files_to_keep_readable() -> Iterator[str]:
    """Yields the files that a process which locks itself in still needs: credentials, certificates, names of hosts."""
    from ssl import get_default_verify_paths

    home = os.path.expanduser("~")
    yield from (f"{home}/{name}" for name in (".aws", ".azure", ".config/gcloud"))
    for name in (
        "AWS_CONFIG_FILE",
        "AWS_SHARED_CREDENTIALS_FILE",
        "AWS_WEB_IDENTITY_TOKEN_FILE",
        "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
        "AZURE_FEDERATED_TOKEN_FILE",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
    ):
        if value := first_set_variable(name):
            yield os.path.expanduser(value)
    paths = get_default_verify_paths()
    yield from filter(None, (paths.cafile, paths.capath, paths.openssl_cafile, paths.openssl_capath))
    yield from ("/etc/ssl", "/etc/pki", "/usr/share/ca-certificates", "/usr/local/share/ca-certificates")
    for name in ("resolv.conf", "hosts", "nsswitch.conf", "host.conf", "gai.conf", "services", "protocols"):
        yield f"/etc/{name}"
        yield os.path.realpath(f"/etc/{name}")
