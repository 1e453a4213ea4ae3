//! The table of results.

use std::collections::BTreeMap;

use burgess_referee::BrainCheck;
use serde::Serialize;

use crate::champion::{Champion, median};
use crate::variant::{STIFF_EIGHTH, Variant, standard};

/// A creature in Burgess and in MuJoCo.
#[derive(Serialize)]
pub struct Row {
    creature: String,
    task: String,
    /// Fitness in Burgess by each seed.
    ours: Vec<f64>,
    /// The same at an eighth of the step: what is lost there is not due to the other simulator.
    ours_at_eighth: Vec<f64>,
    /// Comparison of the brain on the same motion.
    brain: BrainCheck,
    /// Results by variant, in the order in which they were played.
    variants: Vec<Played>,
}

/// The result of a variant.
#[derive(Serialize)]
struct Played {
    variant: &'static str,
    /// Fitness by each seed; null if MuJoCo failed.
    fitness: Vec<Option<f64>>,
    /// Median fitness divided by that in Burgess.
    share: f64,
}

impl Row {
    pub fn new(champion: &Champion, brain: BrainCheck, seeds: u64) -> Self {
        let (creature, task) = (champion.name.clone(), champion.task.name.clone());
        let [ours, ours_at_eighth] = [1.0, 8.0].map(|divisor| champion.evaluate(seeds, divisor));
        Self { creature, task, ours, ours_at_eighth, brain, variants: Vec::new() }
    }

    pub fn add(&mut self, variant: &Variant, fitness: Vec<Option<f64>>) {
        let share = median(&fitness) / self.ours().max(f64::MIN_POSITIVE);
        self.variants.push(Played { variant: variant.name, fitness, share });
    }

    /// Median fitness in Burgess.
    fn ours(&self) -> f64 {
        median(&self.ours.iter().copied().map(Some).collect::<Vec<_>>())
    }

    /// Median fitness in Burgess at an eighth of the step.
    fn ours_at_eighth(&self) -> f64 {
        median(&self.ours_at_eighth.iter().copied().map(Some).collect::<Vec<_>>())
    }

    fn played(&self, variant: &str) -> Option<&Played> {
        self.variants.iter().find(|played| played.variant == variant)
    }

    /// Share of the fitness that is kept with stiff contacts at an eighth of the step.
    pub fn stiff_share(&self) -> f64 {
        self.played(STIFF_EIGHTH).map_or(0.0, |played| played.share)
    }

    /// The last variant in one line, for progress.
    pub fn line(&self) -> String {
        let last = self.variants.last();
        let (variant, share) = last.map_or(("", 0.0), |played| (played.variant, played.share));
        format!("{}: fitness {:.2}, {variant} {:.0} %", self.creature, self.ours(), 100.0 * share)
    }
}

/// The table in Markdown.
pub fn markdown(rows: &[Row]) -> String {
    let names: Vec<&str> = standard().iter().map(|variant| variant.name).collect();
    let mut text = format!("| creature | task | Burgess | Burgess, 1/8 step | {} |\n", names.join(" | "));
    text += &format!("|---|---|---:|---:|{}\n", "---:|".repeat(names.len()));
    for row in rows {
        let cell = |name: &&str| {
            row.played(name).map_or_else(
                || "-".to_string(),
                |played| format!("{:.2} ({:.0} %)", median(&played.fitness), 100.0 * played.share),
            )
        };
        let cells: Vec<String> = names.iter().map(cell).collect();
        let (ours, fine) = (row.ours(), row.ours_at_eighth());
        let share = 100.0 * fine / ours.max(f64::MIN_POSITIVE);
        let own = format!("{ours:.2} | {fine:.2} ({share:.0} %)");
        text += &format!("| {} | {} | {own} | {} |\n", row.creature, row.task, cells.join(" | "));
    }
    if rows.len() > 1 {
        let shares: Vec<String> =
            names.iter().map(|name| format!("{:.0} %", 100.0 * median_share(rows, name))).collect();
        let own = rows.iter().map(|row| Some(row.ours_at_eighth() / row.ours().max(f64::MIN_POSITIVE)));
        let own = 100.0 * median(&own.collect::<Vec<_>>());
        text += &format!("| median share | | | {own:.0} % | {} |\n", shares.join(" | "));
    }
    text + &reasons(rows)
}

fn median_share(rows: &[Row], variant: &str) -> f64 {
    let shares: Vec<Option<f64>> = rows.iter().map(|row| row.played(variant).map(|played| played.share)).collect();
    median(&shares)
}

/// The table of further variants, for creatures that were played with them.
fn reasons(rows: &[Row]) -> String {
    let known: Vec<&str> = standard().iter().map(|variant| variant.name).collect();
    let mut columns: BTreeMap<usize, &str> = BTreeMap::new();
    let others: Vec<&Row> = rows.iter().filter(|row| row.variants.len() > known.len()).collect();
    for row in &others {
        columns.extend(row.variants.iter().skip(known.len()).map(|played| played.variant).enumerate());
    }
    if others.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = columns.into_values().collect();
    let mut text = format!("\n| creature | {STIFF_EIGHTH} | {} |\n", names.join(" | "));
    text += &format!("|---|---:|{}\n", "---:|".repeat(names.len()));
    for row in others {
        let cell = |name: &&str| {
            row.played(name).map_or_else(|| "-".to_string(), |played| format!("{:.0} %", 100.0 * played.share))
        };
        let cells: Vec<String> = names.iter().map(cell).collect();
        text += &format!("| {} | {:.0} % | {} |\n", row.creature, 100.0 * row.stiff_share(), cells.join(" | "));
    }
    text
}
