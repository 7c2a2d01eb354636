"""What get and put of the store cost with 100 and with 100,000 entries: `python benchmarks/store_cost.py`."""

import statistics
import sys
import tempfile
import time

from readwell.disk_store import Store

FEW, MANY, ROUNDS, CALLS = 100, 100_000, 15, 100
CONTENT = b"x" * 400


def seconds_of(store: Store, first: int, put: bool) -> float:
    began = time.process_time()
    for number in range(first, first + CALLS):
        if put:
            store.put(b"%d" % number, CONTENT)
        else:
            assert store.get(b"%d" % (number % FEW)) == CONTENT
    return time.process_time() - began


def measure(many: int = MANY) -> dict[str, float]:
    """Returns how many times as long each takes in the full store; rounds of both take turns."""
    with tempfile.TemporaryDirectory() as folder:
        stores = [Store(f"{folder}/{size}", b"1", 1 << 40) for size in (FEW, many)]
        for store, size in zip(stores, (FEW, many), strict=True):
            for number in range(size):
                store.put(b"%d" % number, CONTENT)
        took: dict[bool, list[list[float]]] = {True: [[], []], False: [[], []]}
        for _ in range(ROUNDS):
            for put in (True, False):
                for store, times in zip(stores, took[put], strict=True):
                    times.append(seconds_of(store, 0, put))  # the same entries again: neither store grows
    ratios = {put: statistics.median(times[1]) / statistics.median(times[0]) for put, times in took.items()}
    return {"put_ratio": ratios[True], "get_ratio": ratios[False]}


if __name__ == "__main__":
    print(measure(int(sys.argv[1]) if sys.argv[1:] else MANY))
