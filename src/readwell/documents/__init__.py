"""Files that are read by converting them: which ones, and by what."""

from .convert import Converter, convert
from .recognise import recognise

__all__ = ["Converter", "convert", "recognise"]
