"""`python -m rdfkms` is `rdfkms`."""

from rdfkms.cli import main

main()
