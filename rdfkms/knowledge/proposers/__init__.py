"""Proposers: each reads one unit and proposes candidates that quote it (DESIGN law 4)."""
