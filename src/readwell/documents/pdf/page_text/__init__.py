"""The text of a PDF page as Markdown: its order, paragraphs, lists, code, links, notices."""
