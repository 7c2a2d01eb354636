"""Documents with Ray Data: files in, rows of Markdown out, in actors that keep their converter.

usage: python with_ray_data.py FOLDER [OUT]
"""

import sys

import ray

from readwell.corpus.ray import Converter


def rows(folder: str) -> ray.data.Dataset:
    files = ray.data.read_binary_files(folder, include_paths=True)
    return files.map_batches(Converter, concurrency=2, batch_size=16)


if __name__ == "__main__":
    ray.init(num_cpus=3, include_dashboard=False, logging_level="ERROR")
    found = rows(sys.argv[1])
    if len(sys.argv) > 2:
        found.write_parquet(sys.argv[2])
    else:
        for row in found.iter_rows():
            print(row["source"], row["error"] or len(row["text"]))
