"""Composition root: the only importer of backends. Opens archives and wires the rooms."""
