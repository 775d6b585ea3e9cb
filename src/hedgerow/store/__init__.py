"""store: the state of a fitted model <-> one `.hedgerow` file. No pickle, no names to import, no code in the file.

    state = load_state("titanic.hedgerow")    # its body, columns and classes, without loading scikit-learn
    predict_state(state, table)               # predictions from it

docs/model_format.md describes the file. `hedgerow.save` and `hedgerow.load` of estimators are in estimators/saving.py.
"""

from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.file import load_state, save_state
from hedgerow.store.kind import describe_state, predict_state
from hedgerow.store.state import ModelState

__all__ = ["InvalidModelFile", "ModelState", "describe_state", "load_state", "predict_state", "save_state"]
