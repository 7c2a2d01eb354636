"""An S3 server for measurements: a large object, a folder of many keys; `/counted` tells what was asked of it.

Prints its address. Usage: remote_store.py MEGABYTES KEYS
"""

import json
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "remote"))
from scripted_server import Handler, serving

LINE = b"2026-11-16 12:00:00 INFO worker-%04d finished a request of some length in 0.%03d s\n"
PAGE = 1000


def main() -> None:
    megabytes, keys = map(int, sys.argv[1:])
    block = b"".join(LINE % (number % 10_000, number % 1000) for number in range(13_000))[: 1 << 20]
    names = sorted(f"key-{number:06}.txt" for number in range(keys))
    pages = [_page(names, start) for start in range(0, keys, PAGE)]
    with serving() as server:
        server.objects = {"/bucket/big.log": block * megabytes}
        server.tags = {"/bucket/big.log": '"big"'}

        def special(handler: Handler, _number: int) -> bool:
            query = parse_qs(urlsplit(handler.path).query)
            if handler.path == "/counted":
                server.seen.pop()
                handler.answer(200, json.dumps(server.requests()).encode())
            elif query.get("prefix") == ["many/"]:
                handler.answer(200, pages[int(query.get("continuation-token", ["0"])[0])])
            else:
                return False
            return True

        server.fault = special  # pyright: ignore[reportAttributeAccessIssue]
        print(server.url, flush=True)
        sys.stdin.read()


def _page(names: list[str], start: int) -> bytes:
    more = start + PAGE < len(names)
    rows = "".join(
        f"<Contents><Key>many/{name}</Key><LastModified>2026-11-16T12:00:00.000Z</LastModified>"
        f"<ETag>&quot;d41d8cd98f00b204e9800998ecf8427e&quot;</ETag><Size>12345</Size>"
        f"<StorageClass>STANDARD</StorageClass></Contents>"
        for name in names[start : start + PAGE]
    )
    token = f"<NextContinuationToken>{start // PAGE + 1}</NextContinuationToken>" if more else ""
    return f"<ListBucketResult><IsTruncated>{str(more).lower()}</IsTruncated>{token}{rows}</ListBucketResult>".encode()


if __name__ == "__main__":
    main()
