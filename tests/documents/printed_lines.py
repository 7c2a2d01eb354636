"""A reader of PDFs line by line as they are printed: what tests count that write a page a line at a time."""

from functools import partial

import readwell

Reader = partial(readwell.Reader, pdf_lines="printed")
