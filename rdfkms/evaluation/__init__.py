"""Measures what the product does on corpora with gold, by the measures of the field."""
