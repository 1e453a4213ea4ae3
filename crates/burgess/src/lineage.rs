//! `burgess lineage`: where a creature of a run comes from.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use burgess_catalog::Subject;
use burgess_evolution::{Archive, Id, Individual, Operator};
use clap::Args;
use serde::Serialize;

use crate::notices::notice;
use crate::output::{counted, print};

/// Show the ancestors of a creature of a run, back to its founders
///
/// The line after each creature shows the parent that contributed most to its genome; other parents are listed on the
/// same line.
/// `by hand` marks a child of two parents chosen by a person, `favoured` a child of a creature marked as favourite,
/// `immigrant` a creature from a file or another run, `copy` and `retest` an unchanged one that was evaluated again: in
/// another stage of the run, or under new conditions.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess lineage runs/walk-1.burgess              show the ancestors of the champion
  burgess lineage runs/walk-1.burgess#70 --json    print all ancestors of creature 70 as JSON")]
pub struct Lineage {
    /// File of a run (its champion is shown), or RUN#NUMBER
    #[arg(value_name = "RUN[#NUMBER]")]
    creature: String,
    /// Print one JSON object on one line, with all ancestors
    #[arg(long)]
    json: bool,
}

/// What is printed. These fields are what scripts rely on.
#[derive(Serialize)]
struct Report<'a> {
    run: String,
    creature: Id,
    ancestors: Vec<Ancestor<'a>>,
}

#[derive(Serialize)]
struct Ancestor<'a> {
    id: Id,
    generation: u64,
    operator: Operator,
    parents: &'a [Id],
    fitness: f64,
    /// Of an immigrant: the file or run that it came from.
    origin: Option<String>,
}

impl Lineage {
    /// Follows the line.
    pub fn run(&self) -> Result<ExitCode> {
        let subject = Subject::resolve(&self.creature)?;
        let (run, number) = match &subject {
            Subject::Run(run) => (run, None),
            Subject::Individual { run, id } => (run, Some(*id)),
            other => return Err(other.wrong_kind("a run or an individual of a run (RUN#NUMBER)").into()),
        };
        let mut archive = Archive::open_read_only(run)?;
        archive.survey()?;
        archive.damage_report().iter().for_each(|report| notice(report));
        let id = match number {
            Some(number) => number,
            None => archive.champion()?.id,
        };
        let line = archive.lineage(id)?;
        let with_origin = |one| -> Result<_> { Ok((archive.origin_of(&one)?, one)) };
        let all: Vec<_> = line.into_iter().map(with_origin).collect::<Result<_>>()?;
        print(&match self.json {
            true => serde_json::to_string(&report(run, id, &all))? + "\n",
            false => table(id, &all),
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Where an immigrant came from, and who it is.
type WithOrigin = (Option<String>, Individual);

fn report<'a>(run: &Path, creature: Id, all: &'a [WithOrigin]) -> Report<'a> {
    let ancestor = |(origin, one): &'a WithOrigin| Ancestor {
        id: one.id,
        generation: one.generation,
        operator: one.operator,
        parents: &one.parents,
        fitness: one.result.fitness,
        origin: origin.clone(),
    };
    Report { run: run.display().to_string(), creature, ancestors: all.iter().map(ancestor).collect() }
}

/// The line of first parents.
fn table(id: Id, all: &[WithOrigin]) -> String {
    let mut text = format!("{:>8} {:>10} {:>12}  from\n", "number", "generation", "fitness");
    let (mut next, mut shown) = (Some(id), 0_u64);
    // The youngest first, so that parents always come later.
    for (origin, one) in all {
        if Some(one.id) != next {
            continue;
        }
        let mut parents: Vec<String> = one.parents.iter().map(Id::to_string).collect();
        parents.dedup();
        let (how, origin) = (one.operator.name().replace('_', " "), origin.as_deref().unwrap_or_default());
        let from = format!("{how} {}{origin}", parents.join(" and "));
        let (id, generation, fitness) = (one.id, one.generation, one.result.fitness);
        text += &format!("{id:>8} {generation:>10} {fitness:>12.4}  {}\n", from.trim_end());
        next = one.parents.first().copied();
        shown += 1;
    }
    let (steps, others) = (shown.saturating_sub(1), all.len() as u64 - shown);
    text + &format!(
        "{} by first parents, {}\n",
        counted(steps, "step", "steps"),
        counted(others, "other ancestor", "other ancestors")
    )
}
