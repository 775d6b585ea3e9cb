"""ensemble: many Trees that decide together."""
