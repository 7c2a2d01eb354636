"""Pseudo file systems: the kernel generates their files, and reading one may have side effects."""

import os
from functools import lru_cache

PSEUDO = frozenset([
    "proc", "sysfs", "devtmpfs", "devpts", "debugfs", "tracefs", "securityfs", "selinuxfs", "cgroup", "cgroup2",
    "pstore", "bpf", "configfs", "mqueue", "fusectl", "efivarfs", "binfmt_misc", "nsfs", "pipefs", "sockfs",
    "rpc_pipefs", "nfsd",
])  # fmt: skip
MOUNT_POINTS = ("/proc", "/sys")
"""Where they are usually mounted, for when the list of mounts cannot be read."""


class PseudoFileError(OSError):
    """What was to be opened is a file or directory that the kernel makes up."""


def is_pseudo_filesystem(device: int) -> bool:
    """Says whether a device is a pseudo file system."""
    # Such file systems have no device of their own and get a number without a major part.
    return os.major(device) == 0 and _is_listed_as_pseudo(device)


@lru_cache(maxsize=256)
def _is_listed_as_pseudo(device: int) -> bool:
    """Says whether the system lists a device as a pseudo file system."""
    number = f"{os.major(device)}:{os.minor(device)}"
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as mounts:
            rows = [line.split(" - ") for line in mounts]
    except OSError:
        return any(device == _device_of(mount) for mount in MOUNT_POINTS)
    return any(row[0].split()[2] == number and row[-1].split()[0] in PSEUDO for row in rows)


def _device_of(path: str) -> int | None:
    """Returns the device of a path; None where it does not exist."""
    try:
        return os.stat(path).st_dev
    except OSError:
        return None
