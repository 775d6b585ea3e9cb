"""summarize: what a study found -> the records of its result; one file for each kind of thing."""
