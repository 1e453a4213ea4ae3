"""Contests of two creatures as parallel environments of PettingZoo.

>>> from burgess.contests import ContestEnv
>>> env = ContestEnv("sumo", ["walker", "quadruped"])
>>> observations, infos = env.reset(seed=1)
>>> sorted(observations)
['first', 'second']
>>> env.close()
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from pettingzoo import ParallelEnv

from burgess._burgess import Trial
from burgess._evaluation import CreatureLike, TaskLike
from burgess.envs import Array, Space, box, senses, trial_info

_AGENTS = ["first", "second"]


class ContestEnv(ParallelEnv[str, Array, Array]):
    """Two creatures in a contest. The first starts at negative x, the second at positive x."""

    metadata: dict[str, Any] = {"render_modes": ["svg"], "name": "burgess_contest_v0"}  # noqa: RUF012

    def __init__(
        self,
        task: TaskLike = "sumo",
        creatures: Sequence[CreatureLike] = ("walker", "walker"),
        render_mode: str | None = None,
    ) -> None:
        """Create the environment of two creatures."""
        if len(creatures) != 2:
            raise ValueError(f"a contest has two creatures, found {len(creatures)}")
        self.render_mode = render_mode
        self.trial = Trial(creatures[0], task, opponent=creatures[1], drive_both=True)
        self.possible_agents = list(_AGENTS)
        self.agents: list[str] = []
        first = self.trial.action_sizes[0]
        low, high = self.trial.action_low, self.trial.action_high
        bounds = [(low[:first], high[:first]), (low[first:], high[first:])]
        self.action_spaces = {agent: box(*bounds[index]) for index, agent in enumerate(_AGENTS)}
        sizes = self.trial.observation_sizes
        self.observation_spaces = {agent: senses(sizes[index]) for index, agent in enumerate(_AGENTS)}
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> Space:
        """Return the space of an agent's senses."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Array], dict[str, dict[str, Any]]]:
        """Start a trial."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        observation = self.trial.reset(int(self._random.integers(2**32)))
        self.agents = list(_AGENTS)
        return self._split(observation), self._infos()

    def step(
        self, actions: dict[str, Array]
    ) -> tuple[dict[str, Array], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Apply the actions of both agents until the next update of their brains."""
        if not self.agents:
            raise ValueError("the contest is over; call reset() first")
        missing = [agent for agent in _AGENTS if agent not in actions]
        if missing:
            raise ValueError(f"actions: expected actions of 'first' and 'second', missing {missing}")
        both = np.concatenate([np.asarray(actions[agent], dtype=np.float64) for agent in _AGENTS])
        observation, _, terminated, truncated = self.trial.step(both)
        rewards = dict(zip(_AGENTS, self.trial.rewards, strict=True))
        infos = self._infos()
        if terminated or truncated:
            self.agents = []
        ends = {agent: terminated for agent in _AGENTS}
        stops = {agent: truncated for agent in _AGENTS}
        return self._split(observation), rewards, ends, stops, infos

    def render(self) -> str | None:  # type: ignore[override]
        """Return a picture as SVG, if the render mode is 'svg'."""
        return self.trial.picture() if self.render_mode == "svg" else None

    def close(self) -> None:
        """Free the trial."""
        self.trial.close()

    def _split(self, observation: Array) -> dict[str, Array]:
        first = self.trial.observation_sizes[0]
        return {"first": observation[:first], "second": observation[first:]}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: trial_info(self.trial, index) for index, agent in enumerate(_AGENTS)}
