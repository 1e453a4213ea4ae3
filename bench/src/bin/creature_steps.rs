//! Simulates the creatures of the benchmark in Burgess only, for profiling.
//!
//!     creature_steps [FIRST] [COUNT] [SECONDS] [legged]

use anyhow::Result;
use burgess_bench::creatures::creature::Creature;
use burgess_creature::Family;

fn main() -> Result<()> {
    let is_legged = std::env::args().nth(4).is_some_and(|family| family == Family::Legged.name());
    let mut arguments = std::env::args().skip(1).take(3).map(|argument| argument.parse::<f64>());
    let first = arguments.next().transpose()?.unwrap_or(0.0) as u64;
    let count = arguments.next().transpose()?.unwrap_or(20.0) as u64;
    let seconds = arguments.next().transpose()?.unwrap_or(10.0);
    let (mut steps, mut contacts, mut time) = (0, 0, 0.0);
    for seed in first..first + count {
        let creature = if is_legged { Creature::of(Family::Legged, seed) } else { Creature::new(seed) };
        let Some(creature) = creature.filter(Creature::crawls) else { continue };
        let mut run = match creature.begin() {
            Ok(run) => run,
            Err(error) => {
                println!("{seed}: {error:#}");
                continue;
            }
        };
        let start = std::time::Instant::now();
        let mut sub_steps = 0;
        while run.simulation.state().time < seconds {
            if let Err(error) = run.simulation.step() {
                println!("{seed}: {error:#}");
                break;
            }
            steps += 1;
            sub_steps += run.simulation.statistics().sub_steps.max(1);
            contacts += run.simulation.statistics().contacts;
        }
        let elapsed = start.elapsed().as_secs_f64();
        time += elapsed;
        println!(
            "{seed}: {:.2} us/step, {:.3} sub-steps, hash {:016x}",
            elapsed / run.simulation.steps() as f64 * 1e6,
            f64::from(sub_steps as u32) / run.simulation.steps() as f64,
            run.simulation.state_hash()
        );
    }
    println!("{steps} steps in {time:.3} s, {} contacts per step", contacts as f64 / steps as f64);
    Ok(())
}
