"""Pins the base images of a Dockerfile by digest, as their registry names them; no container engine is needed."""

import json
import re
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

REGISTRY = "https://registry-1.docker.io"
MANIFESTS = (
    "application/vnd.oci.image.index.v1+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.v2+json",
)
TIMEOUT_S = 20


def pin(dockerfile: Path, target: Path) -> Path:
    """Writes the Dockerfile with its base images pinned; returns the one to build from, and prints which that is.

    Where it cannot be written, none of an earlier run is left in its place.
    """
    text = pinned(dockerfile.read_text())
    if text is None:
        target.unlink(missing_ok=True)
        print("base images by tag: their registry cannot be reached")
        return dockerfile
    target.parent.mkdir(exist_ok=True)
    target.write_text(text)
    print(f"base images pinned by digest in {target}")
    return target


def pinned(dockerfile: str, registry: str = REGISTRY) -> str | None:
    """Returns the Dockerfile with the digest behind each image's tag; None where the registry cannot be reached."""
    try:
        for image in sorted(set(re.findall(r"^FROM ([^\s@]+:[^\s@]+)(?=\s|$)", dockerfile, re.M))):
            exact = f"FROM {image}@{digest(image, registry)}"
            dockerfile = re.sub(rf"^FROM {re.escape(image)}(?=\s|$)", exact, dockerfile, flags=re.M)
    except HTTPError:
        raise
    except (URLError, TimeoutError):
        return None
    return dockerfile


def digest(image: str, registry: str) -> str:
    """Returns the digest of an image's manifest of all platforms; asks for a token where the registry wants one."""
    name, _, tag = image.partition(":")
    address = f"{registry}/v2/{name if '/' in name else f'library/{name}'}/manifests/{tag}"
    headers = {"Accept": ", ".join(MANIFESTS)}
    try:
        return _asked(address, headers)
    except HTTPError as refused:
        challenge = refused.headers.get("WWW-Authenticate", "")
        if refused.code != 401 or not challenge.startswith("Bearer "):
            raise
    return _asked(address, {**headers, "Authorization": f"Bearer {_token(challenge)}"})


def _asked(address: str, headers: dict[str, str]) -> str:
    with urlopen(Request(address, headers=headers, method="HEAD"), timeout=TIMEOUT_S) as reply:
        return reply.headers["Docker-Content-Digest"]


def _token(challenge: str) -> str:
    """Gets the token for everybody that a challenge names."""
    fields = dict(re.findall(r'(\w+)="([^"]*)"', challenge))
    with urlopen(f"{fields.pop('realm')}?{urlencode(fields)}", timeout=TIMEOUT_S) as reply:
        said = json.load(reply)
    return said.get("token") or said["access_token"]
