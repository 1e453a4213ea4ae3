"""What the tests share: short tasks, and the program whose results must be the same."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import burgess

ROOT = Path(__file__).resolve().parents[2]

Program = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def program() -> Program:
    """The command line, which returns its JSON."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    path = Path(os.environ.get("BURGESS", target / "debug" / "burgess"))
    if not path.exists():
        if os.environ.get("CI"):
            pytest.fail(f"there is no program at {path}")
        pytest.skip(f"there is no program at {path}: build it with `cargo build`, or set BURGESS")

    def run(*arguments: str) -> dict[str, Any]:
        done = subprocess.run([str(path), *arguments, "--json"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture(scope="session")
def short() -> burgess.Task:
    """A walk of one second."""
    return burgess.Task("walk").replace(settle=0.5, duration=1, transient=0.2, trials={"count": 1})
