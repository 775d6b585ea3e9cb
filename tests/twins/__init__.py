"""Slow twins: what each native kernel answers, in a few lines of NumPy that follow the definition and nothing else."""
