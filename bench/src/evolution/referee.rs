//! What the page says about the champions in MuJoCo, from the files that `bench/referee` writes.

use anyhow::Result;
use burgess_bench::duel::median;
use serde::Deserialize;

use crate::folders::Folders;

/// What the summary needs of the figures of `bench/referee`.
#[derive(Deserialize)]
struct RefereeRow {
    variants: Vec<RefereeVariant>,
}

#[derive(Deserialize)]
struct RefereeVariant {
    variant: String,
    share: f64,
}

/// Says what the verdicts do not include: how much of their fitness the champions keep in another simulator.
pub fn summary(folders: &Folders) -> Result<String> {
    let Ok(text) = std::fs::read_to_string(folders.pictures().join("runs/referee.json")) else {
        return Ok(String::new());
    };
    let rows: Vec<RefereeRow> = serde_json::from_str(&text)?;
    let share = |name: &str| {
        let played = rows.iter().flat_map(|row| &row.variants).filter(|played| played.variant == name);
        100.0 * median(played.map(|played| played.share))
    };
    Ok(format!(
        "The verdicts are about Burgess. In MuJoCo the median champion keeps {:.0} % of its fitness with stiff contacts and \
         an eighth of the step, and {:.0} % with the default contacts and the usual step ([table](#in-mujoco)).\n\n",
        share("stiff contacts, 1/8 step"),
        share("default contacts")
    ))
}

/// Chapter with the table that `bench/referee` has written beside the results, if there is one.
pub fn chapter(folders: &Folders) -> String {
    let Ok(table) = std::fs::read_to_string(folders.pictures().join("runs/referee.md")) else { return String::new() };
    format!(
        "## In MuJoCo\n\nThe same bodies and brains while MuJoCo moves the bodies ([referee](../benchmarks.md#referee)): \
         fitness, and its share of that in Burgess. With the usual step most fall: MuJoCo's default contacts are soft, and \
         its stiffest ones, with a time constant of two steps, push parts off the ground after each touch. Shorter steps \
         help, and longer time constants at still shorter steps (second table). The column 'Burgess, 1/8 step' shows how \
         little the fitness in Burgess depends on the step.\n\n{table}\n"
    )
}
