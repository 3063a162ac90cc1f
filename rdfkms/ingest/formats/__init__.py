"""One module per kind of source: pictures, PDF, text."""
