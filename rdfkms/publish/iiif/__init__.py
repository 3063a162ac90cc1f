"""IIIF: pictures by region and size, manifests, annotations, search, changes (DESIGN 4, laws 8)."""
