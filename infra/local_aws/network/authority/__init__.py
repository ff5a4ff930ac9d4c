"""A tax authority (corner 5) on one machine. This process receives, validates, answers and stores Tax Data Documents."""
