"""What a package index, a registry and a client are told about readwell agrees with the package."""

import base64
import json
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest
import yaml

from readwell import __version__
from registry_rules import problems

HOUSE = Path(__file__).parent.parent
PROJECT = tomllib.loads((HOUSE / "pyproject.toml").read_text())
README = (HOUSE / "README.md").read_text()
HOME = PROJECT["project"]["urls"]["Homepage"]
PERMISSIVE = re.compile(
    r"\b(MIT|MIT-0|MIT-CMU|HPND|BSD|Apache|ISC|PSF|Python Software Foundation|Unlicense|0BSD|Zlib|CC0|BSL|MPL|Mozilla)\b"
)
KINDS = ["Added", "Changed", "Fixed", "Wire"]
COPYLEFT = re.compile(r"\bA?GPL|General Public License", re.I)


def loaded(name):
    text = (HOUSE / name).read_text()
    return json.loads(text) if name.endswith("json") else yaml.safe_load(text)


@pytest.mark.parametrize(
    "name", ["server.json", "packaging/bundle/manifest.json", ".claude-plugin/plugin.json", "CITATION.cff"]
)
def test_every_manifest_has_the_version_of_the_package_and_its_address(name):
    manifest = loaded(name)
    assert manifest["version"] == __version__
    address = manifest.get("repository-code") or manifest["repository"]
    assert (address["url"] if isinstance(address, dict) else address) == HOME


def test_the_changelog_has_the_version_with_its_date():
    assert re.search(
        rf"^## \[{re.escape(__version__)}\] - \d{{4}}-\d\d-\d\d$", (HOUSE / "CHANGELOG.md").read_text(), re.M
    )


def test_each_part_of_the_changelog_has_one_heading_of_a_kind_and_nothing_outside_them():
    text = (HOUSE / "CHANGELOG.md").read_text()
    parts = re.split(r"^## \[.+\n", text, flags=re.M)[1:]
    for part in parts:
        before, *sections = re.split(r"^### ", part, flags=re.M)
        kinds = [section.partition("\n")[0] for section in sections]
        assert before.strip() == "" and kinds == [kind for kind in KINDS if kind in kinds], kinds
        for section in sections:
            assert re.fullmatch(r"\w+\n(- .+\n(  .+\n)*)+\n?", section), section
    assert len(parts) == len(set(re.findall(r"^## \[(.+)\]", text, re.M)))


def test_the_registry_entry_is_valid_for_the_registry_and_has_no_field_that_it_does_not_know():
    server = loaded("server.json")
    assert problems(server) == []
    for change in INVALID:
        broken = json.loads(json.dumps(server))
        change(broken)
        assert problems(broken), change


INVALID = [
    lambda server: server.pop("name"),
    lambda server: server.update(name="readwell"),
    lambda server: server.update(description="x" * 101),
    lambda server: server.update(licence="MIT"),
    lambda server: server["repository"].pop("source"),
    lambda server: server["packages"][0].update(version="latest"),
    lambda server: server["packages"][0].pop("transport"),
    lambda server: server["packages"][0]["transport"].update(type="pipe"),
    lambda server: server["packages"][0]["runtimeArguments"][0].pop("name"),
    lambda server: server["packages"][0]["packageArguments"][0].pop("value"),
    lambda server: server["packages"][0]["packageArguments"][1].update(format="folder"),
]


def test_the_registry_entry_names_the_package_and_keeps_the_registrys_bounds():
    server = loaded("server.json")
    [package] = server["packages"]
    assert package["version"] == __version__ and package["identifier"] == PROJECT["project"]["name"]
    assert f"mcp-name: {server['name']} " in README
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", server["name"]) and len(server["description"]) <= 100
    assert package["runtimeArguments"][0] == {
        "type": "named",
        "name": "--with",
        "value": f"readwell[all]=={__version__}",
    }
    assert package["packageArguments"][0]["value"] == "mcp", "clients put the identifier before these themselves"


def test_the_readme_of_an_index_has_no_relative_links():
    text = README
    for each in PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        replacement = each["replacement"].replace("$HFPR_VERSION", __version__)
        assert replacement.replace("https://raw.githubusercontent.com", "https://github.com").find(HOME) > 0
        text = re.sub(each["pattern"], replacement, text)
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    assert len(links) > 10
    assert [link for link in links if not link.startswith(("https://", "#"))] == []


def badge(host):
    [link] = re.findall(rf"\]\((https://{re.escape(host)}[^)]+)\)", README)
    return {name: values[0] for name, values in parse_qs(urlparse(link).query).items()}


def test_the_badges_install_the_server():
    plugin = loaded(".claude-plugin/plugin.json")["mcpServers"]["readwell"]
    expected = [*plugin["args"][:-1], "${workspaceFolder}"]
    vscode, cursor = badge("vscode.dev"), badge("cursor.com")
    for name, text in ((vscode["name"], vscode["config"]), (cursor["name"], base64.b64decode(cursor["config"]))):
        assert name == "readwell" and json.loads(text) == {"command": "uvx", "args": expected}


def test_the_skill_has_a_name_and_says_when_to_use_it():
    page = HOUSE / "skills" / "reading-files" / "SKILL.md"
    head = yaml.safe_load(page.read_text().split("---\n")[1])
    assert head["name"] == page.parent.name and "Use when" in head["description"] and len(head["description"]) <= 1024


def test_the_version_of_a_checkout_names_its_commit():
    words = [sys.executable, "-m", "readwell", "--version"]
    said = subprocess.run(words, cwd=HOUSE, capture_output=True, text=True, check=True).stdout
    assert re.fullmatch(rf"readwell {re.escape(__version__)}( \([0-9a-f]{{12}}\))?\n", said)
    assert ("(" in said) == (HOUSE / ".git").exists()


def licence(distribution):
    """What a distribution says about its licence: the expression, the classifiers, or the text."""
    about = distribution.metadata
    classifiers = [line.rpartition("::")[2] for line in about.get_all("Classifier") or [] if "License ::" in line]
    return about.get("License-Expression") or " ".join(classifiers) or (about.get("License") or "")[:200]


def is_permissive(said):
    """Whether every part joined by AND is permissive, or one of its parts joined by OR; brackets only make it stricter."""
    parts = said.split(" AND ")
    return not COPYLEFT.search(said) and all(any(map(PERMISSIVE.search, part.split(" OR "))) for part in parts)


def locked_names():
    return re.findall(r"^([a-z0-9._-]+)==", (HOUSE / "requirements.lock").read_text(), re.M)


def packages_with_dependencies(names):
    """What is installed of the packages and of all that they need: not what is of another platform or Python."""
    found, waiting = {}, [*names]
    while waiting:
        name = re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", waiting.pop())[0]).lower()
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        if name not in found:
            found[name] = package
            waiting += [each for each in package.requires or [] if "extra ==" not in each]
    return found


def test_every_dependency_has_a_permissive_licence():
    """Those of the extra `ray` are not installed here."""
    extras = PROJECT["project"]["optional-dependencies"]
    found = packages_with_dependencies([*locked_names(), *extras["dask"]])
    assert len(found) > 10 and {"distributed", "dask", "cloudpickle", "tornado"} <= found.keys()
    said = {name: licence(package) for name, package in found.items()}
    assert {name: each for name, each in said.items() if not is_permissive(each)} == {}


@pytest.mark.parametrize(
    "said, expected",
    [
        ("MIT", True),
        ("MIT AND PSF-2.0", True),
        ("MIT OR LGPL-2.1-only", True),
        ("(MIT OR LGPL-2.1-only) AND BSD-3-Clause", True),
        ("MIT AND LGPL-2.1-only", False),
        ("LGPL-2.1-only AND MIT", False),
        ("MIT AND (EUPL-1.2 OR LGPL-2.1-only)", False),
        ("MIT AND GPL-3.0-only", False),
        ("", False),
    ],
)
def test_a_licence_is_permissive_in_all_its_parts(said, expected):
    assert is_permissive(said) == expected


def test_agent_pages_are_made_from_the_guide():
    words = [sys.executable, HOUSE / "scripts" / "agent_pages.py", "--check"]
    assert subprocess.run(words, capture_output=True, text=True).stdout == ""
