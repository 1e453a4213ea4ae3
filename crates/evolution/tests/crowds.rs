//! Runs that tune the behaviour net of a crowd.

use burgess_creature::AnyGenome;
use burgess_creature::evaluation::evaluate;
use burgess_creature::task::Task;
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{Archive, RecordedResult, Run, RunConfig};

use crate::common::formula_runs::{Scratch, StopAfter};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/tasks/counterflow.toml");

/// The example, with a few evaluations of one trial.
fn small() -> RunConfig {
    let mut task = Task::from_file(&std::fs::read_to_string(FILE).unwrap(), FILE).unwrap();
    (task.duration, task.trials.count) = (30.0, 1);
    let mut config = RunConfig::recipe(task);
    config.evaluations = 32;
    config.shrink_defaults();
    config.check().unwrap();
    config
}

fn advanced(archive: Archive, threads: usize) -> Archive {
    let mut run = Run::new(archive).unwrap();
    run.advance(&mut Threads::new(threads), &mut |_: &RecordedResult| ()).unwrap();
    run.into_archive()
}

/// The best tuning of a short run lets people pass each other sooner than the numbers of the scene do, for new speeds,
/// too. The run has the same hash with any number of threads and after an interruption.
#[test]
fn runs_tune_crowds_with_the_same_hash() {
    let (config, scratch) = (small(), Scratch::new("crowds"));
    scratch.clear();
    let archive = advanced(Archive::create(&scratch.0, &config, &[]).unwrap(), 2);
    let (hash, champion) = (archive.hash(), archive.champion().unwrap());
    drop(archive);
    let own = AnyGenome::Tuning(config.task.crowd.as_ref().unwrap().own_genome().unwrap());
    let fitness = |genome: &AnyGenome| -> f64 {
        (900..903).map(|seed| evaluate(genome, &config.task, seed).fitness).sum::<f64>() / 3.0
    };
    let (tuned, untuned) = (fitness(&champion.genome), fitness(&own));
    println!("fitness {tuned:.2} tuned, {untuned:.2} with the numbers of the scene");
    assert!(tuned > 1.2 * untuned, "{tuned} and {untuned}");

    scratch.clear();
    let mut run = Run::new(Archive::create(&scratch.0, &config, &[]).unwrap()).unwrap();
    run.advance(&mut Threads::new(1), &mut StopAfter { last: 11, recorded: 0 }).unwrap();
    drop(run);
    let resumed = advanced(Archive::open(&scratch.0).unwrap(), 1);
    assert_eq!((resumed.count(), resumed.hash()), (32, hash));
}

/// Genomes that do not fit the task are refused.
#[test]
fn genomes_must_fit_the_crowd() {
    let refused = |change: fn(&mut RunConfig)| {
        let mut config = small();
        change(&mut config);
        config.check().unwrap_err().to_string()
    };
    assert!(refused(|config| config.family = burgess_creature::Family::Legged).contains("family = \"tuning\""));
    assert!(refused(|config| config.genomes.tuning.numbers = 3).contains("tunes 4 numbers, found 3"));
    assert!(refused(|config| config.task = Task::preset("walk").unwrap()).contains("no crowd"));
}
