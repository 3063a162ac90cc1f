"""Descriptions as tables, by the same columns by which tables are read."""
