"""Environments of Gymnasium and PettingZoo."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import parallel_api_test, parallel_seed_test

import burgess
from burgess.contests import ContestEnv
from burgess.envs import CreatureEnv, CreatureVectorEnv, environment_id


def test_every_task_has_an_environment() -> None:
    for task in burgess.tasks():
        env = gymnasium.make(environment_id(task))
        assert isinstance(env.unwrapped, CreatureEnv)
        env.close()


@pytest.mark.parametrize(
    ("task", "creature"), [("walk", "walker"), ("walk", "quadruped"), ("swim", "swimmer"), ("sumo", "walker")]
)
def test_gymnasium_accepts_the_environment(task: str, creature: str) -> None:
    env = gymnasium.make(environment_id(task), creature=creature)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The springs of a legged body take angles, so that its actions are not within -1 and 1.
        warnings.filterwarnings("ignore", message=".*(symmetric and normalized|normalize|WARN: The environment).*")
        check_env(env.unwrapped, skip_render_check=True)
    env.close()


def test_pictures() -> None:
    env = gymnasium.make("burgess/Walk-v0", render_mode="svg", disable_env_checker=True)
    env.reset(seed=1)
    picture: Any = env.render()
    assert picture.startswith("<svg")
    env.close()
    with pytest.raises(ValueError, match="expected 'svg'"):
        CreatureEnv(render_mode="human")


def test_the_return_is_the_fitness(short: burgess.Task) -> None:
    env = CreatureEnv(short, "walker")
    env.reset(seed=5)
    random, total, over, info = np.random.default_rng(1), 0.0, False, dict[str, Any]()
    while not over:
        action = random.uniform(env.trial.action_low, env.trial.action_high)
        _, reward, terminated, truncated, info = env.step(action)
        total += reward
        over = terminated or truncated
    assert total == pytest.approx(info["score"], abs=1e-9)
    assert short.score(info["measures"]) == info["score"]


def run_vector(env: CreatureVectorEnv, steps: int) -> list[tuple[npt.NDArray[Any], ...]]:
    """Steps a vector environment with random actions."""
    random = np.random.default_rng(2)
    found: list[tuple[npt.NDArray[Any], ...]] = []
    for _ in range(steps):
        low, high = env.action_space.low, env.action_space.high  # type: ignore[attr-defined]
        found.append(env.step(random.uniform(low, high))[:4])
    return found


def test_the_vector_environment_is_many_environments(short: burgess.Task) -> None:
    creatures = ["walker", "walker", "walker"]
    ours = CreatureVectorEnv(task=short, creature=creatures, threads=2)
    peers = gymnasium.vector.SyncVectorEnv([lambda: CreatureEnv(short, "walker") for _ in creatures])
    expected, _ = peers.reset(seed=7)
    found, _ = ours.reset(seed=7)
    assert np.array_equal(expected, found)
    random = np.random.default_rng(1)
    # One second at 60 Hz, the reset in the next step, and some steps of the next trial.
    for _ in range(70):
        actions = random.uniform(-1, 1, peers.action_space.shape)
        for one, other in zip(peers.step(actions)[:4], ours.step(actions)[:4], strict=True):
            assert np.array_equal(one, other)
    ours.close()
    peers.close()


def test_autoreset_in_the_same_step(short: burgess.Task) -> None:
    mode = AutoresetMode.SAME_STEP
    ours = CreatureVectorEnv(2, short, "walker", autoreset_mode=mode, threads=1)
    peers = gymnasium.vector.SyncVectorEnv([lambda: CreatureEnv(short, "walker")] * 2, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] == mode
    ours.reset(seed=7)
    peers.reset(seed=7)
    ended = 0
    random = np.random.default_rng(1)
    for _ in range(130):
        actions = random.uniform(-1, 1, peers.action_space.shape)
        theirs, own = peers.step(actions), ours.step(actions)
        for one, other in zip(theirs[:4], own[:4], strict=True):
            assert np.array_equal(one, other)
        assert ("final_obs" in theirs[4]) == ("final_obs" in own[4])
        if "final_obs" in own[4]:
            ended += 1
            assert np.array_equal(theirs[4]["_final_obs"], own[4]["_final_obs"])
            for one, other in zip(theirs[4]["final_obs"], own[4]["final_obs"], strict=True):
                assert np.array_equal(one, other)
            assert np.array_equal(theirs[4]["final_info"]["score"], own[4]["final_info"]["score"])
    assert ended == 2
    ours.close()


def test_no_autoreset(short: burgess.Task) -> None:
    env = CreatureVectorEnv(2, short, ["walker", "quadruped"], autoreset_mode=AutoresetMode.DISABLED, threads=2)
    env.reset(seed=[1, 2])
    done = run_vector(env, 60)[-1]
    assert (done[2] | done[3]).all()
    with pytest.raises(ValueError, match=r"environments \[0, 1\] are done"):
        env.step(np.zeros(env.action_mask.shape))
    env.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(ValueError, match=r"environments \[1\] are done"):
        env.step(np.zeros(env.action_mask.shape))
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": np.array([False, False])})
    env.reset()
    env.step(np.zeros(env.action_mask.shape))
    env.close()


def test_different_bodies_are_padded(short: burgess.Task) -> None:
    env = gymnasium.make_vec(
        "burgess/Walk-v0",
        num_envs=2,
        vectorization_mode="vector_entry_point",
        task=short,
        creature=["walker", "quadruped"],
        copy=False,
    )
    vector: Any = env.unwrapped
    observations, infos = env.reset(seed=1)
    assert env.observation_space.contains(observations)
    assert infos["score"].tolist() == [0.0, 0.0]
    found = env.step(env.action_space.sample())
    assert np.shares_memory(found[0], vector.batch.observations)
    assert not found[0][~vector.observation_mask].any()
    env.close()
    with pytest.raises(ValueError, match="expected one creature or 3 creatures, found 2"):
        CreatureVectorEnv(3, short, ["walker", "walker"])


@pytest.mark.parametrize("task", ["sumo", "tag", "contest"])
def test_pettingzoo_accepts_contests(task: str) -> None:
    # Short, because the test plays many contests.
    brief = burgess.Task(task).replace(settle=0.2, duration=0.5, transient=0.1)
    parallel_api_test(ContestEnv(brief, ["walker", "quadruped"]), num_cycles=80)
    parallel_seed_test(lambda: ContestEnv(brief), num_cycles=40)


def test_contests_are_those_of_evaluations() -> None:
    task = burgess.Task("sumo").replace(settle=0.5, duration=1.0, trials={"count": 1})
    env = ContestEnv(task, ["walker", "quadruped"])
    brains = {"first": burgess.Creature("walker").brain(task), "second": burgess.Creature("quadruped").brain(task)}
    observations, infos = env.reset(seed=3)
    while env.agents:
        actions = {agent: brains[agent].step(observations[agent]) for agent in env.agents}
        observations, _, _, _, infos = env.step(actions)
    # Against the same opponent with its own brain.
    single = CreatureEnv(task, "walker", opponent="quadruped")
    observation, _ = single.reset(seed=3)
    brain, over, info = brains["first"], False, dict[str, Any]()
    brain.reset()
    while not over:
        observation, _, terminated, truncated, info = single.step(brain.step(observation))
        over = terminated or truncated
    assert info["score"] == infos["first"]["score"]
    with pytest.raises(ValueError, match="is over"):
        env.step({})
    with pytest.raises(ValueError, match="two creatures"):
        ContestEnv(task, ["walker"])
