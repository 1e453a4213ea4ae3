//! Champions in MuJoCo: the same body by export, the same brain, the same formula. Run by `bench/referee`, which
//! prepares MuJoCo first.

mod champion;
mod engine;
mod table;
mod variant;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use burgess_files::write_atomically;
use burgess_peers::mujoco::Library;
use clap::Parser;

use champion::Champion;
use table::{Row, markdown};
use variant::{Variant, reasons, standard};

/// Largest difference of a sense or an output of the brain between Burgess and an engine, on the same motion.
const MAX_BRAIN_DIFFERENCE: f64 = 1e-6;

/// Compare the fitness of creatures in Burgess and in MuJoCo.
#[derive(Parser)]
#[command(name = "bench/referee")]
struct Options {
    /// Creatures, runs (their champions) or RUN#ID; by default the champions of the results page, whose table is then
    /// written, too
    creatures: Vec<String>,
    /// Folder of the results page with its champions and its table
    #[arg(long, value_name = "FOLDER", default_value = "docs/results/evolution")]
    results: PathBuf,
    /// Evaluate with N further seeds, too, and use the medians
    #[arg(long, value_name = "N", default_value_t = 0)]
    seeds: u64,
    /// Where less than 60 % of the fitness is kept with stiff contacts, try further variants to find the reason
    #[arg(long)]
    why: bool,
    /// Write all figures to this file as JSON; those in the file of creatures that are not played now are kept
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Compiled shim for MuJoCo.
    #[arg(long, env = "BURGESS_BENCH_MUJOCO", hide = true)]
    mujoco: Option<PathBuf>,
}

fn main() -> Result<()> {
    let mut options = Options::parse();
    let library = Library::open(options.mujoco.as_deref())?;
    let of_page = options.creatures.is_empty();
    let champions = match of_page {
        true => champion::of_experiments(&options.results.join("champions"))?,
        false => options.creatures.iter().map(|name| Champion::named(name)).collect::<Result<_>>()?,
    };
    if champions.is_empty() {
        bail!("{} has no champions; run bench/evolution first, or name creatures", options.results.display());
    }
    if of_page {
        options.json.get_or_insert(options.results.join("runs/referee.json"));
    }
    let folder = std::env::temp_dir().join(format!("burgess-referee-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("creature.xml");
    let mut rows = options.json.as_deref().map_or(Ok(Vec::new()), earlier)?;
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
        if options.why && row.is_low() {
            for variant in reasons() {
                play(&variant, &mut row)?;
            }
        }
        match rows.iter_mut().find(|earlier| earlier.creature == row.creature) {
            Some(earlier) => *earlier = row,
            None => rows.push(row),
        }
        table::sort(&mut rows);
        if let Some(file) = &options.json {
            write_atomically(file, (serde_json::to_string_pretty(&rows)? + "\n").as_bytes())
                .with_context(|| file.display().to_string())?;
        }
    }
    std::fs::remove_dir_all(&folder)?;
    let page = markdown(&rows);
    print!("{page}");
    if of_page {
        let file = options.results.join("runs/referee.md");
        std::fs::write(&file, &page).with_context(|| file.display().to_string())?;
    }
    Ok(())
}

/// Reads the rows of an earlier run.
fn earlier(file: &Path) -> Result<Vec<Row>> {
    if !file.exists() {
        return Ok(Vec::new());
    }
    serde_json::from_str(&std::fs::read_to_string(file)?).with_context(|| file.display().to_string())
}
