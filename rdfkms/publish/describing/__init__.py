"""What exports of descriptions share: the claims of a file, its markup, XML that is written."""
