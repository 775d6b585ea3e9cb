"""The release tool's own parts; `make release` runs the rest of it."""

import importlib.util
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import hedgerow

CHECKOUT = Path(__file__).resolve().parents[1]


@pytest.fixture
def release() -> Any:
    spec = importlib.util.spec_from_file_location("release", CHECKOUT / "tools" / "release.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_version_stands_in_one_place() -> None:
    text = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
    version = tomllib.loads(text)["project"]["version"]
    assert hedgerow.__version__ == version
    others = [
        CHECKOUT / "CMakeLists.txt",
        CHECKOUT / "docs" / "conf.py",
        CHECKOUT / "src" / "hedgerow" / "__init__.py",
    ]
    assert [file.name for file in others if version in file.read_text(encoding="utf-8")] == []


def test_which_wheel_a_python_takes(release: Any) -> None:
    tags = [release.Python("", *kind).tag for kind in (((3, 11), False), ((3, 13), False), ((3, 13), True))]
    assert tags == ["cp311-cp311-", "cp312-abi3-", "cp313-cp313t-"]


def test_it_finds_this_python_and_refuses_what_is_none(release: Any) -> None:
    (found,) = release.find_pythons([sys.executable])
    assert found.version == sys.version_info[:2]
    with pytest.raises(SystemExit, match="no Python that runs here"):
        release.find_pythons(["no-such-python"])


def test_unreleased_changes_get_their_version_once(
    release: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "CHECKOUT", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n## Unreleased\n\n- a thing\n", encoding="utf-8")
    assert "commit it" in release.write_changelog("1.2.0")
    text = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"## Unreleased\n\n## 1\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n- a thing", text)
    assert "already" in release.write_changelog("1.2.0")
    assert (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8") == text
