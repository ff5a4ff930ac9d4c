"""Common parts of the end-to-end tests: the running service, a client, bodies, tenants, waiting."""
