"""Documents as values: one or many, in this process or in those of an engine such as Dask or Ray."""

from .conversion_options import Options
from .convert_in_batches import EngineLost, convert_many
from .convert_one import convert
from .converted import Converted, Failure, Unit
from .source_paths import find_sources

__all__ = ["Converted", "EngineLost", "Failure", "Options", "Unit", "convert", "convert_many", "find_sources"]
