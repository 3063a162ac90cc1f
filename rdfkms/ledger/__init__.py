"""The one way to write: archive folder, journal, ledger, and the rows of work (DESIGN 5)."""
