//! What the default windows cost on many threads, in virtual time. Every evaluation has a simulated duration, so the
//! result does not depend on the machine.

use std::collections::BTreeSet;

use crate::common::formula_runs::*;
use crate::common::*;
use burgess_creature::Random;
use burgess_evolution::algorithm::*;
use burgess_evolution::evaluator::{Evaluator, EvaluatorError, Job};
use burgess_evolution::{
    AlgorithmConfig, Archive, ChampionSettings, EvaluationResult, Id, OutcomeKind, RecordedResult, Run, RunConfig,
    StageConfig,
};

/// Threads that evaluate by formula. Times are whole numbers of physics steps.
struct VirtualThreads {
    /// When each thread becomes free.
    free: Vec<u64>,
    /// Evaluations in progress or queued, by the time at which they end.
    ends: BTreeSet<(u64, Id)>,
    results: std::collections::BTreeMap<Id, EvaluationResult>,
    now: u64,
    busy: u64,
}

impl VirtualThreads {
    fn new(count: usize) -> Self {
        Self { free: vec![0; count], ends: BTreeSet::new(), results: Default::default(), now: 0, busy: 0 }
    }
}

/// Duration of an evaluation of the walking task, in physics steps of a creature of mean size. As in its runs, most
/// creatures fall within the first trial, and one in ten walks through all three, at 3360 steps each. A step takes
/// between half and twice the mean, depending on the number of parts and contacts.
fn duration(job: &Job) -> u64 {
    let mut random = Random::new(job.seed ^ 0x5eed);
    let share = random.between(0.0, 1.0);
    let steps = match share {
        _ if share < 0.7 => random.between(800.0, 2000.0),
        _ if share < 0.9 => random.between(2000.0, 6000.0),
        _ => 10_080.0,
    };
    (steps * random.between(0.5, 2.0)) as u64
}

impl Evaluator for VirtualThreads {
    fn capacity(&self) -> usize {
        4 * self.free.len()
    }

    fn submit(&mut self, job: Job) -> Result<(), EvaluatorError> {
        // The queue is served in order.
        let Some(thread) = self.free.iter_mut().min() else { return Ok(()) };
        let duration = duration(&job);
        *thread = (*thread).max(self.now) + duration;
        self.busy += duration;
        self.ends.insert((*thread, job.id));
        let (outcome, reason, fitness) = (OutcomeKind::Scored, String::new(), closeness(&job.genome));
        let descriptors = descriptors(&job.genome);
        let result = EvaluationResult { outcome, reason, fitness, descriptors, ..EvaluationResult::faulty("") };
        self.results.insert(job.id, result);
        Ok(())
    }

    fn next(&mut self) -> Result<Option<(Id, EvaluationResult)>, EvaluatorError> {
        let Some((end, id)) = self.ends.pop_first() else { return Ok(None) };
        self.now = end;
        Ok(self.results.remove(&id).map(|result| (id, result)))
    }
}

/// Share of the threads' time that is used, and the hash of the archive.
fn used(config: &RunConfig, threads: usize, scratch: &Scratch) -> (f64, u64) {
    scratch.clear();
    let mut run = Run::new(Archive::create(&scratch.0, config, &[]).unwrap()).unwrap();
    let mut evaluator = VirtualThreads::new(threads);
    run.advance(&mut evaluator, &mut |_: &RecordedResult| ()).unwrap();
    (evaluator.busy as f64 / (threads as u64 * evaluator.now) as f64, run.archive().hash())
}

/// The default recipe, and every algorithm with its defaults, on 16 and 64 threads. On 16 threads 90 % of the time is
/// used.
#[test]
fn default_windows_keep_many_threads_busy() {
    let scratch = Scratch::new("windows");
    let staged = RunConfig { attempts: 1, ..RunConfig::recipe(task("")) };
    let plain = |algorithm| {
        let stages = vec![StageConfig { algorithm: Some(algorithm), ..Default::default() }];
        RunConfig { attempts: 1, evaluations: 3000, stages, ..RunConfig::for_task(task("")) }
    };
    let all = AlgorithmConfig::NAMES.map(|name| (name, plain(AlgorithmConfig::with_defaults(name).unwrap())));
    for (name, config) in [("recipe", staged)].into_iter().chain(all) {
        let (on_one, hash) = used(&config, 1, &scratch);
        let [on_16, on_64] = [16, 64].map(|threads| {
            let (share, found) = used(&config, threads, &scratch);
            assert_eq!(found, hash, "{name} on {threads} threads");
            share
        });
        println!("{name}: {:.1} % of 16 threads, {:.1} % of 64 threads", 100.0 * on_16, 100.0 * on_64);
        assert!(on_one > 0.999, "{name}: {on_one}");
        assert!(on_16 >= 0.9, "{name}: {on_16} of 16 threads");
    }
}

/// Six creatures in flight for each thread: the window that the guide recommends for 64 threads. The time that is not used
/// is that of the last births, which are retests and have a window of their own, and of the end of the first stage.
#[test]
fn a_window_of_384_keeps_64_threads_busy() {
    let scratch = Scratch::new("wide-window");
    let mut config = RunConfig { attempts: 1, ..RunConfig::recipe(task("")) };
    config.scale_to(8000);
    config.set_window(384);
    let (on_64, hash) = used(&config, 64, &scratch);
    println!("recipe with a window of 384: {:.1} % of 64 threads", 100.0 * on_64);
    assert_eq!(used(&config, 16, &scratch).1, hash);
    config.champions = ChampionSettings::NONE;
    let without_retests = used(&config, 64, &scratch).0;
    println!("without retests: {:.1} %", 100.0 * without_retests);
    assert!(on_64 >= 0.85 && without_retests >= 0.9, "{on_64} {without_retests}");
}

/// `cargo test -p burgess-evolution table_of_windows -- --ignored --nocapture`
#[test]
#[ignore = "prints a table"]
fn table_of_windows() {
    let algorithms = |window| {
        [
            AlgorithmConfig::MapElites(MapElitesSettings { window, ..Default::default() }),
            AlgorithmConfig::Strategy(StrategySettings { window, ..Default::default() }),
            AlgorithmConfig::Strategy(StrategySettings { window, sliding: false, ..Default::default() }),
            AlgorithmConfig::Genetic(GeneticSettings { window, ..Default::default() }),
            AlgorithmConfig::AgeFitness(AgeFitnessSettings { window, ..Default::default() }),
        ]
    };
    for window in [0, 16, 32, 48, 64, 96, 128, 192, 256] {
        algorithms(window).into_iter().for_each(|algorithm| print_row(algorithm, window, 2000));
    }
}

/// Windows for 64 threads, which evaluate four times as many creatures in the time of 16 threads.
///
/// `cargo test -p burgess-evolution table_for_64_threads -- --ignored --nocapture`
#[test]
#[ignore = "prints a table"]
fn table_for_64_threads() {
    for window in [96, 256, 384, 512] {
        print_row(AlgorithmConfig::MapElites(MapElitesSettings { window, ..Default::default() }), window, 8000);
        print_row(AlgorithmConfig::Strategy(StrategySettings { window, ..Default::default() }), window, 8000);
    }
}

/// Prints the used share of 16 and 64 threads, and the best fitness: the median of 9 seeds, and the range.
fn print_row(algorithm: AlgorithmConfig, window: u64, evaluations: u64) {
    let scratch = Scratch::new(&format!("window-table-{evaluations}"));
    let name = algorithm.name();
    let champions = ChampionSettings::NONE;
    let config = RunConfig { attempts: 1, evaluations, algorithm, champions, ..RunConfig::for_task(task("")) };
    let shares = [16, 64].map(|threads| 100.0 * used(&config, threads, &scratch).0);
    let mut best: Vec<f64> = (1..=9)
        .map(|seed| {
            scratch.clear();
            let config = RunConfig { seed, ..config.clone() };
            let mut run = Run::new(Archive::create(&scratch.0, &config, &[]).unwrap()).unwrap();
            run.advance(&mut VirtualThreads::new(4), &mut |_: &RecordedResult| ()).unwrap();
            run.archive().champion().unwrap().result.fitness
        })
        .collect();
    best.sort_by(f64::total_cmp);
    println!(
        "{name} {window}: {:.1} {:.1}  best {:.3} ({:.3} to {:.3})",
        shares[0], shares[1], best[4], best[0], best[8]
    );
}
