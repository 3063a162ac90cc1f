"""The SPARQL 1.1 protocols over HTTP; they know a `publish.dataset.Dataset` and no archive."""
