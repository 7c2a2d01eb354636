"""Pages of a PDF that are images: told apart, cleaned, recognised by an engine, laid out as printed pages."""
