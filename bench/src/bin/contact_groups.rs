//! Measures the solver of contact groups: time of each module, distribution of factorizations, residuals.
//!
//! ```text
//! contact_groups [COUNT] [SECONDS]              # random creatures that crawl
//! contact_groups --scenes [NAME] [--seconds S]  # built-in scenes with large groups, and balls thrown at `stack`
//! ```

use anyhow::{Result, bail};
use burgess_bench::groups::{self, Tally};
use clap::Parser;

/// Measure the solver of contact groups.
#[derive(Parser)]
#[command(name = "contact_groups")]
struct Options {
    /// Number of creatures.
    #[arg(default_value_t = 40)]
    count: usize,
    /// Simulated time of each creature or scene, in s.
    #[arg(default_value_t = 10.0)]
    seconds: f64,
    /// Simulate scenes whose name starts with this text instead of creatures; all of them if it is empty.
    #[arg(long)]
    scenes: Option<String>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let Some(name) = options.scenes else {
        let mut tally = Tally::default();
        for creature in groups::creatures(options.count) {
            tally.simulate(creature.begin()?, options.seconds);
        }
        tally.print("creatures");
        return Ok(());
    };
    let scenes: Vec<_> = groups::scenes().into_iter().filter(|scene| scene.name.starts_with(&name)).collect();
    if scenes.is_empty() {
        bail!("no scene of this benchmark starts with '{name}'");
    }
    for scene in scenes {
        let mut tally = Tally::default();
        tally.simulate(scene.run(".", &Default::default())?, options.seconds);
        tally.print(&scene.name);
    }
    Ok(())
}
