"""The weak learners, one file each."""
