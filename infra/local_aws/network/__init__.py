"""A Peppol network on one machine: certificates, DNS, SML, Directory and access points."""
