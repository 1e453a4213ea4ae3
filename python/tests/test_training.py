"""A policy learns to walk: a long test that needs torch and Stable-Baselines3."""

from __future__ import annotations

from typing import Any

import pytest

import burgess
from burgess.envs import CreatureEnv


@pytest.mark.long
def test_ppo_raises_its_return_over_100000_steps() -> None:
    ppo: Any = pytest.importorskip("stable_baselines3").PPO
    # The networks are small: more threads would wait for each other.
    pytest.importorskip("torch").set_num_threads(1)
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.evaluation import evaluate_policy
    from stable_baselines3.common.monitor import Monitor

    task = burgess.Task("walk").replace(settle=0.5, duration=4, transient=0.5)

    def make() -> CreatureEnv:
        return CreatureEnv(task, "quadruped")

    settings = {"n_steps": 256, "batch_size": 256, "learning_rate": 1e-3, "gamma": 0.995, "seed": 1, "device": "cpu"}
    policy = ppo("MlpPolicy", make_vec_env(make, n_envs=8, seed=1), **settings)
    before, _ = evaluate_policy(policy, Monitor(make()), n_eval_episodes=10)
    policy.learn(100_000)
    after, deviation = evaluate_policy(policy, Monitor(make()), n_eval_episodes=10)
    print(f"return before {before:.3f}, after {after:.3f} with a deviation of {deviation:.3f}")
    assert after > 2 * before
    assert after > before + 0.5
