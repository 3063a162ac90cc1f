"""From files to evidence units: accession, reading, layout, segmentation (issue part 4)."""
