"""Installs one agent framework, and what readwell needs, into a separate environment and prints its Python.

Environments are made once and kept; they cannot be one, since the frameworks exclude each other's dependencies.
Where one cannot be made, the exit status is 1 and stderr has the reason.
"""

import fcntl
import os
import pwd
import subprocess
import sys
from pathlib import Path

PACKAGES = {
    "openai": ["openai==3.49.0"],
    "anthropic": ["anthropic==2.8.0"],
    "langchain": ["langchain==1.4.7", "langgraph==1.2.20"],
    "pydantic_ai": ["pydantic-ai-slim==2.66.0"],
    "openai_agents": ["openai-agents==0.24.0"],
    "llamaindex": ["llama-index-core==0.14.25"],
    "smolagents": ["smolagents==1.26.0"],
    "agno": ["agno==3.1.10"],
    "crewai": ["crewai==1.15.30"],
    "strands": ["strands-agents==1.62.0"],
    "google_adk": ["google-adk==2.13.0"],
}
EXTRAS = ["--extra", "documents", "--extra", "images", "--extra", "code"]
PROJECT = Path(__file__).parents[1] / "pyproject.toml"
HOME = pwd.getpwuid(os.getuid()).pw_dir  # tests have another HOME than their user
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or f"{HOME}/.cache") / "readwell-frameworks"
TIMEOUT_S = 300


def main(framework: str) -> int:
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{framework}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            install(CACHE / framework, PACKAGES[framework])
        except (OSError, subprocess.SubprocessError) as error:
            said = getattr(error, "stderr", None) or ""
            print(f"cannot install {framework}: {error}\n{said[-1000:]}", file=sys.stderr)
            return 1
    print(CACHE / framework / "bin" / "python")
    return 0


def install(folder: Path, packages: list[str]) -> None:
    wanted = "\n".join([sys.version, *EXTRAS, *packages, PROJECT.read_text()])
    done = folder / "installed"
    if done.exists() and done.read_text() == wanted:
        return
    uv("venv", "--clear", "--python", sys.executable, str(folder))
    into = ("--python", str(folder / "bin" / "python"))
    uv("pip", "install", *into, "-r", str(PROJECT), *EXTRAS, *packages)
    done.write_text(wanted)


def uv(*words: str) -> None:
    program = Path(sys.executable).parent / "uv"
    env = {**os.environ, "HOME": HOME}
    subprocess.run([program, *words], env=env, check=True, capture_output=True, text=True, timeout=TIMEOUT_S)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
