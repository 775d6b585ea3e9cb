"""store: a fitted model <-> one `.hedgerow` file. No pickle, no names to import, no code in the file.

save(model, "titanic.hedgerow")
model = load("titanic.hedgerow")        # an estimator, as it was saved
parts = load_parts("titanic.hedgerow")  # its body, columns and classes, without loading scikit-learn
"""

from hedgerow.store.damage import ModelFileError
from hedgerow.store.parts import Parts
from hedgerow.store.store import load, load_parts, save, save_parts

__all__ = ["ModelFileError", "Parts", "load", "load_parts", "save", "save_parts"]
