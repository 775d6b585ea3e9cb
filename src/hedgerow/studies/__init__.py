"""studies: a table and a target -> an honest, explained choice of model.

result = hedgerow.study("titanic.csv", target="survived")     # a StudyResult, which prints itself
result = hedgerow.study(frame, "price", folder="prices")      # and a folder: report, model, predictions
"""
