"""curves: what an Evaluation shows beyond its scores, one file each; learning, validation and bias-variance curves."""
