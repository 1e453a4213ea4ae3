//! Compares whole simulators: standing boxes in Burgess and in Rapier.

use anyhow::Result;
use burgess_bench::standing::{SETTLING, STEP, Scene, SideBySide, Steadiness};
use serde::Serialize;

use crate::{Options, duel, report};

/// Runs `wall-34`.
pub fn wall(options: &Options) -> Result<()> {
    compare("wall-34", options, Scene::wall())
}

/// Runs `pyramid-1240`.
pub fn pyramid(options: &Options) -> Result<()> {
    compare("pyramid-1240", options, Scene::pyramid())
}

/// Additional fields of the output, measured after the first [`SETTLING`] steps.
#[derive(Serialize)]
struct Standing {
    /// Time per step until then, in ns.
    ours_settling: f64,
    theirs_settling: f64,
    ours_drift: f64,
    theirs_drift: f64,
    ours_penetration: f64,
    theirs_penetration: f64,
    ours_contacts: usize,
    theirs_contacts: usize,
    steps: usize,
    step_size: f64,
}

fn compare(bench: &str, options: &Options, scene: Scene) -> Result<()> {
    let mut sides = SideBySide::new(scene)?;
    let [ours, theirs]: [Steadiness; 2] = sides.steadiness();
    let measured = duel::run(&mut sides, options.seconds)?;
    let [ours_says, theirs_says] = sides.remarks();
    eprintln!("{bench}: ours: {ours_says}{theirs_says}");
    let [ours_settling, theirs_settling] = sides.settling().map(f64::round);
    let standing = Standing {
        ours_settling,
        theirs_settling,
        ours_drift: ours.drift,
        theirs_drift: theirs.drift,
        ours_penetration: ours.penetration,
        theirs_penetration: theirs.penetration,
        ours_contacts: ours.contacts,
        theirs_contacts: theirs.contacts,
        steps: SETTLING,
        step_size: STEP,
    };
    report::print_with(bench, "ns/step", "rapier3d-f64", &measured, &standing)
}
