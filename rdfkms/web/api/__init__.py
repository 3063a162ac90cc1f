"""The JSON API: a table of endpoints, from which both the routes and the OpenAPI document come."""
