"""hedgerow: learning to separate."""
