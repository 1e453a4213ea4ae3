"""Batches: the same bits for any number of threads, padded arrays, masks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import burgess


def different_bodies(task: burgess.Task, count: int) -> list[burgess.Genome]:
    """Random genomes that grow into bodies which can start."""
    found: list[burgess.Genome] = []
    seed = 0
    while len(found) < count:
        genome = burgess.Genome.random(("graph", "legged")[seed % 2], seed=seed)
        if burgess.evaluate(genome, task, seed=0).outcome == "scored":
            found.append(genome)
        seed += 1
    return found


def actions(batch: burgess.Batch, step: int) -> npt.NDArray[np.float64]:
    return np.random.default_rng(step).uniform(-1, 1, batch.action_mask.shape)


def test_the_bits_do_not_depend_on_threads_or_batches(short: burgess.Task) -> None:
    bodies = different_bodies(short, 6)
    hashes: list[list[str]] = []
    for threads in (1, 2, 3):
        trials = [burgess.Trial(body, short) for body in bodies]
        batch = burgess.Batch(trials, threads=threads)
        assert batch.threads == threads
        batch.reset(list(range(6)))
        for step in range(20):
            batch.step(actions(batch, step))
        hashes.append(batch.state_hashes)
        assert hashes[-1] == [trial.state_hash for trial in trials]
    assert hashes[0] == hashes[1] == hashes[2]
    # One by one.
    mask = burgess.Batch([burgess.Trial(body, short) for body in bodies], threads=1).action_mask
    for row, body in enumerate(bodies):
        trial = burgess.Trial(body, short)
        trial.reset(row)
        for step in range(20):
            drawn = np.random.default_rng(step).uniform(-1, 1, mask.shape)
            trial.step(drawn[row, mask[row]])
        assert trial.state_hash == hashes[0][row]


def test_arrays_are_padded_and_live(short: burgess.Task) -> None:
    trials = [burgess.Trial(name, short) for name in ("walker", "quadruped", "centipede")]
    batch = burgess.Batch(trials, threads=2)
    sizes = [trial.observation_sizes[0] for trial in trials]
    assert batch.observation_mask.sum(axis=1).tolist() == sizes
    assert batch.action_mask.sum(axis=1).tolist() == [trial.action_sizes[0] for trial in trials]
    observations = batch.reset([1, 2, 3])
    assert observations.shape == (3, max(sizes))
    assert not observations[~batch.observation_mask].any()
    first = observations.copy()
    found, rewards, terminated, truncated = batch.step(actions(batch, 0))
    assert np.shares_memory(found, observations)
    assert np.shares_memory(found, batch.observations)
    assert not np.array_equal(first, observations)
    assert rewards.shape == terminated.shape == truncated.shape == (3,)
    # Numbers in the padding are ignored.
    padded = np.where(batch.action_mask, 0.0, np.nan)
    batch.step(padded)
    # A part of the worlds can be reset.
    before = batch.state_hashes
    batch.reset([9, 9, 9], [False, True, False])
    after = batch.state_hashes
    assert [a == b for a, b in zip(before, after, strict=True)] == [True, False, True]


def test_simulations_and_trials_in_one_batch(short: burgess.Task) -> None:
    scene, alone = burgess.Simulation("pendulum"), burgess.Simulation("pendulum")
    batch = burgess.Batch([scene, burgess.Trial("walker", short)], threads=2)
    batch.reset([1, 1])
    batch.step(np.zeros(batch.action_mask.shape), repeat=5)
    alone.step(5)
    assert batch.state_hashes[0] == alone.state_hash
    assert np.array_equal(batch.observations[0, :2], alone.positions)
    assert np.array_equal(scene.positions, alone.positions)


def test_repeated_steps_are_single_steps(short: burgess.Task) -> None:
    one = burgess.Batch([burgess.Trial("walker", short)], threads=1)
    many = burgess.Batch([burgess.Trial("walker", short)], threads=1)
    one.reset([1])
    many.reset([1])
    held = actions(one, 1)
    rewards = sum(one.step(held)[1][0] for _ in range(12))
    assert many.step(held, repeat=12)[1][0] == rewards
    assert one.state_hashes == many.state_hashes
    assert np.array_equal(one.observations, many.observations)
    assert one.scores.tolist() == many.scores.tolist()
