"""Documents over the futures of a Dask cluster, each as it is finished.

usage: python with_dask_futures.py FOLDER [tcp://SCHEDULER:8786]
"""

import sys
from collections.abc import Iterator

from distributed import Client

from readwell.corpus import Converted, convert_many, find_sources


def converted(folder: str, address: str | None = None) -> Iterator[Converted]:
    with (
        Client(address)
        if address
        else Client(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as client
    ):
        workers = sum(client.nthreads().values())
        yield from convert_many(find_sources(folder), executor=client.get_executor(), workers=workers)


if __name__ == "__main__":
    for each in converted(*sys.argv[1:]):
        print(each.source, each.error.code if each.error else len(each.text))
