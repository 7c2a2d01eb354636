"""The headings of a PDF page and their levels."""
