"""Records in Contexts as external EDM records of Europeana, and as Dublin Core."""
