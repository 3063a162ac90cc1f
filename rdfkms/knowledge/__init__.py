"""From passages to statements: extraction, reconciliation, mapping, encoding, projection."""
