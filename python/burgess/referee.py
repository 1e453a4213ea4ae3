"""Evaluation of creatures while MuJoCo moves their bodies.

The body is exported as MJCF and loaded by MuJoCo. Everything else is the code of Burgess: in each step the brain reads
its senses from the state that MuJoCo computed, and the task's formula is applied to the motion. A fitness that remains
in another simulator is not due to an error of this one.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from burgess._burgess import Evaluation, judge_by
from burgess._evaluation import CreatureLike, TaskLike, evaluate

# Time constant of stiff contacts, in steps: the shortest that MuJoCo allows.
_STIFF_STEPS = 2.0
# Impedance of stiff contacts, and the depth (m) at which it is reached.
_STIFF_IMPEDANCE = (0.99, 0.999, 1e-4)


class MujocoEngine:
    """A body in MuJoCo. `burgess._burgess.judge_by` calls it in every step."""

    def __init__(self, xml: str, substeps: int, stiff: bool) -> None:
        """Load a body, given as MJCF."""
        mujoco: Any = importlib.import_module("mujoco")
        self._mujoco = mujoco
        self.substeps = substeps
        self._stiff = stiff
        self._model: Any = mujoco.MjModel.from_xml_string(xml)
        self._data: Any = mujoco.MjData(self._model)
        self._names: list[str] = [self._model.body(index).name for index in range(self._model.nbody)]
        self._step = 0.0
        self._force = np.zeros(6)

    def advance(
        self,
        positions: list[float],
        velocities: list[float],
        controls: list[float],
        is_active: bool,
        pushes: list[tuple[str, list[float], list[float], list[float]]],
        step: float,
    ) -> tuple[list[float], list[float]]:
        """Advance by a step and return the positions and velocities at its end."""
        mujoco, model, data = self._mujoco, self._model, self._data
        if step != self._step:
            self._set_step(step)
        actuation = int(mujoco.mjtDisableBit.mjDSBL_ACTUATION)
        flags = int(model.opt.disableflags)
        model.opt.disableflags = flags & ~actuation if is_active else flags | actuation
        data.qpos[:], data.qvel[:], data.ctrl[:] = positions, velocities, controls
        if pushes:
            data.qfrc_applied[:] = 0
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            for body, force, moment, point in pushes:
                index = self._names.index(body)
                arrays = (np.array(force), np.array(moment), np.array(point))
                mujoco.mj_applyFT(model, data, *arrays, index, data.qfrc_applied)
        mujoco.mj_step(model, data)
        return data.qpos.tolist(), data.qvel.tolist()

    def touches(self) -> list[tuple[str, str]]:
        """Return the names of the bodies of all contacts that transmitted a force in the last step."""
        found: list[tuple[str, str]] = []
        for index in range(self._data.ncon):
            self._mujoco.mj_contactForce(self._model, self._data, index, self._force)
            if self._force[0] > 0:
                first, second = self._model.geom_bodyid[self._data.contact[index].geom].tolist()
                found.append((self._names[int(first)], self._names[int(second)]))
        return found

    def _set_step(self, step: float) -> None:
        self._step = step
        self._model.opt.timestep = step
        self._model.opt.integrator = int(self._mujoco.mjtIntegrator.mjINT_IMPLICITFAST)
        if self._stiff:
            self._model.geom_solref[:] = (_STIFF_STEPS * step, 1.0)
            self._model.geom_solimp[:, :3] = _STIFF_IMPEDANCE


def mujoco(
    creature: CreatureLike,
    task: TaskLike | None = None,
    *,
    seed: int | None = None,
    substeps: int = 8,
    stiff: bool = True,
) -> Evaluation:
    """Evaluate a creature while MuJoCo moves its body.

    Args:
        creature: The creature.
        task: The task; by default the creature's own.
        seed: Seed of the conditions; by default the creature's own.
        substeps: Number of steps of MuJoCo in each step of the task.
        stiff: Whether contacts are as stiff as MuJoCo allows, instead of MuJoCo's default.
    """
    if substeps < 1:
        raise ValueError(f"substeps must be at least 1, found {substeps}")
    if importlib.util.find_spec("mujoco") is None:
        raise ImportError("the referee needs MuJoCo: `pip install mujoco`")
    evaluation, _ = judge_by(creature, task, seed, lambda xml: MujocoEngine(xml, substeps, stiff))
    return evaluation


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the fitness of a creature in Burgess and in MuJoCo as JSON: `python -m burgess.referee CREATURE`."""
    parser = argparse.ArgumentParser(prog="python -m burgess.referee", description=main.__doc__)
    parser.add_argument("creature", help="name of a built-in creature, creature file, run or RUN#NUMBER")
    parser.add_argument("--task", help="name of a task or task file")
    parser.add_argument("--seed", type=int, help="seed of the conditions")
    given = parser.parse_args(arguments)
    creature, task, seed = str(given.creature), given.task, given.seed
    try:
        own = evaluate(creature, task, seed=seed)
        theirs = mujoco(creature, task, seed=seed)
    except (ImportError, ValueError, RuntimeError) as error:
        print(f"burgess: {error}", file=sys.stderr)
        return 2
    share = theirs.fitness / own.fitness if own.fitness > 0 else 0.0
    report = {"referee": "mujoco", "fitness": theirs.fitness, "own_fitness": own.fitness, "fraction": share}
    print(json.dumps({**report, "outcome": theirs.outcome, "reason": theirs.reason}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
