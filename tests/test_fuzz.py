"""Some seconds of tools/fuzz; `make fuzz` runs it for longer."""

import importlib.util
from pathlib import Path

import pytest

FILE = Path(__file__).resolve().parents[1] / "tools" / "fuzz" / "__main__.py"
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


N_FILES = {"model": 400, "json": 400, "rules": 400, "study": 30, "ledger": 60}


@pytest.mark.parametrize("name", N_FILES)
def test_files_made_to_do_harm_are_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(FILE.parent))
    spec = importlib.util.spec_from_file_location("fuzz", FILE)
    fuzz = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fuzz)
    monkeypatch.setattr(fuzz, "KEPT", tmp_path)
    counts, faults = fuzz.fuzz(name, fuzz.make_targets([name])[name], n_files=N_FILES[name], seed=1)
    assert faults == []
    assert counts["refused"] > 10
