//! The results page of the simulator: physics checks, SimBenchmark, the experiments of Fontijne (2000) section 3.11.1,
//! the speed of the built-in scenes, and the audit with random worlds.

pub mod audit;
mod contact_handling;
mod physics;
mod scenes;
mod simbenchmark;

use std::path::Path;

use anyhow::Result;

use crate::chapter::{Chapter, Progress};

/// Number of progress units of the page.
pub fn units() -> u64 {
    physics::units() + simbenchmark::units() + contact_handling::UNITS + scenes::units()
}

/// Measures all chapters. Only built-in scenes are used, so no folder is read.
pub fn measure(progress: &Progress) -> Result<Vec<Chapter>> {
    Ok(vec![
        physics::measure(progress)?,
        simbenchmark::measure(progress)?,
        contact_handling::measure(progress)?,
        scenes::measure(progress)?,
    ])
}

/// Returns the introduction of the page.
pub fn opening(machine: &str) -> String {
    format!(
        "# Results: simulation\n\n\
        Accuracy and speed of the simulator with all of its paradigms. This page and its pictures are written by\n\n    \
        bench/results simulation\n\n\
        which takes about ten minutes on a quiet machine. Errors, counts and outcomes are the same on every machine; times \
        were measured on this one: \
        {machine}; Burgess {version}, release build, one thread. The [sources](../../ARCHITECTURE.md#sources) are cited by author and year.\n\n\
        `time-stepping` is the default paradigm: it must be fast, and accurate in all scenes. Each other paradigm is \
        the best at something; the results show its limits, too.\n\n",
        version = env!("CARGO_PKG_VERSION"),
    )
}

/// Folder of the pictures, relative to the page.
pub const FOLDER: &str = "simulation";

/// File name of the page.
pub fn page(output: &Path) -> std::path::PathBuf {
    output.join("simulation.md")
}
