"""Simulations: the bits of the command line, arrays, physics, files."""

from __future__ import annotations

from pathlib import Path
from urllib.request import urlopen

import numpy as np
import pytest
from conftest import Program

import burgess

WHEEL = """
gravity = [0, 0, 0]
actuators = [{ name = 'drive', joint = 'wheel', gear = 2, control_range = [-1, 1] }]
sensors = [{ name = 'speed', type = 'joint_velocity', joint = 'wheel' }]

[[bodies]]
name = 'wheel'
mass = 1
inertia = [0.5, 0.5, 0.5]
joint = { type = 'revolute', axis = [0, 0, 1] }
"""

BOX = """
[[bodies]]
name = 'ground'
fixed = true
shapes = [{ type = 'half_space' }]

[[bodies]]
name = 'box'
position = [0, 0, 0.5]
shapes = [{ type = 'box', size = [1, 1, 1], density = 100 }]
"""


@pytest.mark.parametrize(
    ("what", "seconds"), [("walker", 3.0), ("quadruped", 3.0), ("pendulum", 2.0), ("stack", 1.0), ("bowling", 0.5)]
)
def test_the_hash_is_that_of_the_command_line(program: Program, what: str, seconds: float) -> None:
    expected = program("simulate", what, "--seconds", str(seconds))
    with burgess.Simulation(what) as simulation:
        initial = simulation.energies["total"]
        simulation.run(seconds)
        assert simulation.state_hash == expected["state_hash"]
        assert simulation.steps == expected["steps"]
        assert initial == expected["energy_initial"]
        assert simulation.energies["total"] == expected["energy_final"]


def test_options_are_those_of_the_command_line(program: Program) -> None:
    arguments = ("--seconds", "0.5", "--step", "0.001", "--paradigm", "impulse")
    expected = program("simulate", "bouncing-balls", *arguments)
    simulation = burgess.Simulation("bouncing-balls", step=0.001, paradigm="impulse")
    simulation.run(0.5)
    assert simulation.state_hash == expected["state_hash"]
    expected = program("simulate", "walker", "--task", "rough-terrain", "--seed", "5", "--seconds", "2.5")
    simulation = burgess.Simulation("walker", task="rough-terrain", seed=5)
    simulation.run(2.5)
    assert simulation.state_hash == expected["state_hash"]


def test_positions_and_velocities_follow_the_simulation() -> None:
    simulation = burgess.Simulation("pendulum")
    positions, velocities = simulation.positions, simulation.velocities
    before = positions.copy()
    simulation.step(10)
    assert np.shares_memory(positions, simulation.positions)
    assert np.shares_memory(velocities, simulation.velocities)
    assert not np.array_equal(before, positions)
    assert velocities.any()
    simulation.reset()
    assert np.array_equal(before, positions)
    with pytest.raises(ValueError, match="read-only"):
        positions[0] = 1.0


def test_a_snapshot_continues_with_the_same_bits() -> None:
    simulation = burgess.Simulation("walker")
    simulation.run(2.5)
    snapshot = simulation.snapshot()
    simulation.step(200)
    expected = simulation.state_hash
    simulation.restore(snapshot)
    assert simulation.time == snapshot.time
    simulation.step(200)
    assert simulation.state_hash == expected
    other = burgess.Simulation("walker")
    other.restore(snapshot)
    other.step(200)
    assert other.state_hash == expected
    with pytest.raises(ValueError, match="it was taken of another one"):
        burgess.Simulation("pendulum").restore(snapshot)


def test_a_motor_turns_a_wheel_as_in_the_closed_form() -> None:
    simulation = burgess.Simulation.from_toml(WHEEL)
    assert simulation.actuators == ["drive"]
    assert simulation.sensor_ranges == {"speed": (0, 1)}
    simulation.controls = [3.0]
    assert simulation.controls.tolist() == [1.0]
    simulation.run(1.0)
    # A torque of 2 N m on 0.5 kg m^2 for a second.
    assert simulation.velocities[0] == pytest.approx(4.0, abs=1e-9)
    assert simulation.sensors[0] == simulation.velocities[0]
    assert simulation.energies["kinetic"] == pytest.approx(4.0, abs=1e-9)
    simulation.set_state([0.5], [-1.0])
    assert simulation.positions[0] == 0.5
    simulation.run(2.0)
    assert simulation.velocities[0] == pytest.approx(3.0, abs=1e-9)


def test_contacts_carry_the_weight_of_a_box() -> None:
    simulation = burgess.Simulation.from_toml(BOX)
    assert len(simulation.contacts["distances"]) == 0
    simulation.run(0.5)
    contacts = simulation.contacts
    count = len(contacts["distances"])
    assert count >= 3
    assert contacts["points"].shape == contacts["normals"].shape == contacts["forces"].shape == (count, 3)
    names = {tuple(sorted(simulation.bodies[body] for body in pair)) for pair in contacts["bodies"].tolist()}
    assert names == {("box", "ground")}
    # 100 kg in gravity of 9.81 m/s^2. The solver's tolerance is far below a thousandth.
    assert np.abs(contacts["forces"].sum(axis=0)[2]) == pytest.approx(981.0, rel=1e-3)
    assert simulation.body_positions.shape == (2, 3)
    assert simulation.body_positions[1, 2] == pytest.approx(0.5, abs=1e-3)
    assert np.linalg.norm(simulation.body_orientations, axis=1) == pytest.approx(1.0)


def test_a_push_changes_the_momentum() -> None:
    simulation = burgess.Simulation.from_toml(BOX.replace("0, 0, 0.5", "0, 0, 5"))
    simulation.push("box", [100.0, 0.0, 0.0])
    simulation.step()
    before = simulation.body_positions[1, 0]
    simulation.step()
    # 100 N s on 100 kg.
    assert simulation.body_positions[1, 0] - before == pytest.approx(simulation.step_length, rel=1e-6)
    with pytest.raises(ValueError, match="there is no body 'bx'"):
        simulation.push("bx", [0, 0, 0])
    with pytest.raises(ValueError, match="fixed"):
        simulation.push("ground", [0, 0, 0])


def test_recordings_and_pictures(tmp_path: Path) -> None:
    simulation = burgess.Simulation("pendulum")
    simulation.record(tmp_path / "motion.bur", rate=30)
    with pytest.raises(ValueError, match="in progress"):
        simulation.record(tmp_path / "other.bur")
    simulation.run(1.0)
    assert simulation.stop_recording() in (30, 31)
    assert (tmp_path / "motion.bur").stat().st_size > 100
    with pytest.raises(ValueError, match="no recording"):
        simulation.stop_recording()
    assert simulation._repr_svg_().startswith("<svg")  # pyright: ignore[reportPrivateUsage]
    assert 'width="320"' in simulation.picture(320, 200)


def test_models_are_imported_and_exported() -> None:
    exported = burgess.Simulation("pendulum").to_mjcf()
    assert "<mujoco" in exported
    simulation = burgess.Simulation.from_model(exported)
    simulation.run(0.1)
    assert len(simulation.positions) == 2
    again = burgess.Simulation.from_toml(burgess.Simulation("stack").to_toml())
    again.run(0.2)
    other = burgess.Simulation("stack")
    other.run(0.2)
    assert again.state_hash == other.state_hash


def test_the_viewer_shows_this_world() -> None:
    simulation = burgess.Simulation("walker")
    simulation.run(3)
    with simulation.show(port=0, browser=False) as viewer:
        assert "/stage/" in viewer.url
        page, _, _ = viewer.url.partition("#")
        with urlopen(f"{page}api/sessions") as answer:
            text = answer.read().decode()
        assert '"walker"' in text
    with burgess.Simulation.from_toml(BOX).show(port=0, browser=False) as viewer:
        assert viewer.url.startswith("http://127.0.0.1:")


def test_lists() -> None:
    assert "pendulum" in burgess.scenes() and "park" in burgess.scenes()
    assert "walker" in burgess.creatures()
    assert "walk" in burgess.tasks()
    assert ("forward", "m") in [(name, unit) for name, unit, _ in burgess.measures()]
