"""The access point on one machine: local AWS services, the functions' own binaries, every event source."""
