"""Facts of a whole PDF that each page needs: fonts, running lines, page numbers, bookmark titles."""
