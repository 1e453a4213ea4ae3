//! Determinism: one hash for a thousand evaluations of both families over many tasks, on one thread and
//! on two.

use burgess_creature::evaluation::evaluate;
use burgess_creature::task::Task;
use burgess_creature::{AnyGenome, Family, GenomeSettings, Random};
use burgess_simulation::StateHash;

const EVALUATIONS: u64 = 1000;
const GOLDEN: u64 = 0xf661b6174d8b9fab;

/// Short trials, so that a thousand take seconds.
fn tasks() -> Vec<Task> {
    let short = |task: Task| {
        let mut task = Task { settle: task.settle.min(0.15), duration: 0.25, transient: 0.1, ..task };
        task.trials.count = 1;
        task
    };
    Task::presets().map(short).collect()
}

/// Random genomes, some of them mutated.
fn genome(index: u64) -> AnyGenome {
    let (settings, mut random) = (GenomeSettings::default(), Random::for_purpose(11, &[index]));
    let family = Family::ALL[index as usize % 2];
    let genome = family.random(&settings, &mut random);
    if index % 4 < 2 { genome } else { genome.mutate(&settings, &mut random) }
}

fn hashes(indices: impl Iterator<Item = u64>) -> Vec<(u64, u64)> {
    let tasks = tasks();
    indices
        .map(|index| (index, evaluate(&genome(index), &tasks[index as usize / 2 % tasks.len()], index).hash()))
        .collect()
}

fn together(mut hashes: Vec<(u64, u64)>) -> u64 {
    hashes.sort_unstable();
    let mut all = StateHash::default();
    hashes.iter().for_each(|(_, hash)| all.word(*hash));
    all.finish()
}

#[test]
fn a_thousand_evaluations_have_one_hash() {
    let hash = together(hashes(0..EVALUATIONS));
    assert_eq!(hash, GOLDEN, "a thousand evaluations have the hash {hash:#x}");
}

#[test]
fn two_threads_give_the_same_hash() {
    let half = |first: u64| std::thread::spawn(move || hashes((first..EVALUATIONS).step_by(2)));
    let halves = [half(0), half(1)];
    let all = halves.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    assert_eq!(together(all), GOLDEN);
}

#[test]
fn many_of_them_are_scored() {
    let tasks = tasks();
    let scored =
        |index: &u64| evaluate(&genome(*index), &tasks[*index as usize / 2 % tasks.len()], *index).outcome.is_scored();
    let count = (0..100).filter(scored).count();
    assert!(count > 30, "{count} of 100 are scored");
}
