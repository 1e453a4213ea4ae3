"""Wrong use raises exceptions that say what to do; nothing panics."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burgess

FAST = """
[simulation]
max_speed = 5.0

[[bodies]]
name = 'stone'
position = [0, 0, 1000]
shapes = [{ type = 'sphere', radius = 0.1 }]
"""


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: burgess.Simulation("wlker"), ValueError, "did you mean 'walker'"),
        (lambda: burgess.Simulation(3), TypeError, "expected a name, a path, a Creature or a Genome, found int"),
        (lambda: burgess.Simulation("missing.toml"), ValueError, "no such file"),
        (lambda: burgess.Simulation("stack", seed=1), ValueError, "task and seed are for creatures"),
        (lambda: burgess.Simulation("stack", paradigm="magic"), ValueError, "expected one of 'time-stepping'"),
        (lambda: burgess.Simulation("stack", step=-1.0), ValueError, "step must be more than 0 s"),
        (lambda: burgess.Simulation("stack", step=float("nan")), ValueError, "step must be more than 0 s"),
        (lambda: burgess.Simulation.from_toml("[[bodies]]\nname = 3"), ValueError, "scene:2"),
        (lambda: burgess.Simulation.from_model("<mujoco>"), ValueError, "model.xml"),
        (lambda: burgess.Simulation.from_model("", "step"), ValueError, "expected 'mjcf' or 'urdf'"),
        (lambda: burgess.Simulation("stack").run(float("nan")), ValueError, "finite and not negative"),
        (lambda: burgess.Simulation("stack").step(-1), OverflowError, "negative"),
        (lambda: burgess.Simulation("stack").set_state([1.0], [2.0]), ValueError, "expected an array of shape"),
        (lambda: burgess.Simulation("pendulum").set_state([0, np.nan], [0, 0]), ValueError, "number 1 is NaN"),
        (lambda: burgess.Simulation("pendulum").set_state("no", [0, 0]), TypeError, "expected an array of numbers"),
        (lambda: burgess.Simulation("stack").picture(0, 0), ValueError, "0"),
        (lambda: burgess.Genome.random("fish", seed=1), ValueError, "expected 'graph' or 'legged'"),
        (lambda: burgess.Genome.random(seed=-1), OverflowError, "negative"),
        (lambda: burgess.Genome("walker").recombine(burgess.Genome("quadruped"), seed=1), ValueError, "one family"),
        (lambda: burgess.Genome("walker").recombine(burgess.Genome("walker"), "x", seed=1), ValueError, "crossover"),
        (lambda: burgess.Genome("walker").mutate(seed=1, scale=float("nan")), ValueError, "scale must be finite"),
        (lambda: burgess.Genome("walker").with_control([1.0]), ValueError, "numbers, found an array of shape"),
        (lambda: burgess.Genome.from_bytes(b"rubbish"), ValueError, "bytes|genome"),
        (lambda: burgess.Creature("stack"), ValueError, "is a scene, expected a built-in creature"),
        (lambda: burgess.Task("wlk"), ValueError, "did you mean 'walk'"),
        (lambda: burgess.Task("walk").replace(duration=-1), ValueError, "duration"),
        (lambda: burgess.Task("walk").replace(colour="red"), ValueError, "colour"),
        (lambda: burgess.Task("walk").score({"speed": 1.0}), ValueError, "there is no measure 'speed'"),
        (lambda: burgess.evaluate(["walker"], "walk", seed=[1, 2]), ValueError, "expected one seed or 1 seeds"),
        (lambda: burgess.evaluate(["walker"], "walk", threads=0), ValueError, "threads must be from 1"),
        (lambda: burgess.Trial("walker", opponent="walker"), ValueError, "has no opponents"),
        (lambda: burgess.Trial("walker").step([0.0]), ValueError, "expected an array of shape"),
        (lambda: burgess.Trial("walker").score(), ValueError, "call reset"),
        (lambda: burgess.Trial("walker").score(3), IndexError, "there is no agent 3"),
        (lambda: burgess.Batch([]), ValueError, "at least one world"),
        (lambda: burgess.Batch([1]), TypeError, "of type Simulation or Trial, found int"),
        (lambda: burgess.Run("missing.burgess"), FileNotFoundError, "missing.burgess"),
        (lambda: burgess.evolve(), ValueError, "expected a task or a config"),
    ],
)
def test_wrong_arguments(call: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_use_after_close() -> None:
    simulation = burgess.Simulation("stack")
    simulation.close()
    simulation.close()
    assert simulation.closed
    for call in (simulation.step, simulation.snapshot, lambda: simulation.positions, simulation.picture):
        with pytest.raises(ValueError, match="this simulation is closed; create another one"):
            call()
    trial = burgess.Trial("walker")
    with trial:
        pass
    with pytest.raises(ValueError, match="this trial is closed"):
        trial.reset()
    other = burgess.Simulation("stack")
    batch = burgess.Batch([other])
    other.close()
    with pytest.raises(ValueError, match="this simulation is closed"):
        batch.step(np.zeros((1, 0)))
    batch.close()
    with pytest.raises(ValueError, match="this batch is closed"):
        batch.step(np.zeros((1, 0)))


def test_a_world_that_failed_says_so_until_it_is_reset() -> None:
    simulation = burgess.Simulation.from_toml(FAST)
    with pytest.raises(burgess.SimulationError, match=r"stone.*reset\(\) or restore"):
        simulation.run(2.0)
    with pytest.raises(burgess.SimulationError, match="has failed before"):
        simulation.step()
    simulation.reset()
    simulation.step()
    batch = burgess.Batch([simulation, burgess.Simulation("pendulum")], threads=1)
    _, _, terminated, _ = batch.step(np.zeros((2, 0)), repeat=400)
    assert terminated.tolist() == [True, False]
    assert list(batch.failures) == [0]
    # The other world goes on.
    batch.step(np.zeros((2, 0)))
    assert batch.failures[0].startswith("at ") or "stone" in batch.failures[0]
    batch.reset()
    assert batch.failures == {}


def test_use_from_two_threads_raises() -> None:
    simulation = burgess.Simulation("brick-wall")
    started, messages = threading.Event(), list[str]()

    def work() -> None:
        started.set()
        try:
            simulation.step(4000)
        except RuntimeError as error:
            messages.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    # Either thread may be the second one.
    while thread.is_alive() and not messages:
        try:
            simulation.state_hash  # noqa: B018
        except RuntimeError as error:
            messages.append(str(error))
    thread.join()
    assert messages
    assert "in use by another thread; give every thread its own simulation" in messages[0]
    # It still works.
    simulation.step()


def test_actions_that_are_not_finite_are_refused(short: burgess.Task) -> None:
    trial = burgess.Trial("walker", short)
    trial.reset(1)
    size = trial.action_sizes[0]
    with pytest.raises(ValueError, match="number 0 is NaN"):
        trial.step(np.full(size, np.nan))
    batch = burgess.Batch([trial], threads=1)
    actions = np.zeros((1, size))
    actions[0, 2] = np.inf
    with pytest.raises(ValueError, match=r"actions\[0, 2\] is inf"):
        batch.step(actions)
    with pytest.raises(ValueError, match="expected an array of shape"):
        batch.step(np.zeros((2, size)))
    with pytest.raises(ValueError, match="is also world 0"):
        burgess.Batch([trial, trial])
    # A trial in which nothing has started is terminated with a reason.
    fresh = burgess.Batch([burgess.Trial("walker", short)], threads=1)
    fresh.step(np.zeros((1, size)))
    assert "call reset() first" in fresh.failures[0]


@pytest.mark.parametrize(
    "call",
    ["burgess.Simulation('stack').run(1e9)", "burgess.evaluate(['walker'] * 100000, 'walk')"],
)
def test_control_c_interrupts(call: str) -> None:
    # A shell lets programs in the background ignore the signal, and Python then leaves it so.
    handler = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{handler}\nimport burgess\nprint('ready', flush=True)\n{call}"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        child.send_signal(signal.SIGINT)
        try:
            _, errors = child.communicate(timeout=60)
        finally:
            child.kill()
    assert "KeyboardInterrupt" in errors
