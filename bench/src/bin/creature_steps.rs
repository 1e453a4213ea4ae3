//! Lives of the benchmark's creatures, ours only, for profilers.
//!
//!     creature_steps [FIRST] [COUNT] [SECONDS]

use anyhow::Result;
use burgess_bench::creatures::life::Creature;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<f64>());
    let first = arguments.next().transpose()?.unwrap_or(0.0) as u64;
    let count = arguments.next().transpose()?.unwrap_or(20.0) as u64;
    let seconds = arguments.next().transpose()?.unwrap_or(10.0);
    let (mut steps, mut contacts) = (0, 0);
    for seed in first..first + count {
        let Some(creature) = Creature::new(seed).filter(Creature::crawls) else { continue };
        let mut run = match creature.begin() {
            Ok(run) => run,
            Err(error) => {
                println!("{seed}: {error:#}");
                continue;
            }
        };
        let start = std::time::Instant::now();
        while run.simulation.state().time < seconds {
            if let Err(error) = run.simulation.step() {
                println!("{seed}: {error:#}");
                break;
            }
            steps += 1;
            contacts += run.simulation.statistics().contacts;
        }
        let elapsed = start.elapsed().as_secs_f64();
        println!(
            "{seed}: {:.2} us/step, hash {:016x}",
            elapsed / run.simulation.steps() as f64 * 1e6,
            run.simulation.state_hash()
        );
    }
    println!("{steps} steps, {} contacts a step", contacts as f64 / steps as f64);
    Ok(())
}
