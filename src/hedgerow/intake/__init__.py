"""intake: a file or a name -> the rows, the columns and the target that take part; what was left out, and why.

scikit-learn is not loaded here: `hedgerow fit` reads by the same path and is quick.
"""
