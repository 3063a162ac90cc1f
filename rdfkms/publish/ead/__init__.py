"""Descriptions out again: finding aids in Encoded Archival Description, EAD 2002 and EAD3."""
