"""Random records, and a count of them that shares no code with the report."""

import json
import random
from collections import Counter, defaultdict

CALLERS = (None, "planner", "reviewer")
FAILURES = {"NotFound": "NOT_FOUND", "denied": "ACCESS_DENIED", "BinaryFile": "BINARY_FILE"}
"""Failures and their codes."""


def random_records(seed, calls=400, files=12, root="/project"):
    """Returns records as dictionaries: reads, searches, listings, failures, files that change."""
    rng = random.Random(seed)
    totals = {f"src/{'ab'[number % 2]}/file{number}.py": rng.randint(1, 120) for number in range(files)}
    revisions = dict.fromkeys(totals, 0)
    return [_record(rng, number, totals, revisions, root) for number in range(calls)]


def _record(rng, number, totals, revisions, root):
    path = rng.choice(list(totals))
    total = totals[path]
    first = rng.randint(1, total)
    last = rng.randint(first, min(total, first + rng.choice([0, 5, 200])))
    if rng.random() < 0.1:
        first, last = 1, total
    if rng.random() < 0.03:
        revisions[path] += 1
    record = {
        "time": f"2026-05-04T09:{number // 60 % 60:02d}:{number % 60:02d}.{rng.randint(0, 999):03d}Z",
        "dialect": "native", "path": path, "opened": f"{root}/{path}", "range": [first, last], "bytes": 30 * (last - first),
        "verdict": "read", "rule": None, "ms": rng.randint(1, 9000) / 1000, "tool": "read", "kind": "file",
        "revision": f"{path}@{revisions[path]}", "total": total, "tokens": rng.randint(1, 3000),
    }  # fmt: skip
    caller = rng.choice(CALLERS)
    if caller:
        record["caller"] = caller
    kind = rng.random()
    if kind < 0.15:
        record |= {"verdict": rng.choice([*FAILURES]), "opened": None, "range": None, "bytes": 0, "tokens": 0}
        record["path"] = rng.choice(["missing.py", ".env", path])
        for name in ("kind", "revision", "total"):
            del record[name]
    elif kind < 0.3:
        lines = sorted(rng.sample(range(1, total + 1), min(total, rng.randint(1, 4))))
        record |= {"verdict": "searched", "tool": "search", "path": "src", "opened": None, "range": None}
        record["found"] = [
            {"path": f"{root}/{path}", "matches": len(lines), "ranges": [[line, line] for line in lines]}
        ]
        if rng.random() < 0.5:  # an earlier version told neither
            record["found"][0] |= {"kind": "file", "revision": record["revision"]}
        if rng.random() < 0.2:  # only the name was shown
            record["found"][0]["ranges"] = []
        for name in ("kind", "revision", "total"):
            del record[name]
    elif kind < 0.35:
        record |= {
            "path": "src",
            "opened": f"{root}/src",
            "kind": "directory",
            "revision": "d",
            "range": [1, 2],
            "total": 2,
        }
    return record


def write_records(records, path):
    """Writes records as a file of `--audit`."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def expected_report(records, root="/project"):
    """Counts records line by line, as slowly and plainly as possible; returns what the JSON report must say."""
    times, calls, tokens, totals = defaultdict(Counter), Counter(), Counter(), {}
    repeated, seen, revisions = [0, 0], {}, {}
    for record in records:
        name = (record["opened"] or "").removeprefix(f"{root}/")
        caller = record.get("caller")
        for each in record.get("found", []):
            found = each["path"].removeprefix(f"{root}/")
            if not each["ranges"]:
                continue
            if revisions.setdefault(found, each.get("revision")) != each.get("revision", revisions[found]):
                revisions[found], totals[found] = each["revision"], None
            calls[found] += 1
            for first, last in each["ranges"]:
                times[found].update(range(first, last + 1))
        if record["verdict"] != "read":
            continue
        lines = set(range(record["range"][0], record["range"][1] + 1))
        revision, known = seen.get((caller, name), (None, set()))
        known = known if revision == record["revision"] else set()
        if lines <= known:
            repeated[0] += 1
            repeated[1] += record["tokens"]
        seen[caller, name] = (record["revision"], known | lines)
        if record["kind"] == "directory":
            continue
        times[name].update(lines)
        calls[name] += 1
        tokens[name] += record["tokens"]
        totals[name], revisions[name] = record["total"], record["revision"]
    failures = Counter(FAILURES[record["verdict"]] for record in records if record["verdict"] in FAILURES)
    return {
        "calls": len(records),
        "files": len(times),
        "tokens": sum(record["tokens"] for record in records),
        "failures": dict(failures),
        "repeated": {"calls": repeated[0], "tokens": repeated[1]},
        "by_file": {
            name: {"path": name, "calls": calls[name], "lines_read": len(times[name]), "lines": totals.get(name), "tokens": tokens[name]}
            for name in times
        },
        "times": {name: dict(sorted(each.items())) for name, each in times.items()},
    }  # fmt: skip
