//! Random graph genomes: how many of them live, and how many move.

use std::collections::BTreeMap;
use std::time::Instant;

use burgess_creature::evaluation::{Outcome, evaluate};
use burgess_creature::task::{Measure, Task};
use burgess_creature::{Family, GenomeSettings, Random};

/// Distance in 10 s that counts as motion, in m.
const MOTION: f64 = 0.3;

/// Results of random genomes in the walk task, each at its first attempt.
#[derive(Debug, Default)]
struct Census {
    count: usize,
    /// Reasons why genomes were not scored, with their numbers.
    failures: BTreeMap<String, usize>,
    /// Distance of each scored creature in the last 10 s, in m.
    distances: Vec<f64>,
    /// Time of all scored evaluations, in s, their steps, and their steps times the number of parts.
    seconds: f64,
    steps: f64,
    part_steps: f64,
}

impl Census {
    fn of(family: Family, count: usize) -> Self {
        let (settings, task) = (GenomeSettings::default(), Task::preset("walk").unwrap());
        let mut census = Self { count, ..Self::default() };
        for seed in 1..=count as u64 {
            let genome = family.random(&settings, &mut Random::new(seed));
            let started = Instant::now();
            let evaluation = evaluate(&genome, &task, seed);
            let failure = match &evaluation.outcome {
                Outcome::Scored => {
                    census.distances.push(evaluation.measures[Measure::SteadyDistance]);
                    census.seconds += started.elapsed().as_secs_f64();
                    census.steps += evaluation.steps as f64;
                    census.part_steps += evaluation.steps as f64 * evaluation.descriptors.parts as f64;
                    continue;
                }
                Outcome::Unviable(reason) => reason.name().to_string(),
                Outcome::Faulty(faulty) => format!("faulty: {:?}", faulty.reason),
            };
            *census.failures.entry(failure).or_default() += 1;
        }
        census
    }

    fn failed(&self) -> usize {
        self.failures.values().sum()
    }

    /// Returns the number of creatures that moved farther than a distance, in m.
    fn moved(&self, distance: f64) -> usize {
        self.distances.iter().filter(|own| **own > distance).count()
    }

    fn print(&self, name: &str) {
        println!(
            "{name}: {} of {} not scored {:?}; {} moved more than 0.1 m, {} than 0.3 m, {} than 1 m, {} than 3 m; \
             {:.1} parts, {:.1} us per step, {:.2} us per part and step",
            self.failed(),
            self.count,
            self.failures,
            self.moved(0.1),
            self.moved(MOTION),
            self.moved(1.0),
            self.moved(3.0),
            self.part_steps / self.steps,
            1e6 * self.seconds / self.steps,
            1e6 * self.seconds / self.part_steps,
        );
    }
}

#[test]
fn most_random_graphs_live_and_many_move() {
    let census = Census::of(Family::Graph, 60);
    census.print("graph");
    // Of a thousand, more than half move. Sixty may be a few less by chance.
    assert!(20 * census.failed() < 3 * census.count, "{:?}", census.failures);
    assert!(5 * census.moved(MOTION) > 2 * census.count, "{}", census.moved(MOTION));
}

/// `cargo test --release -p burgess-creature graph_vitality -- --ignored --nocapture`
#[test]
#[ignore = "minutes"]
fn of_a_thousand_random_graphs_most_live_and_half_move() {
    Census::of(Family::Legged, 200).print("legged");
    let census = Census::of(Family::Graph, 1000);
    census.print("graph");
    assert!(20 * census.failed() < 3 * census.count, "{:?}", census.failures);
    assert!(2 * census.moved(MOTION) >= census.count, "{}", census.moved(MOTION));
}
