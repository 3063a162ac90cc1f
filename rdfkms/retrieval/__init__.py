"""Finding: passages by words and by meaning, things by name, always back to citable places."""
