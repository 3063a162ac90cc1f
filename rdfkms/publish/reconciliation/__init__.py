"""The Reconciliation Service API 0.2 over the public names of an archive.

Source: W3C Entity Reconciliation Community Group, "Reconciliation Service API v0.2" (2023). Names
are compared by `knowledge` (names, nameforms, variants, details), as at ingest; here stands only
what the protocol adds: queries, ranking for a client, suggestions, data extension, the manifest.
"""
