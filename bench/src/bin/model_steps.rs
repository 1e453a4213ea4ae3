//! Steps one of Gymnasium's models repeatedly from its recorded states in Burgess only, for profiling.
//!
//!     model_steps MODELS_FOLDER MODEL [STEPS] [CONTACTS]
//!
//! CONTACTS is 0-1, 2 or 3+; by default all states are used. As in `bench/run models`, each step starts from a state
//! that is reached by one step from the previous state, so half of the counted steps only prepare a state.

use std::path::{Path, PathBuf};

use anyhow::Result;
use burgess_bench::gymnasium::burgess::Burgess;
use burgess_bench::gymnasium::corpus::{self, Bin};
use burgess_bench::gymnasium::{STEP, model_file};
use clap::Parser;

/// Step one model from its recorded states.
#[derive(Parser)]
struct Options {
    /// Folder of Gymnasium's models.
    folder: PathBuf,
    /// Model: ant, humanoid, half_cheetah, hopper or walker2d.
    model: String,
    /// Number of steps.
    #[arg(default_value_t = 10_000)]
    steps: usize,
    /// Number of contacts of the states: 0-1, 2 or 3+.
    contacts: Option<String>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let bins: Vec<Bin> =
        Bin::ALL.into_iter().filter(|bin| options.contacts.as_deref().is_none_or(|name| name == bin.name())).collect();
    let mut samples = corpus::read(Path::new(corpus::FILE), &options.model)?;
    samples.retain(|sample| bins.iter().any(|bin| bin.has(sample.contacts)));
    let mut world = Burgess::load(&model_file(Some(&options.folder), &options.model)?, STEP)?;
    for sample in samples.iter().cycle().take(options.steps / 2) {
        world.move_to(sample)?;
        world.step()?;
    }
    println!("{} steps from {} states", options.steps / 2 * 2, samples.len());
    Ok(())
}
