//! Compares the fitness of creatures at the step of their task with their fitness at a fraction of it.
//!
//!     walkers [--starts N] [--divisors 8] CREATURE...
//!
//! Single trials are chaotic, so each fitness is a mean over many starts (seeds of the evaluation). The bias is the
//! relative difference of the means; its standard error follows from the spread over the starts.

use anyhow::Result;
use burgess_catalog::{Arena, Subject};
use burgess_creature::AnyGenome;
use burgess_creature::evaluation::{EvaluationOptions, evaluate_with};
use burgess_creature::random::mix_seed;
use burgess_creature::task::Task;
use clap::Parser;

/// Separates the seeds of the starts from those of other uses.
const PURPOSE: u64 = 0x7761_6c6b;

/// Compare the fitness of creatures at several steps.
#[derive(Parser)]
struct Options {
    /// Number of starts.
    #[arg(long, default_value_t = 16)]
    starts: u64,
    /// Numbers by which the step of the task is divided.
    #[arg(long, value_delimiter = ',', default_value = "8")]
    divisors: Vec<u32>,
    /// Creatures: names, files, RUN or RUN#NUMBER.
    #[arg(required = true)]
    creatures: Vec<String>,
}

/// Mean of a sample and the standard error of the mean.
struct Estimate {
    mean: f64,
    error: f64,
}

impl Estimate {
    fn of(sample: &[f64]) -> Self {
        let count = sample.len() as f64;
        let mean = sample.iter().sum::<f64>() / count;
        let variance = sample.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0).max(1.0);
        Self { mean, error: (variance / count).sqrt() }
    }
}

fn main() -> Result<()> {
    let options = Options::parse();
    print!("| creature | fitness |");
    for divisor in &options.divisors {
        print!(" bias against 1/{divisor} of the step |");
    }
    println!("\n|---|---|{}", "---|".repeat(options.divisors.len()));
    let mut biases = vec![Vec::new(); options.divisors.len()];
    for name in &options.creatures {
        let creature = Subject::resolve(name)?.creature()?;
        let (task, seed) = Arena::default().task_and_seed(&creature)?;
        let coarse = Estimate::of(&fitness(&creature.file.genome, &task, seed, options.starts, 1));
        print!("| {name} | {:.2} ± {:.2} |", coarse.mean, coarse.error);
        for (divisor, biases) in options.divisors.iter().zip(&mut biases) {
            let fine = Estimate::of(&fitness(&creature.file.genome, &task, seed, options.starts, *divisor));
            let bias = coarse.mean / fine.mean - 1.0;
            let error = coarse.mean / fine.mean * libm::hypot(coarse.error / coarse.mean, fine.error / fine.mean);
            print!(" {:+.1} ± {:.1} % |", 100.0 * bias, 100.0 * error);
            biases.push(bias);
        }
        println!();
    }
    print!("| mean | |");
    for biases in &biases {
        let mean = Estimate::of(biases);
        print!(" {:+.1} ± {:.1} % |", 100.0 * mean.mean, 100.0 * mean.error);
    }
    println!();
    Ok(())
}

/// Fitness by each start, with the step of the task divided by a number.
fn fitness(genome: &AnyGenome, task: &Task, seed: u64, starts: u64, divisor: u32) -> Vec<f64> {
    let options = EvaluationOptions { step: Some(task.step / f64::from(divisor)), ..EvaluationOptions::default() };
    (0..starts).map(|start| evaluate_with(genome, task, mix_seed(seed, &[PURPOSE, start]), &options).fitness).collect()
}
