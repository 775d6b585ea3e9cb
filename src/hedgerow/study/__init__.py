"""study: a table and a target -> an honest, explained choice of model."""
