"""The same files in a store and on this disk, and calls whose outcome must not differ."""

import json

OBJECTS = {
    "notes.txt": b"one\ntwo\nthree\n",
    "empty.txt": b"",
    "src/app.py": b"def run():\n    print('x')\n" * 100,
    "src/lib/part.py": b"pass\n",
    "table.csv": b"name,size\na,1\nb,2\n",
    "latin.txt": "Fläche, Größe, Maß\n".encode("latin-1") * 20,
    "logo.png": b"\x89PNG\r\n\x1a\n" + bytes(64),
    "odd/a b+c%41&d.txt": b"odd\n",
    "odd/ä ö.txt": "ä\n".encode(),
    "long.log": b"".join(b"line %d of a log that is rather long\n" % number for number in range(1, 40_001)),
}

READS = [
    *({"path": name, "limit": 20, "total": "exact"} for name in OBJECTS),
    {"path": "."},
    {"path": "src"},
    {"path": "src/"},
    {"path": "odd"},
    {"path": "src", "view": "outline"},
    {"path": "src/app.py", "view": "outline"},
    {"path": "src/app.py", "offset": 50, "limit": 3},
    {"path": "src/app.py", "offset": -3},
    {"path": "long.log", "offset": 39_000, "limit": 2, "total": "exact"},
    {"path": "long.log", "offset": -2, "total": "lazy"},
    {"path": "long.log", "limit": 2, "total": "lazy"},
    {"path": "table.csv", "view": "markdown"},
    {"path": "note.txt"},
    {"path": "src/ap.py"},
    {"path": "notes.txt", "offset": 99},
    {"path": "../outside.txt"},
    {"path": "src/../notes.txt"},
    {"path": "/etc/passwd"},
    {"paths": ["src/**/*.py", "notes.txt"]},
    {"paths": ["src/*.nothing"]},
]
SEARCHES = [
    {"pattern": "two|pass"},
    {"pattern": "line 3999[0-9] ", "path": "long.log"},
    {"pattern": "name", "path": "table.csv"},
    {"pattern": "print", "glob": "*.py", "around": 1},
    {"pattern": "run", "only": "files"},
    {"pattern": "nowhere"},
]


def outcome(reader, params):
    """What a read finds, but for what differs between two stores: times, revisions and what these cost."""
    reply = reader.reply(params)
    data = json.loads(json.dumps(reply.data))
    for part in [data, *data.get("files", [])]:
        part.pop("revision", None)
        part.pop("mtime_ms", None)
        part.pop("tokens", None)
        if part.get("kind") == "directory":
            part.pop("size", None)
    return reply.text.split("| rev")[0] if "paths" not in params else None, data


def matches(reader, params):
    """What a search finds, but for its header, which tells what it cost."""
    reply = reader.search_reply(params)
    return [line for line in reply.text.split("\n") if not line.startswith("[")], reply.data["count"]


def all_outcomes(reader):
    """The outcome of every call; lazy ones, which know more after the others, come first."""
    reads = sorted(READS, key=lambda params: params.get("total") != "lazy")
    return [
        *((params, outcome(reader, params)) for params in reads),
        *((each, matches(reader, each)) for each in SEARCHES),
    ]
