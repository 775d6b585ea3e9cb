"""told: what a study found -> the plain data of result.py; one file for each kind of thing."""
