//! The table of results.

use burgess_referee::BrainCheck;
use serde::{Deserialize, Serialize};

use crate::champion::{Champion, median};
use crate::variant::{STIFF_EIGHTH, Variant, standard};

/// Share of the fitness below which `--why` looks for the reason.
const LOW_SHARE: f64 = 0.6;

/// A creature in Burgess and in MuJoCo.
#[derive(Serialize, Deserialize)]
pub struct Row {
    pub creature: String,
    task: String,
    /// Fitness in Burgess by each seed.
    ours: Vec<f64>,
    /// The same at an eighth of the step: what is lost there is not due to the other simulator.
    ours_at_eighth: Vec<f64>,
    /// Comparison of the brain on the same motion. Rows of earlier versions do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    brain: Option<BrainCheck>,
    /// Results by variant, in the order in which they were played.
    variants: Vec<Played>,
}

/// The result of a variant.
#[derive(Serialize, Deserialize)]
struct Played {
    variant: String,
    /// Fitness by each seed; null if MuJoCo failed.
    fitness: Vec<Option<f64>>,
    /// Median fitness divided by that in Burgess.
    share: f64,
}

impl Row {
    pub fn new(champion: &Champion, brain: BrainCheck, seeds: u64) -> Self {
        let (creature, task) = (champion.name.clone(), champion.task.name.clone());
        let [ours, ours_at_eighth] = [1.0, 8.0].map(|divisor| champion.evaluate(seeds, divisor));
        Self { creature, task, ours, ours_at_eighth, brain: Some(brain), variants: Vec::new() }
    }

    pub fn add(&mut self, variant: &Variant, fitness: Vec<Option<f64>>) {
        // A champion has a positive fitness; without one, nothing can be kept.
        let share = if self.ours() > 0.0 { median(&fitness) / self.ours() } else { 0.0 };
        self.variants.push(Played { variant: variant.name.to_string(), fitness, share });
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
    fn stiff_share(&self) -> f64 {
        self.played(STIFF_EIGHTH).map_or(0.0, |played| played.share)
    }

    /// Whether so little is kept that the reason is looked for.
    pub fn is_low(&self) -> bool {
        self.stiff_share() < LOW_SHARE
    }

    /// The last variant in one line, for progress.
    pub fn line(&self) -> String {
        let last = self.variants.last();
        let (variant, share) = last.map_or(("", 0.0), |played| (played.variant.as_str(), played.share));
        format!("{}: fitness {:.2}, {variant} {:.0} %", self.creature, self.ours(), 100.0 * share)
    }
}

/// Sorts rows by experiment and seed.
pub fn sort(rows: &mut [Row]) {
    let key = |row: &Row| {
        let (experiment, seed) = row.creature.rsplit_once('-').unwrap_or((&row.creature, ""));
        (experiment.to_string(), seed.parse::<u64>().unwrap_or(0))
    };
    rows.sort_by_key(key);
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

/// The table of further variants, for creatures that were played with them, and what it says.
fn reasons(rows: &[Row]) -> String {
    let known = standard().len();
    let others: Vec<&Row> = rows.iter().filter(|row| row.variants.len() > known).collect();
    let Some(longest) = others.iter().max_by_key(|row| row.variants.len()) else { return String::new() };
    let names: Vec<&str> = longest.variants.iter().skip(known).map(|played| played.variant.as_str()).collect();
    let mut text = format!("\n| creature | {STIFF_EIGHTH} | {} |\n", names.join(" | "));
    text += &format!("|---|---:|{}\n", "---:|".repeat(names.len()));
    for row in &others {
        let cell = |name: &&str| {
            row.played(name).map_or_else(|| "-".to_string(), |played| format!("{:.0} %", 100.0 * played.share))
        };
        let cells: Vec<String> = names.iter().map(cell).collect();
        text += &format!("| {} | {:.0} % | {} |\n", row.creature, 100.0 * row.stiff_share(), cells.join(" | "));
    }
    let sentences: Vec<String> = rows.iter().filter(|row| row.is_low()).map(reason).collect();
    text + "\n" + &sentences.join(" ") + "\n"
}

/// What the further variants say about a creature that keeps little.
fn reason(row: &Row) -> String {
    let name = &row.creature;
    let further = row.variants.iter().skip(standard().len());
    let Some(best) = further.max_by(|a, b| a.share.total_cmp(&b.share)) else {
        return format!("`{name}` was not played with further settings.");
    };
    let (variant, share) = (&best.variant, 100.0 * best.share);
    match best.share >= LOW_SHARE {
        true => format!("`{name}` keeps {share:.0} % with the setting '{variant}'."),
        false => format!("No single setting is the reason for `{name}`: it keeps {share:.0} % at most ('{variant}')."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/results/evolution/runs");

    fn stored(name: &str) -> String {
        std::fs::read_to_string(format!("{FOLDER}/{name}")).unwrap()
    }

    #[test]
    fn the_table_of_the_page_is_that_of_the_stored_figures() {
        let rows: Vec<Row> = serde_json::from_str(&stored("referee.json")).unwrap();
        assert!(rows.len() > 1);
        assert_eq!(markdown(&rows), stored("referee.md"));
    }

    #[test]
    fn a_reason_names_the_setting_with_which_most_is_kept() {
        let played =
            |variant: &str, share: f64| Played { variant: variant.to_string(), fitness: vec![Some(share)], share };
        let mut row = Row {
            creature: "hopper".to_string(),
            task: "walk".to_string(),
            ours: vec![1.0],
            ours_at_eighth: vec![1.0],
            brain: None,
            variants: standard().iter().map(|variant| played(variant.name, 0.1)).collect(),
        };
        assert!(row.is_low());
        assert_eq!(reason(&row), "`hopper` was not played with further settings.");
        row.variants.push(played("impratio 10", 0.2));
        assert_eq!(
            reason(&row),
            "No single setting is the reason for `hopper`: it keeps 20 % at most ('impratio 10')."
        );
        row.variants.push(played("1/32 step", 0.9));
        assert_eq!(reason(&row), "`hopper` keeps 90 % with the setting '1/32 step'.");
    }
}
