"""Where the tables of a PDF page are: regions by rules or whitespace, and those that are none rejected."""
