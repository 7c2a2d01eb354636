"""Where the tables of a PDF page are: regions by ruling lines or whitespace, and those that are none rejected."""
