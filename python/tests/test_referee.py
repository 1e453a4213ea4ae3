"""The referee: MuJoCo moves the bodies."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from conftest import Program

import burgess
from burgess import referee


def test_mujoco_moves_the_body(short: burgess.Task) -> None:
    pytest.importorskip("mujoco")
    for creature in ("walker", "quadruped"):
        own = burgess.evaluate(creature, short)
        theirs = referee.mujoco(creature, short)
        assert theirs.outcome == "scored"
        # Both simulators agree on a walk of a second, but not to the last digit.
        assert 0.5 * own.fitness < theirs.fitness < 2.0 * own.fitness
        assert theirs.fitness != own.fitness
    assert referee.mujoco("walker", short).hash == referee.mujoco("walker", short).hash


def test_water_pushes_the_body() -> None:
    pytest.importorskip("mujoco")
    brief = burgess.Task("swim").replace(settle=0.2, duration=2, transient=0.2, trials={"count": 1})
    own, theirs = burgess.evaluate("swimmer", brief), referee.mujoco("swimmer", brief, substeps=2)
    assert own.fitness > 0
    assert theirs.fitness == pytest.approx(own.fitness, rel=0.3)


def test_the_report_is_json(capsys: pytest.CaptureFixture[str], tmp_path: Path, short: burgess.Task) -> None:
    pytest.importorskip("mujoco")
    (tmp_path / "short.toml").write_text(short.to_toml())
    assert referee.main(["walker", "--task", str(tmp_path / "short.toml")]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["own_fitness"] == burgess.evaluate("walker", short).fitness
    assert report["fraction"] == report["fitness"] / report["own_fitness"]
    assert referee.main(["nobody"]) == 2
    assert "there is no" in capsys.readouterr().err
    with pytest.raises(ValueError, match="substeps"):
        referee.mujoco("walker", substeps=0)
    with pytest.raises(ValueError, match="two creatures"):
        referee.mujoco("walker", "sumo")


def test_verify_asks_the_referee(program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    monkeypatch.setenv("BURGESS_PYTHON", sys.executable)
    (tmp_path / "short.toml").write_text(burgess.Task("walk").replace(settle=0.5, duration=1, transient=0.2).to_toml())
    quick = ("--draws", "1", "--trials", "1", "--fine", "1", "--task", str(tmp_path / "short.toml"))
    report = program("verify", "quadruped", "--referee", "mujoco", *quick)
    assert report["referee"]["own_fitness"] == report["fitness"]
    assert 0 < report["referee"]["fraction"] < 2
