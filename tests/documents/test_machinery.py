"""How documents are read a window at a time: lazily, kept, and always the same."""

import os
import time
from array import array

import pytest
from corpus.pdf_writer import Pdf  # the writer of the made documents

from readwell import (
    ChangedWhileReading,
    ConversionFailed,
    DeadlineExceeded,
    DocumentLocked,
    InvalidRequest,
    Reader,
    StartPastEnd,
)
