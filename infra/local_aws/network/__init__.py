"""A Peppol network on one machine: its certificates, DNS, SML and Directory, and access points in it."""
