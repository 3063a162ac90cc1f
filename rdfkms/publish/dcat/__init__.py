"""The dataset as a whole: statistics, description (VoID, DCAT-AP), dumps."""
