"""program: a fitted model as a short list of steps that any language can do.   In: a model's state.   Out: a scoring
program, plain values that JSON holds; formats write it as JSON, Python, C and SQL.

    steps.py       what a program is, and the steps it is made of
    build.py       each kind of model as a program, once
    runtime.py     a program run, in plain Python: what the Python export carries along
    test_rows.py   rows that try every leaf they can, with the model's answers
    check.py       a program that came from a file, checked before it is run
"""
