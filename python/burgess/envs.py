"""Environments for Gymnasium: one for each task, and a vector environment of different bodies.

Actions drive the actuators of a creature, observations are its senses, and the reward is the gain of the task's
formula. The rewards of an episode add up to the fitness of the trial. An episode that ends because its time is over,
or because nothing moves any more, is truncated; one whose simulated motion cannot be right is terminated and scores 0.

>>> import gymnasium, burgess
>>> env = gymnasium.make("burgess/Walk-v0", creature="walker")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
>>> sorted(info)
['fault', 'measures', 'score', 'stopped']
>>> env.close()
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from burgess._burgess import Batch, Task, Trial, tasks
from burgess._evaluation import CreatureLike, TaskLike

Array = npt.NDArray[np.float64]
Space = gymnasium.spaces.Space[Array]

# Senses of angles can reach 2 beyond the limits of a joint; all others are within 1.
_MAX_SENSE = 2.0
# Seeds of trials that are drawn from the generator of an environment.
_SEEDS = 2**32


def environment_id(task: str) -> str:
    """Return the id of the environment of a task.

    >>> environment_id("jump-up")
    'burgess/JumpUp-v0'
    """
    return f"burgess/{''.join(part.capitalize() for part in task.split('-'))}-v0"


def register_all() -> None:
    """Register an environment for each built-in task. `import burgess` does it."""
    for task in tasks():
        if environment_id(task) not in gymnasium.registry:
            gymnasium.register(  # pyright: ignore[reportUnknownMemberType]
                id=environment_id(task),
                entry_point="burgess.envs:CreatureEnv",
                vector_entry_point="burgess.envs:CreatureVectorEnv",
                kwargs={"task": task},
            )


def default_creature(task: TaskLike) -> str:
    """Return the built-in creature that environments use if none is given."""
    name = task.name if isinstance(task, Task) else str(task)
    return "swimmer" if "swim" in name or "water" in name else "walker"


def box(low: Array, high: Array) -> Space:
    """Return a space of numbers of 64 bits."""
    return cast(Space, gymnasium.spaces.Box(low, high, dtype=np.float64))


def senses(count: int) -> Space:
    """Return the space of a number of senses."""
    return box(np.full(count, -_MAX_SENSE), np.full(count, _MAX_SENSE))


def trial_info(trial: Trial, agent: int = 0) -> dict[str, Any]:
    """Return what the environments report about a trial in `info`."""
    return {
        "measures": trial.measures(agent),
        "score": trial.score(agent),
        "fault": trial.fault or "",
        "stopped": trial.stopped or "",
    }


class CreatureEnv(gymnasium.Env[Array, Array]):
    """A creature in a task. `gymnasium.make("burgess/Walk-v0", creature=...)` makes one."""

    metadata: dict[str, Any] = {"render_modes": ["svg"], "render_fps": 60}  # noqa: RUF012

    def __init__(
        self,
        task: TaskLike = "walk",
        creature: CreatureLike | None = None,
        opponent: CreatureLike | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Create the environment of a creature.

        Args:
            task: The task.
            creature: The creature; by default a built-in one.
            opponent: The opponent in a contest, driven by its own brain; by default the same body with slack muscles.
            render_mode: 'svg' for pictures as text.
        """
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode '{render_mode}': expected 'svg' or None")
        self.render_mode = render_mode
        self.trial = Trial(creature if creature is not None else default_creature(task), task, opponent=opponent)
        self.action_space = box(self.trial.action_low, self.trial.action_high)
        self.observation_space = senses(self.trial.observation_sizes[0])

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Start a trial. The seed decides the conditions of this trial and of the following ones."""
        super().reset(seed=seed)
        observation = self.trial.reset(int(self.np_random.integers(_SEEDS)))
        return observation, trial_info(self.trial)

    def step(self, action: Array) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Apply an action until the next update of the brain."""
        observation, reward, terminated, truncated = self.trial.step(action)
        return observation, reward, terminated, truncated, trial_info(self.trial)

    def render(self) -> str | None:  # type: ignore[override]
        """Return a picture as SVG, if the render mode is 'svg'."""
        return self.trial.picture() if self.render_mode == "svg" else None

    def close(self) -> None:
        """Free the trial."""
        self.trial.close()


class CreatureVectorEnv(gymnasium.vector.VectorEnv[Array, Array, Any]):
    """Creatures with the same or different bodies in a task, stepped on several threads.

    Actions and observations have the size of the largest body; `action_mask` and `observation_mask` tell which numbers
    exist. The others are ignored or 0.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int | None = None,
        task: TaskLike = "walk",
        creature: CreatureLike | Sequence[CreatureLike] | None = None,
        *,
        threads: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
    ) -> None:
        """Create the environments.

        Args:
            num_envs: Number of environments; by default the number of creatures.
            task: The task.
            creature: One creature for all environments, or one for each.
            threads: Number of threads; by default one for each core. The results do not depend on it.
            autoreset_mode: When an environment that is done starts again.
            copy: Whether observations are copies. Otherwise they are one array that changes with every step.
        """
        if creature is None or isinstance(creature, str) or not isinstance(creature, Sequence):
            bodies = [creature if creature is not None else default_creature(task)] * (num_envs or 1)
        else:
            bodies = list(creature)
        if num_envs is not None and num_envs != len(bodies):
            raise ValueError(f"expected one creature or {num_envs} creatures, found {len(bodies)}")
        self.num_envs = len(bodies)
        self.trials = [Trial(body, task) for body in bodies]
        self.batch = Batch(self.trials, threads=threads)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}  # type: ignore[misc]
        self.copy = copy
        self.action_mask = self.batch.action_mask
        self.observation_mask = self.batch.observation_mask
        width = self.action_mask.shape[1]
        low, high = np.full((self.num_envs, width), -1.0), np.full((self.num_envs, width), 1.0)
        for row, trial in enumerate(self.trials):
            count = len(trial.action_low)
            low[row, :count], high[row, :count] = trial.action_low, trial.action_high
        self.action_space = box(low, high)
        # With different bodies the space of one environment includes those of all.
        self.single_action_space = box(low.min(axis=0), high.max(axis=0))
        single = senses(self.observation_mask.shape[1])
        self.single_observation_space = single
        self.observation_space = batch_space(single, self.num_envs)
        self._generators = [np.random.default_rng() for _ in range(self.num_envs)]
        self._is_done = np.zeros(self.num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start trials in all environments, or in those of `options["reset_mask"]`."""
        mask = np.ones(self.num_envs, dtype=np.bool_)
        if options is not None and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
                raise ValueError(
                    f"reset_mask: expected an array of {self.num_envs} booleans of which at least one is true"
                )
        if seed is not None:
            seeds = [seed + index for index in range(self.num_envs)] if isinstance(seed, int) else list(seed)
            if len(seeds) != self.num_envs:
                raise ValueError(f"seed: expected one seed or {self.num_envs} seeds, found {len(seeds)}")
            for index, one in enumerate(seeds):
                if mask[index] and one is not None:
                    self._generators[index] = np.random.Generator(np.random.PCG64(one))
        observations = self._start(mask)
        return self._shown(observations), self._infos(mask)

    def step(self, actions: Array) -> tuple[Array, Array, npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Apply actions until the next update of the brains."""
        if self.autoreset_mode == AutoresetMode.DISABLED and self._is_done.any():
            done = np.flatnonzero(self._is_done).tolist()
            raise ValueError(f"environments {done} are done; call reset(options={{'reset_mask': ...}}) first")
        starting = self._is_done.copy()
        if self.autoreset_mode == AutoresetMode.NEXT_STEP and starting.any():
            # An environment that starts ignores its action: it is stepped before it is reset, which changes nothing.
            _, rewards, terminated, truncated = self.batch.step(actions)
            rewards[starting], terminated[starting], truncated[starting] = 0.0, False, False
            observations = self._start(starting)
        else:
            observations, rewards, terminated, truncated = self.batch.step(actions)
        self._is_done = terminated | truncated
        every = np.ones(self.num_envs, dtype=np.bool_)
        infos = self._infos(every)
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._is_done.any():
            ending = self._is_done.copy()
            final = np.full(self.num_envs, None, dtype=object)
            for index in np.flatnonzero(ending):
                final[index] = np.array(observations[index])
            final_infos = self._infos(ending)
            observations = self._start(ending)
            infos = {**self._infos(every), "final_obs": final, "_final_obs": ending}
            infos |= {"final_info": final_infos, "_final_info": ending.copy()}
        return self._shown(observations), rewards, terminated, truncated, infos

    def close_extras(self, **kwargs: Any) -> None:
        """Free all trials."""
        self.batch.close()
        for trial in self.trials:
            trial.close()

    def _start(self, mask: npt.NDArray[np.bool_]) -> Array:
        seeds = [int(generator.integers(_SEEDS)) if mask[index] else 0 for index, generator in self._numbered()]
        observations = self.batch.reset(seeds, mask.tolist())
        self._is_done = self._is_done & ~mask
        return observations

    def _numbered(self) -> list[tuple[int, np.random.Generator]]:
        return list(enumerate(self._generators))

    def _shown(self, observations: Array) -> Array:
        return np.array(observations) if self.copy else observations

    def _infos(self, mask: npt.NDArray[np.bool_]) -> dict[str, Any]:
        infos: dict[str, Any] = {"score": np.where(mask, self.batch.scores, 0.0), "_score": mask.copy()}
        # Measures are many numbers, so they are reported when a trial is over.
        over = mask & self._is_done
        if over.any():
            measures: dict[str, Any] = {}
            for index in np.flatnonzero(over):
                measures = self._add_info(measures, self.trials[index].measures(), int(index))
            infos |= {"measures": measures, "_measures": over.copy()}
        return infos
