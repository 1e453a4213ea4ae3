//! Champions in MuJoCo: the same body by export, the same brain, the same formula. Run by `bench/referee`, which
//! prepares MuJoCo first.

mod champion;
mod engine;
mod table;
mod variant;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use burgess_peers::mujoco::Library;
use clap::Parser;

use champion::Champion;
use table::{Row, markdown};
use variant::{Variant, reasons, standard};

/// Largest difference of a sense or an output of the brain between Burgess and an engine, on the same motion.
const MAX_BRAIN_DIFFERENCE: f64 = 1e-6;

/// Share of the fitness below which `--why` looks for the reason.
const LOW_SHARE: f64 = 0.6;

/// Compare the fitness of creatures in Burgess and in MuJoCo.
#[derive(Parser)]
#[command(name = "bench/referee")]
struct Options {
    /// Creatures, runs (their champions) or RUN#ID; by default the champions of the results page
    creatures: Vec<String>,
    /// Folder of the experiments, for the champions of the results page
    #[arg(long, value_name = "FOLDER", default_value = "target/experiments")]
    experiments: PathBuf,
    /// Folder of the results of the experiments, which name the champions
    #[arg(long, value_name = "FOLDER", default_value = "docs/results/evolution/runs")]
    results: PathBuf,
    /// Evaluate with N further seeds, too, and use the medians
    #[arg(long, value_name = "N", default_value_t = 0)]
    seeds: u64,
    /// Where less than 60 % of the fitness is kept with stiff contacts, try further variants to find the reason
    #[arg(long)]
    why: bool,
    /// Write the table to this file, too
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Write all figures to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Compiled shim for MuJoCo.
    #[arg(long, env = "BURGESS_BENCH_MUJOCO", hide = true)]
    mujoco: Option<PathBuf>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let library = Library::open(options.mujoco.as_deref())?;
    let champions = match options.creatures.is_empty() {
        true => champion::of_experiments(&options.experiments, &options.results)?,
        false => options.creatures.iter().map(|name| Champion::named(name)).collect::<Result<_>>()?,
    };
    if champions.is_empty() {
        bail!("{} has no champions; run bench/evolution first, or name creatures", options.experiments.display());
    }
    let folder = std::env::temp_dir().join(format!("burgess-referee-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("creature.xml");
    let mut rows = Vec::new();
    for champion in &champions {
        let check = champion.check_brain()?;
        if check.difference > MAX_BRAIN_DIFFERENCE {
            bail!("{}: the brain acts differently in the engine: {check:?}", champion.name);
        }
        let mut row = Row::new(champion, check, options.seeds);
        let play = |variant: &Variant, row: &mut Row| -> Result<()> {
            let load = |xml: &str| engine::load(&library, xml, &file, variant, champion.task.step);
            row.add(variant, champion.judge(options.seeds, load)?);
            eprintln!("{}", row.line());
            Ok(())
        };
        for variant in standard() {
            play(&variant, &mut row)?;
        }
        if options.why && row.stiff_share() < LOW_SHARE {
            for variant in reasons() {
                play(&variant, &mut row)?;
            }
        }
        rows.push(row);
    }
    std::fs::remove_dir_all(&folder)?;
    let page = markdown(&rows);
    print!("{page}");
    if let Some(file) = &options.page {
        std::fs::write(file, &page).with_context(|| file.display().to_string())?;
    }
    if let Some(file) = &options.json {
        std::fs::write(file, serde_json::to_string_pretty(&rows)? + "\n")
            .with_context(|| file.display().to_string())?;
    }
    Ok(())
}
