"""A run whose shards are closed often, in a process to be killed.

usage: python slow_run.py FOLDER OUT FORMAT AUDIT
"""

import sys

from readwell import __version__
from readwell.corpus import Options, find_sources
from readwell.dataset import Job, run_job


def main(folder, out, shard_format, audit):
    sources = find_sources(folder)
    targets = {source: f"{source.removeprefix(folder).strip('/')}.md" for source in sources}
    options = Options(audit=audit)
    job = Job(
        sources, out, shard_format, version=__version__, options=options, resume=True, targets=targets, max_seconds=0.05
    )
    summary = run_job(job, lambda: (None, 2), lambda _: None)
    print(summary.converted, summary.failed)


if __name__ == "__main__":
    main(*sys.argv[1:])
