//! Reports the standing scenes second by second: one JSON line for each second and simulator, with drift, penetration,
//! contacts, time per step, and solver statistics. For tuning; `bench/run simulation` is the comparison.

use anyhow::{Result, bail};
use burgess_bench::duel::processor_seconds;
use burgess_bench::standing::{Burgess, Rapier, SETTLING, Scene, Standing, Steadiness};
use clap::Parser;
use serde::Serialize;

/// Report the standing scenes second by second.
#[derive(Parser)]
#[command(name = "standing")]
struct Options {
    /// Scene: `wall-34` or `pyramid-1240`.
    scene: String,
    /// Simulated time, in s.
    #[arg(long, default_value_t = 5)]
    seconds: usize,
    /// Simulate only with Burgess, for profiling.
    #[arg(long)]
    ours: bool,
}

#[derive(Serialize)]
struct Line<'a> {
    scene: &'a str,
    side: &'a str,
    second: usize,
    ns_per_step: f64,
    #[serde(flatten)]
    steadiness: Steadiness,
    /// Mean number of solver sweeps in the second.
    sweeps: Option<f64>,
    /// Largest residual in the second, in m/s.
    residual: Option<f64>,
    /// Mean number of sub-steps of a step in the second, and how many of them were predicted again.
    sub_steps: Option<f64>,
    corrected_predictions: Option<f64>,
    /// Largest error of the energy of a sub-step in the second, relative to the kinetic energy.
    energy_error: Option<f64>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let scene = match options.scene.as_str() {
        "wall-34" => Scene::wall(),
        "pyramid-1240" => Scene::pyramid(),
        other => bail!("unknown scene '{other}'; expected wall-34 or pyramid-1240"),
    };
    let mut ours = Burgess::new(&scene)?;
    let mut theirs = (!options.ours).then(|| Rapier::new(&scene));
    for second in 1..=options.seconds {
        let (mut sweeps, mut residual) = (0.0, 0.0_f64);
        let (mut sub_steps, mut corrected, mut energy_error) = (0.0, 0.0, 0.0_f64);
        let seconds = timed(|| {
            ours.step()?;
            let work = ours.simulation().statistics().solver;
            sweeps += f64::from(work.sweeps) / SETTLING as f64;
            residual = residual.max(work.residual);
            let statistics = ours.simulation().statistics();
            sub_steps += statistics.sub_steps.max(1) as f64 / SETTLING as f64;
            corrected += statistics.corrected_predictions as f64 / SETTLING as f64;
            energy_error = energy_error.max(statistics.energy_error);
            Ok(())
        })?;
        let line = |side, seconds: f64, steadiness| Line {
            scene: &options.scene,
            side,
            second,
            ns_per_step: 1e9 * seconds / SETTLING as f64,
            steadiness,
            sweeps: None,
            residual: None,
            sub_steps: None,
            corrected_predictions: None,
            energy_error: None,
        };
        let own = line("burgess", seconds, Steadiness::measure(&scene, &ours));
        let own = Line {
            sweeps: Some(sweeps),
            residual: Some(residual),
            sub_steps: Some(sub_steps),
            corrected_predictions: Some(corrected),
            energy_error: Some(energy_error),
            ..own
        };
        println!("{}", serde_json::to_string(&own)?);
        if let Some(theirs) = &mut theirs {
            let seconds = timed(|| theirs.step())?;
            println!("{}", serde_json::to_string(&line("rapier3d-f64", seconds, Steadiness::measure(&scene, theirs)))?);
        }
    }
    Ok(())
}

/// Returns the CPU time of one simulated second, in s.
fn timed(mut step: impl FnMut() -> Result<()>) -> Result<f64> {
    let start = processor_seconds();
    (0..SETTLING).try_for_each(|_| step())?;
    Ok(processor_seconds() - start)
}
