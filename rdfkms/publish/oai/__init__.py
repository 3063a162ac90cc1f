"""The archive as an OAI-PMH 2.0 data provider."""
