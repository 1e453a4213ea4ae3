"""Compares vector environments on one core: Gymnasium's Ant in Burgess, Gymnasium, EnvPool and mjbatch.

All have the same model, a physics step of 10 ms, five steps for each action, the same reward and the same ends. The
model selects the Runge-Kutta method of fourth order, which peers use; mjbatch also runs with semi-implicit Euler. They
take turns in short slices, and the ratio is the median of the ratios of neighbouring slices. A last comparison steps
100 different creatures from Python and natively.

Prints one JSON object per line. Usage: environments.py --model ant.xml [--seconds S] [--environments N]
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import burgess

SLICE = 0.05
STEP = 0.01
SKIP = 5

Steps = Callable[[int], None]


class Ant:
    """The reward, the ends and the starts of Ant-v5, over arrays of positions and velocities of many ants."""

    def __init__(self, count: int, positions: np.ndarray, velocities: np.ndarray, height: int) -> None:
        self.count = count
        self.start = (positions.copy(), velocities.copy())
        self.height = height
        self.random = np.random.default_rng(1)
        self.ages = np.zeros(count, dtype=np.int64)
        self.actions = self.random.uniform(-1, 1, (64, count, 8))
        self.turn = 0

    def action(self) -> np.ndarray:
        """Return the next actions."""
        self.turn += 1
        return self.actions[self.turn % 64]

    def judge(self, x_before: np.ndarray, q: np.ndarray, v: np.ndarray, action: np.ndarray) -> tuple[Any, ...]:
        """Returns observation, reward and which ants are done."""
        speed = (q[:, 0] - x_before) / (STEP * SKIP)
        finite = np.isfinite(q).all(axis=1) & np.isfinite(v).all(axis=1)
        healthy = finite & (q[:, self.height] >= 0.2) & (q[:, self.height] <= 1.0)
        reward = speed + healthy - 0.5 * np.square(action).sum(axis=1)
        self.ages += 1
        done = ~healthy | (self.ages >= 1000)
        return np.concatenate([q[:, 2:], v], axis=1), reward, done

    def starts(self, done: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns the initial states of ants that start again."""
        count = int(done.sum())
        self.ages[done] = 0
        q = self.start[0] + self.random.uniform(-0.1, 0.1, (count, len(self.start[0])))
        return q, self.start[1] + 0.1 * self.random.standard_normal((count, len(self.start[1])))


def ours(model: Path, count: int) -> Steps:
    """Burgess: a batch of simulations on one thread."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        worlds = [burgess.Simulation(str(model), step=STEP) for _ in range(count)]
    batch = burgess.Batch(worlds, threads=1)
    nq, nv = len(worlds[0].positions), len(worlds[0].velocities)
    # Free joints have the position first.
    ant = Ant(count, worlds[0].positions, worlds[0].velocities, height=2)
    state = batch.reset()

    def steps(number: int) -> None:
        for _ in range(number):
            action = ant.action()
            x = state[:, 0].copy()
            batch.step(action, repeat=SKIP)
            _, _, done = ant.judge(x, state[:, :nq], state[:, nq : nq + nv], action)
            failed = list(batch.failures)
            done[failed] = True
            if done.any():
                batch.reset(mask=done.tolist())
                q, v = ant.starts(done)
                # Quaternions are at 3 to 6.
                q[:, 3:7] /= np.linalg.norm(q[:, 3:7], axis=1, keepdims=True)
                for row, index in enumerate(np.flatnonzero(done)):
                    worlds[index].set_state(q[row], v[row])

    return steps


def mjbatch_ants(model: Path, count: int, euler: bool = False) -> Steps:
    """The same in mjbatch: MuJoCo in a pool of one thread, with live arrays."""
    import mjbatch
    import mujoco

    compiled = mujoco.MjModel.from_xml_path(str(model))
    compiled.opt.timestep = STEP
    if euler:
        compiled.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
    batch = mjbatch.Batch(compiled, count, num_threads=1)
    q, v, control = batch.bind("qpos"), batch.bind("qvel"), batch.bind("ctrl")
    batch.reset()
    ant = Ant(count, np.array(q[0]), np.array(v[0]), height=2)

    def steps(number: int) -> None:
        for _ in range(number):
            action = ant.action()
            x = q[:, 0].copy()
            control[:] = action
            batch.step(nstep=SKIP)
            _, _, done = ant.judge(x, q, v, action)
            if done.any():
                batch.reset(done)
                q[done], v[done] = ant.starts(done)

    return steps


def gymnasium_ants(model: Path, count: int) -> Steps:
    """Gymnasium's own Ant, one after the other."""
    import gymnasium

    def make() -> Any:
        return gymnasium.make(
            "Ant-v5", xml_file=str(model), include_cfrc_ext_in_observation=False, contact_cost_weight=0
        )

    env = gymnasium.vector.SyncVectorEnv([make] * count)
    env.reset(seed=1)
    actions = np.random.default_rng(1).uniform(-1, 1, (64, count, 8)).astype(np.float32)
    turn = 0

    def steps(number: int) -> None:
        nonlocal turn
        for _ in range(number):
            turn += 1
            env.step(actions[turn % 64])

    return steps


def envpool_ants(model: Path, count: int) -> Steps:
    """EnvPool's Ant on one thread."""
    import envpool

    options = {"num_envs": count, "num_threads": 1, "use_contact_force": False, "contact_cost_weight": 0.0}
    env = envpool.make_gymnasium("Ant-v5", **options)
    env.reset()
    actions = np.random.default_rng(1).uniform(-1, 1, (64, count, 8))
    turn = 0

    def steps(number: int) -> None:
        nonlocal turn
        for _ in range(number):
            turn += 1
            env.step(actions[turn % 64])

    return steps


def rate(steps: Steps, number: int) -> float:
    """Batches per second of computing time of this process, so that other programs do not matter."""
    start = time.process_time()
    steps(number)
    return number / max(time.process_time() - start, 1e-9)


def compare(
    name: str, unit: str, one: Steps, peer: str, other: Steps, scale: float, seconds: float, slice: float = SLICE
) -> None:
    """Alternates two programs and prints their rates and the ratio."""
    numbers = []
    for steps in (one, other):
        # The first steps fill caches.
        rate(steps, 5)
        numbers.append(max(1, int(slice * rate(steps, 5))))
    own, theirs = [], []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        own.append(rate(one, numbers[0]))
        theirs.append(rate(other, numbers[1]))
    ratios = [a / b for a, b in zip(own, theirs, strict=True)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    line = {
        "bench": name,
        "ours": round(scale * statistics.median(own), 1),
        "unit": unit,
        "peer": peer,
        "theirs": round(scale * statistics.median(theirs), 1),
        "ratio": round(middle, 3),
        "ratio_q1": round(low, 3),
        "ratio_q3": round(high, 3),
    }
    print(json.dumps(line), flush=True)


def different_bodies(count: int) -> list[burgess.Trial]:
    """Trials of different random creatures that last long enough."""
    task = burgess.Task("walk").replace(duration=600, stop={"still": 0, "progress": 0}, limits={"steps": 10**9})
    check = task.replace(duration=1, transient=0.5, trials={"count": 1})
    trials: list[burgess.Trial] = []
    seed = 0
    while len(trials) < count:
        genomes = [burgess.Genome.random(("graph", "legged")[s % 2], seed=s) for s in range(seed, seed + 50)]
        seed += 50
        found = burgess.evaluate(genomes, check, seed=0)
        trials += [burgess.Trial(g, task) for g, e in zip(genomes, found, strict=True) if e.outcome == "scored"]
    return trials[:count]


def bodies(seconds: float) -> None:
    """100 different bodies: one call of Python for each update of the brains, against one call for a whole slice."""
    trials = different_bodies(100)
    batch = burgess.Batch(trials, threads=1)
    batch.reset([0] * len(trials))
    random = np.random.default_rng(1)

    # An action is held for a slice, because a call without Python holds it. Worlds take turns in both.
    def by_python(number: int) -> None:
        actions = random.uniform(-0.5, 0.5, batch.action_mask.shape)
        for _ in range(number):
            batch.step(actions)

    def native(number: int) -> None:
        batch._step_in_turns(random.uniform(-0.5, 0.5, batch.action_mask.shape), number)

    # Longer slices, so that the native one has several updates.
    compare("python-bodies", "creature updates/s", by_python, "native", native, 100.0, seconds, 5 * SLICE)
    ended = int(np.logical_or(*batch.step(np.zeros(batch.action_mask.shape))[2:]).sum())
    print(f"bench/run: {ended} of {len(trials)} trials ended before the end of the benchmark", file=sys.stderr)


def main() -> None:
    """Run the comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--environments", type=int, default=16)
    given = parser.parse_args()
    count = given.environments
    peers = {"Gymnasium SyncVectorEnv": ("gymnasium", gymnasium_ants), "EnvPool": ("envpool", envpool_ants)}
    peers["mjbatch"] = ("mjbatch", mjbatch_ants)
    peers["mjbatch, semi-implicit Euler"] = ("mjbatch", partial(mjbatch_ants, euler=True))
    own = ours(given.model, count)
    for name, (module, make) in peers.items():
        if importlib.util.find_spec(module) is None:
            print(f"bench/run: without {name}: it is not installed", file=sys.stderr)
            continue
        compare("python-ant", "environment steps/s", own, name, make(given.model, count), float(count), given.seconds)
    bodies(given.seconds)


if __name__ == "__main__":
    main()
