"""What the end-to-end tests share: the running service, a client, bodies, tenants, waiting."""
