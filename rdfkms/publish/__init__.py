"""What leaves the archive: pages as values, linked data, the SPARQL service, pictures."""
