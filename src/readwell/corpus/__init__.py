"""Documents as values: one or many, in this process or in those of an engine such as Dask or Ray."""

from .convert import convert
from .converted import Converted, Failure, Unit
from .many import EngineLost, convert_many
from .options import Options
from .sources import find_sources

__all__ = ["Converted", "EngineLost", "Failure", "Options", "Unit", "convert", "convert_many", "find_sources"]
