"""curves: what an Evaluation shows beyond its scores; learning, validation and bias-variance curves."""
