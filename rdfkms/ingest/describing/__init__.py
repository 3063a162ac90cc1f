"""Reading archival description: EAD, EAC-CPF and what else describes records and agents."""
