"""The one door in: structure, pointer, shapes, verification, conflicts (DESIGN law 2)."""
