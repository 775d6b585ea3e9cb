"""py.typed is part of the package, and code as users write it passes mypy and pyright, strictly."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hedgerow

SAMPLE = Path(__file__).parent / "typing" / "user_code.py"
pytestmark = pytest.mark.slow


def checked(command: list[str], folder: Path) -> str:
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(hedgerow.__file__).parent / "py.typed").is_file()


def test_mypy_has_nothing_to_say(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\n")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), str(SAMPLE)]
    assert "Success" in checked(command, tmp_path)


def test_pyright_has_nothing_to_say(tmp_path: Path) -> None:
    # basedpyright is pyright with its own Node: the package called pyright loads both when it runs first.
    pyright = shutil.which("basedpyright", path=str(Path(sys.executable).parent))
    if pyright is None:
        pytest.skip("no basedpyright here")
    command = [pyright, "--level", "error", "--pythonpath", sys.executable, str(SAMPLE)]
    assert "0 errors" in checked(command, tmp_path)
