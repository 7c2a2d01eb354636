"""File systems whose files are stored nowhere: the kernel makes up what they hold, and reading may act."""

import os
from functools import lru_cache

PSEUDO = frozenset([
    "proc", "sysfs", "devtmpfs", "devpts", "debugfs", "tracefs", "securityfs", "selinuxfs", "cgroup", "cgroup2",
    "pstore", "bpf", "configfs", "mqueue", "fusectl", "efivarfs", "binfmt_misc", "nsfs", "pipefs", "sockfs",
    "rpc_pipefs", "nfsd",
])  # fmt: skip
PLACES = ("/proc", "/sys")
"""Where they usually stand, for when the list of mounts cannot be read."""


def is_pseudo(device: int) -> bool:
    """Says whether what lies on this device is made up by the kernel."""
    # Such file systems have no device of their own and get a number without a major part.
    return os.major(device) == 0 and _is_listed(device)


@lru_cache(maxsize=256)
def _is_listed(device: int) -> bool:
    number = f"{os.major(device)}:{os.minor(device)}"
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as mounts:
            rows = [line.split(" - ") for line in mounts]
    except OSError:
        return any(device == _device_of(place) for place in PLACES)
    return any(row[0].split()[2] == number and row[-1].split()[0] in PSEUDO for row in rows)


def _device_of(place: str) -> int | None:
    try:
        return os.stat(place).st_dev
    except OSError:
        return None
