"""What is on a PDF page, read with PDFium: words, lines, drawn ruling lines, links, form fields, images."""
