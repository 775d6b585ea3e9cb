"""told: what a study found -> the plain data of result/; one file for each kind of thing."""
