"""All made documents but PDF: each a name and what makes the content."""

from corpus import docx_writer, epub_writer, odt_writer, pptx_writer, sheet_writer

OFFICE = [
    *docx_writer.FILES,
    *pptx_writer.FILES,
    *sheet_writer.FILES,
    *odt_writer.FILES,
    *epub_writer.FILES,
]
