"""Descriptions out again: one finding aid or authority record as plain RiC-O 1.1 for exchange."""
