"""Genomes, brains, evaluation, runs and evolution."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from conftest import Program

import burgess


@pytest.mark.parametrize("family", ["graph", "legged"])
def test_operators_are_functions_of_their_seed(family: str) -> None:
    genomes = [burgess.Genome.random(family, seed=seed) for seed in range(20)]
    assert len(set(genomes)) == 20
    for seed, genome in enumerate(genomes):
        assert genome == burgess.Genome.random(family, seed=seed)
        assert genome.family == family
        assert genome.mutate(seed=3) == genome.mutate(seed=3)
        child = genome.recombine(genomes[seed - 1], "intermediate", seed=5)
        assert child == genome.recombine(genomes[seed - 1], "intermediate", seed=5)
        assert burgess.Genome.from_bytes(bytes(child)) == child
        assert pickle.loads(pickle.dumps(child)) == child
        assert child.describe()
    assert len({genome.mutate(seed=7) for genome in genomes} - set(genomes)) > 10


def test_creatures_are_files(tmp_path: Path) -> None:
    walker = burgess.Creature("walker")
    assert (walker.name, walker.task.name, walker.genome.family) == ("walker", "walk", "graph")
    walker.save(tmp_path / "mine.json")
    again = burgess.Creature(tmp_path / "mine.json")
    assert again.genome == walker.genome
    assert pickle.loads(pickle.dumps(walker)).to_json() == walker.to_json()
    assert walker._repr_svg_().startswith("<svg")  # pyright: ignore[reportPrivateUsage]


def test_tasks_can_be_changed() -> None:
    task = burgess.Task("walk")
    changed = task.replace(duration=3, arena={"friction": 0.5})
    assert (changed.duration, task.duration) == (3.0, 12.0)
    assert "friction = 0.5" in changed.to_toml()
    assert burgess.Task.from_toml(changed.to_toml()) == changed
    assert pickle.loads(pickle.dumps(changed)) == changed
    assert task.replace() == task
    plain = task.replace(fitness="2 * forward")
    assert plain.score({"forward": 1.5}) == 3.0


def test_a_brain_can_be_stepped_alone(short: burgess.Task) -> None:
    """The trial that a brain drives from outside is the evaluation, bit for bit."""
    genomes = [burgess.Genome.random(family, seed=seed) for seed in range(4) for family in ("graph", "legged")]
    creatures = [burgess.Creature(name) for name in ("walker", "quadruped")] + [
        burgess.Creature(genome) for genome in genomes if genome.unviable(short) is None
    ]
    driven = 0
    for seed, creature in enumerate(creatures):
        expected = burgess.evaluate(creature, short, seed=seed)
        if expected.outcome != "scored":
            continue
        brain = creature.brain(short)
        with burgess.Trial(creature, short, seed=seed) as trial:
            observation, over, total = trial.reset(), False, 0.0
            assert (len(observation), sum(trial.action_sizes)) == (brain.senses, brain.outputs)
            while not over:
                observation, reward, terminated, truncated = trial.step(brain.step(observation))
                over = terminated or truncated
                total += reward
            assert trial.score() == expected.fitness
            assert trial.measures() == expected.measures
            # Rewards add up to the fitness, but for rounding.
            assert total == pytest.approx(expected.fitness, abs=1e-9)
        driven += 1
    assert driven >= 4


def test_evaluations_do_not_depend_on_threads(short: burgess.Task) -> None:
    genomes = [burgess.Genome.random(family, seed=seed) for seed in range(6) for family in ("graph", "legged")]
    one = [evaluation.hash for evaluation in burgess.evaluate(genomes, short, seed=4, threads=1)]
    two = [evaluation.hash for evaluation in burgess.evaluate(genomes, short, seed=4, threads=2)]
    assert one == two
    assert len(set(one)) > 3
    assert burgess.evaluate([], short) == []


def test_a_fitness_in_python(short: burgess.Task) -> None:
    def lightness(measures: Mapping[str, float]) -> float:
        return 1.0 / measures["mass"]

    found = burgess.evaluate("walker", short, fitness=lightness)
    assert found.fitness == 1.0 / found.measures["mass"]
    with pytest.raises(ValueError, match="must be finite"):
        burgess.evaluate("walker", short, fitness=lambda _: float("nan"))
    recorded = burgess.evaluate("walker", short, record=True)
    assert recorded.recording
    assert recorded.hash == burgess.evaluate("walker", short).hash


def test_runs_are_those_of_the_command_line(program: Program, tmp_path: Path) -> None:
    expected = program("evolve", "walk", "--evaluations", "16", "--seed", "3", "--run", str(tmp_path / "cli.burgess"))
    seen: list[int] = []
    run = burgess.evolve(
        "walk", tmp_path / "python.burgess", evaluations=16, seed=3, callback=lambda number, _: seen.append(number)
    )
    assert run.archive_hash == expected["archive_hash"]
    assert seen == list(range(16))
    assert len(run) == 16
    theirs = burgess.Run(tmp_path / "cli.burgess")
    columns = theirs.columns()
    assert columns == run.columns()
    assert run.damage is None
    # The evaluations of the archive, again.
    for number in range(0, 16, 5):
        assert burgess.evaluate(theirs[number]).hash == columns["hash"][number]
    champion = run.champion
    assert champion.fitness == expected["best_fitness"]
    frame = run.frame("pandas")
    assert frame.shape[0] == 16
    assert frame["fitness"].max() == max(columns["fitness"])
    with pytest.raises(FileExistsError):
        burgess.evolve("walk", tmp_path / "python.burgess", evaluations=16)
    with pytest.raises(IndexError):
        run[99]
    with pytest.raises(ValueError, match="expected 'polars' or 'pandas'"):
        run.frame("excel")


def test_an_exception_in_a_callback_ends_the_run(tmp_path: Path) -> None:
    def stop(number: int, fitness: float) -> None:
        raise KeyError(number)

    with pytest.raises(KeyError):
        burgess.evolve("walk", tmp_path / "run.burgess", evaluations=16, callback=stop)


def test_an_evolution_of_ones_own(short: burgess.Task) -> None:
    """The example of the guide: truncation selection in a few lines."""
    population = [burgess.Genome.random(seed=seed) for seed in range(8)]
    best: list[float] = []
    for generation in range(3):
        found = burgess.evaluate(population, short, seed=1)
        order = np.argsort([-evaluation.fitness for evaluation in found])
        parents = [population[index] for index in order[:3]]
        best.append(found[order[0]].fitness)
        children = [parents[index % 3].mutate(seed=100 * generation + index) for index in range(5)]
        population = [*parents, *children]
    assert best == sorted(best)
    assert best[-1] > 0


def test_cma_asks_and_tells(short: burgess.Task) -> None:
    cma = pytest.importorskip("cma")
    problem = burgess.ControlProblem("quadruped", short, seed=1)
    start = problem.evaluate([problem.start])[0].fitness
    search = cma.CMAEvolutionStrategy(problem.start, 0.5, {"seed": 1, "verbose": -9, "popsize": 6})
    for _ in range(3):
        vectors = search.ask()
        search.tell(vectors, [-evaluation.fitness for evaluation in problem.evaluate(vectors)])
    assert -search.result.fbest > start
    assert problem.genome(search.result.xbest) != problem.base
