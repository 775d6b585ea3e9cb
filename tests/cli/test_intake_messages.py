"""Every message of intake, as the command says it: of options."""

from pathlib import Path

import pytest
from tests.cli.run import Runner
from tests.intake.test_messages import FRAME, MESSAGES


@pytest.mark.parametrize("name", MESSAGES)
def test_the_command_says_options(hedgerow: Runner, tmp_path: Path, name: str) -> None:
    options, _, command = MESSAGES[name]
    FRAME.write_parquet(tmp_path / "data.parquet")
    given = [
        word
        for key, value in options.items()
        for word in (f"--{key}", value if isinstance(value, str) else ",".join(value))
    ]
    code, _, err = hedgerow("study", "data.parquet", *given)
    assert code == 2
    assert command in err
