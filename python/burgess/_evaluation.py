"""Evaluation and evolution of creatures."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from burgess._burgess import Creature, Evaluation, Genome, Run, Task, evaluate_all, evolve_into

CreatureLike: TypeAlias = "Creature | Genome | str | os.PathLike[str]"
"""A creature, a genome, the name of a built-in creature, a creature file, a run, or RUN#NUMBER."""

TaskLike: TypeAlias = "Task | str | os.PathLike[str]"
"""A task, the name of a built-in task, or a task file."""

Fitness: TypeAlias = Callable[[Mapping[str, float]], float]
"""A function from measures to a fitness."""


@overload
def evaluate(
    creatures: CreatureLike,
    task: TaskLike | None = None,
    *,
    seed: int | Sequence[int] | None = None,
    threads: int | None = None,
    fitness: Fitness | None = None,
    record: bool = False,
) -> Evaluation: ...
@overload
def evaluate(
    creatures: Sequence[CreatureLike],
    task: TaskLike | None = None,
    *,
    seed: int | Sequence[int] | None = None,
    threads: int | None = None,
    fitness: Fitness | None = None,
    record: bool = False,
) -> list[Evaluation]: ...
def evaluate(
    creatures: CreatureLike | Sequence[CreatureLike],
    task: TaskLike | None = None,
    *,
    seed: int | Sequence[int] | None = None,
    threads: int | None = None,
    fitness: Fitness | None = None,
    record: bool = False,
) -> Evaluation | list[Evaluation]:
    """Evaluate one creature, or many on all cores.

    The results do not depend on the number of threads.

    Args:
        creatures: A creature or a sequence of creatures.
        task: The task; by default the creature's own task.
        seed: One seed for all creatures or one for each; by default the creature's own seed.
        threads: Number of threads; by default one for each core.
        fitness: A function of the measures that replaces the task's formula for creatures that were scored.
        record: Whether the first trial is recorded.

    >>> import burgess
    >>> short = burgess.Task("walk").replace(duration=1, transient=0.2)
    >>> one, other = burgess.evaluate(["walker", "quadruped"], short)
    >>> one.outcome, one.fitness > 0
    ('scored', True)
    >>> burgess.evaluate("walker", short, fitness=lambda m: m["mass"]).fitness == one.measures["mass"]
    True
    """
    is_one = isinstance(creatures, (Creature, Genome, str, os.PathLike))
    every: list[CreatureLike] = [creatures] if is_one else list(creatures)  # type: ignore[list-item, arg-type]
    seeds = None if seed is None else [seed] * len(every) if isinstance(seed, int) else list(seed)
    found = evaluate_all(every, task, seeds, threads, record)
    if fitness is not None:
        found = [one.with_fitness(fitness(one.measures)) if one.outcome == "scored" else one for one in found]
    return found[0] if is_one else found


def evolve(
    task: TaskLike | None = None,
    path: str | os.PathLike[str] = "run.burgess",
    *,
    evaluations: int | None = None,
    seed: int | None = None,
    family: str | None = None,
    founders: Sequence[CreatureLike] = (),
    config: str | None = None,
    threads: int | None = None,
    callback: Callable[[int, float], Any] | None = None,
) -> Run:
    """Evolve creatures for a task, as `burgess evolve` does, and return the run.

    Args:
        task: The task.
        path: File of the run, which must not exist.
        evaluations: Number of creatures to evaluate; by default 2650.
        seed: The same seed gives the same run, bit for bit; by default 1.
        family: Family of the first genomes: 'graph' or 'legged'.
        founders: Creatures to start from, instead of random ones.
        config: A whole configuration as TOML, as `burgess evolve --print-config` prints it, instead of a task.
        threads: Number of threads; by default one for each core.
        callback: A function that is called with the number and the fitness of every evaluated creature.
    """
    return evolve_into(task, os.fspath(path), evaluations, seed, family, list(founders), config, threads, callback)


class ControlProblem:
    """The control of one body as a vector of numbers, for optimizers such as `cma` and `ribs`.

    The vector is relative to the genome: zeros are the genome itself, and one is the usual size of a mutation.

    >>> import burgess
    >>> problem = burgess.ControlProblem("walker", burgess.Task("walk").replace(duration=1, transient=0.2))
    >>> problem.genome(problem.start) == burgess.Genome("walker")
    True
    >>> len(problem.evaluate([problem.start]))
    1
    """

    def __init__(
        self,
        creature: CreatureLike,
        task: TaskLike | None = None,
        *,
        seed: int | None = None,
        threads: int | None = None,
    ) -> None:
        """Prepare the search for the control of a creature's body."""
        self.base = creature if isinstance(creature, Genome) else Creature(creature).genome
        self.task = task if task is not None else Creature(creature).task
        self.seed = seed
        self.threads = threads
        self._values = self.base.control
        self._scales = self.base.control_scales

    @property
    def start(self) -> npt.NDArray[np.float64]:
        """The vector of the genome itself: zeros."""
        return np.zeros_like(self._values)

    @property
    def dimension(self) -> int:
        """Number of numbers of the control."""
        return len(self._values)

    def genome(self, vector: npt.ArrayLike) -> Genome:
        """Return the genome of a vector. Each number becomes the nearest valid one."""
        return self.base.with_control(self._values + self._scales * np.asarray(vector, dtype=np.float64))

    def evaluate(self, vectors: Sequence[npt.ArrayLike] | npt.NDArray[np.float64]) -> list[Evaluation]:
        """Evaluate vectors on all cores."""
        genomes = [self.genome(vector) for vector in vectors]
        return evaluate(genomes, self.task, seed=self.seed, threads=self.threads)
