"""The examples of the documents run, with small budgets."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

# What makes the examples quick, and opens no browser.
BUDGETS = {
    ".show()": ".show(port=0, browser=False).close()",
    "evaluations=400": "evaluations=12",
    "range(40)": "range(12)",
    "range(30)": "range(2)",
    "range(20)": "range(2)",
    "not search.stop()": "search.countiter < 1",
}


def indented_blocks(file: Path) -> list[str]:
    """Returns the indented blocks of code of a document."""
    blocks: list[str] = []
    is_code = False
    for line in file.read_text().splitlines():
        if line.startswith("    "):
            if not is_code:
                blocks.append("")
            blocks[-1] += line[4:] + "\n"
            is_code = True
        elif line:
            is_code = False
    return blocks


def scene_with_two_actuators() -> str:
    """Returns an example of a scene file."""
    examples = (ROOT / "docs/scene-files.md").read_text().split("```toml\n")
    return next(text.split("```")[0] for text in examples if text.startswith('name = "actuators"'))


@pytest.mark.parametrize("name", ["docs/python.md", "python/README.md"])
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    names: dict[str, Any] = {"text": scene_with_two_actuators()}
    seen = 0
    for block in indented_blocks(ROOT / name):
        if block.startswith("python3 "):
            continue
        for usual, small in BUDGETS.items():
            block = block.replace(usual, small)
        exec(compile(ast.parse(block), name, "exec"), names)
        seen += 1
    assert seen >= 1
