"""A reader of datatrove that converts documents while a pipeline runs.

usage: python with_datatrove.py FOLDER OUT
"""

import sys

from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.writers import JsonlWriter

from readwell.corpus import convert, find_sources


class DocumentReader(PipelineStep):
    """Yields the documents of a folder; each task of a pipeline takes its share of them."""

    type = "📖 - READER"
    name = "readwell"

    def __init__(self, folder: str) -> None:
        super().__init__()
        self.folder = folder

    def run(self, data=None, rank: int = 0, world_size: int = 1):
        yield from data or ()
        for path in find_sources(self.folder)[rank::world_size]:
            found = convert(path)
            if found.error:
                self.stat_update(found.error.code)
            else:
                yield Document(text=found.text, id=found.id, metadata={"source": path, "format": found.format})


if __name__ == "__main__":
    steps = [DocumentReader(sys.argv[1]), JsonlWriter(sys.argv[2], compression=None)]
    LocalPipelineExecutor(pipeline=steps, tasks=2, workers=2, logging_dir=f"{sys.argv[2]}/logs").run()
