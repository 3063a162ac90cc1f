"""Blueprints by topic; each module has one `blueprint`."""
