"""Descriptions of agents as EAC-CPF 2.0."""
