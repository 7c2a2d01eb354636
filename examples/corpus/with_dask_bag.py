"""Documents as a Dask bag: a row each, ready for `.to_dataframe()` or `.to_textfiles()`.

usage: python with_dask_bag.py FOLDER
"""

import sys

import dask.bag
from distributed import Client

from readwell.corpus import convert, find_sources


def row(path: str) -> dict[str, object]:
    found = convert(path)
    return {"id": found.id, "source": path, "text": found.text, "error": found.error and found.error.code}


def main(folder: str) -> list[dict[str, object]]:
    with Client(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0"):
        return dask.bag.from_sequence(find_sources(folder), npartitions=4).map(row).compute()


if __name__ == "__main__":
    for each in main(sys.argv[1]):
        print(each["source"], each["error"] or len(str(each["text"])))
