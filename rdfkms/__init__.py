"""rdfkms: an evidence-centric knowledge system for archives (see docs/architecture.md)."""

__version__ = "0.1.0"
