"""Rigid-body simulation and the evolution of virtual creatures.

>>> import burgess
>>> walker = burgess.Simulation("walker")
>>> walker.run(3)
>>> round(walker.time, 3)
3.0

`burgess.envs` has environments for Gymnasium, `burgess.contests` for PettingZoo, `burgess.referee` evaluates creatures
in MuJoCo.
"""

import importlib.util

from burgess._burgess import (
    Batch,
    Brain,
    Creature,
    Evaluation,
    Genome,
    Run,
    Simulation,
    SimulationError,
    Snapshot,
    Task,
    Trial,
    Viewer,
    __version__,
    creatures,
    measures,
    scenes,
    tasks,
)
from burgess._evaluation import ControlProblem, CreatureLike, TaskLike, evaluate, evolve

__all__ = [
    "Batch",
    "Brain",
    "ControlProblem",
    "Creature",
    "CreatureLike",
    "Evaluation",
    "Genome",
    "Run",
    "Simulation",
    "SimulationError",
    "Snapshot",
    "Task",
    "TaskLike",
    "Trial",
    "Viewer",
    "__version__",
    "creatures",
    "evaluate",
    "evolve",
    "measures",
    "scenes",
    "tasks",
]

if importlib.util.find_spec("gymnasium") is not None:
    from burgess import envs as _envs

    _envs.register_all()
