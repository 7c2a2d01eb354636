"""The cells of a table on a PDF page: the words of a region sorted into columns and rows."""
