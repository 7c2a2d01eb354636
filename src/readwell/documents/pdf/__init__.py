"""PDF pages become Markdown: words, rulings, regions, structure, headings, page."""
