"""What the MCP registry accepts in `server.json`, as far as readwell's uses it: its schema of 2025-12-11, in our own words.

Stricter in one thing: fields that the registry does not know, which it would pass over, are problems.
"""

from jsonschema import Draft7Validator, FormatChecker

TEXT, FLAG, ADDRESS = {"type": "string"}, {"type": "boolean"}, {"type": "string", "format": "uri"}


def record(required, **fields):
    return {"type": "object", "required": required, "properties": fields, "additionalProperties": False}


def words(*choices):
    return {"type": "string", "enum": list(choices)}


def rows(item):
    return {"type": "array", "items": item}


INPUT = {
    "choices": rows(TEXT),
    "default": TEXT,
    "description": TEXT,
    "format": words("string", "number", "boolean", "filepath"),
    "isRequired": FLAG,
    "isSecret": FLAG,
    "placeholder": TEXT,
    "value": TEXT,
}
ASKED = {**INPUT, "variables": {"type": "object", "additionalProperties": record([], **INPUT)}}
POSITIONAL = record(["type"], type=words("positional"), valueHint=TEXT, isRepeated=FLAG, **ASKED)
NAMED = record(["type", "name"], type=words("named"), name=TEXT, isRepeated=FLAG, **ASKED)
ARGUMENTS = rows({"anyOf": [{**POSITIONAL, "anyOf": [{"required": ["value"]}, {"required": ["valueHint"]}]}, NAMED]})
VERSION = {"type": "string", "minLength": 1, "maxLength": 255, "not": {"const": "latest"}}
PACKAGE = record(
    ["registryType", "identifier", "transport"],
    registryType=TEXT,
    registryBaseUrl=ADDRESS,
    identifier=TEXT,
    version=VERSION,
    fileSha256={"type": "string", "pattern": "^[a-f0-9]{64}$"},
    runtimeHint=TEXT,
    runtimeArguments=ARGUMENTS,
    packageArguments=ARGUMENTS,
    environmentVariables=rows(record(["name"], name=TEXT, **ASKED)),
    transport=record(["type"], type=words("stdio")),
)
SERVER = record(
    ["name", "description", "version"],
    **{"$schema": ADDRESS},
    name={"type": "string", "minLength": 3, "maxLength": 200, "pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$"},
    title={"type": "string", "minLength": 1, "maxLength": 100},
    description={"type": "string", "minLength": 1, "maxLength": 100},
    version=VERSION,
    websiteUrl=ADDRESS,
    repository=record(["url", "source"], url=ADDRESS, source=TEXT, id=TEXT, subfolder=TEXT),
    packages=rows(PACKAGE),
)


def problems(server):
    """Returns what the registry would refuse, or not know."""
    found = Draft7Validator(SERVER, format_checker=FormatChecker()).iter_errors(server)
    return [f"{error.json_path}: {error.message}" for error in found]
