"""What is on a PDF page, read with PDFium: words, lines, drawn rules, links, form fields, images."""
