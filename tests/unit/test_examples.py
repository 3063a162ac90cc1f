"""The sample archive agrees with itself."""
