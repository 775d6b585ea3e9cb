"""The steps of a scoring program in ONNX.   In: the Program.   Out: a ModelProto; everything computed in float64.

graph.py     nodes and constants as they are added
model.py     inputs, steps, outputs, and what the file says about itself
cell_tests.pytests of cells: whether each goes first, for all rows and many tests at once
trees.py     trees: the TreeEnsemble operator, or paths where a missing cell goes down every branch
dates.py     parts of dates
steps.py     the other steps, in plain operators
"""
