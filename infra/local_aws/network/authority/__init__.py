"""A tax authority on one machine, for corner 5: a process of its own that takes, judges, answers and keeps Tax Data Documents."""
