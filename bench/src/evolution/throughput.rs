//! Evaluations per second on one thread and on more.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use burgess_creature::task::Task;
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{Archive, News, Run, RunConfig};
use serde::{Deserialize, Serialize};

/// Creatures of each run.
const EVALUATIONS: u64 = 400;

/// One line of the table.
#[derive(Debug, Serialize, Deserialize)]
pub struct Throughput {
    /// Threads, or 0 for the workers.
    pub threads: usize,
    /// Evaluations per second.
    pub rate: f64,
}

/// What was measured last.
pub fn measured(runs: &Path) -> Vec<Throughput> {
    let text = std::fs::read_to_string(runs.join("throughput.json")).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// The same run on 1, 2, 4 ... threads, up to the cores of the machine; the median of three.
pub fn measure(runs: &Path) -> Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let walk = RunConfig::for_task(Task::preset("walk")?);
    let config = RunConfig { evaluations: EVALUATIONS, ..walk };
    let mut found = Vec::new();
    for threads in (0..).map(|power| 1 << power).take_while(|&threads| threads <= cores) {
        let mut rates = Vec::new();
        for _ in 0..3 {
            let file = runs.join("throughput.burgess");
            let _ = std::fs::remove_file(&file);
            let mut run = Run::new(Archive::create(&file, &config, &[])?)?;
            let start = Instant::now();
            run.advance(&mut Threads::new(threads), &mut |_: &News| ())?;
            rates.push(EVALUATIONS as f64 / start.elapsed().as_secs_f64());
        }
        rates.sort_by(f64::total_cmp);
        eprintln!("{threads} threads: {:.2} evaluations/s", rates[1]);
        found.push(Throughput { threads, rate: rates[1] });
    }
    std::fs::write(runs.join("throughput.json"), serde_json::to_string(&found)?)?;
    Ok(())
}
