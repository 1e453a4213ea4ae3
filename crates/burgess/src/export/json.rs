//! `burgess export --to json`: a creature as a file that can be edited.

use std::process::ExitCode;

use anyhow::{Result, bail};
use burgess_catalog::{Arena, Creature};
use burgess_creature::evaluation::{EvaluationOptions, Side, evaluate_on_side};
use burgess_creature::store::{CreatureFault, CreatureFile};

use super::Export;
use crate::Failed;
use crate::creature_argument::named_creature;
use crate::output::{counted, print};
use crate::program::program;

/// Returns the file of a creature with another opponent, and with its fitness against it.
fn against(creature: Creature, opponent: &Creature) -> Result<CreatureFile> {
    let (task, seed) = Arena::default().task_and_seed(&creature)?;
    if task.contest.is_none() {
        bail!("--opponent: the task '{}' of '{}' is not a contest", task.name, creature.file.name);
    }
    let side = creature.opponent.map_or(Side::First, |(_, side)| side);
    let other = opponent.file.genome.clone();
    let options = EvaluationOptions::default();
    let [own, _] = evaluate_on_side(&creature.file.genome, Some(&other), side, &task, seed, &options);
    let (seed, fitness) = (Some(seed), Some(own.fitness));
    Ok(CreatureFile { seed, fitness, side: Some(side), opponent: Some(other), ..creature.file })
}

impl Export {
    pub(super) fn json(&self) -> Result<ExitCode> {
        if self.seconds.is_some() || self.fps.is_some() {
            bail!("--seconds and --fps apply to motions only, and a creature file has none");
        }
        if self.arena.is_given() {
            bail!("--task and --seed apply to motions and scenes only, and a creature file has neither");
        }
        let shown = self.output.display();
        if self.output.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("json")) {
            bail!("-o {shown}: the name of a creature file must end in .json");
        }
        let creature = named_creature(&self.what)?;
        let creature = match &self.opponent {
            Some(opponent) => against(creature, &named_creature(opponent)?)?,
            None => creature.file,
        };
        creature.write(&self.output).map_err(|error| match error.fault {
            CreatureFault::Unwritable(_) => anyhow::Error::new(Failed(error.into())),
            _ => error.into(),
        })?;
        let grown = match creature.genome.grow(&creature.physiology.unwrap_or_default()) {
            Ok(phenotype) => counted(phenotype.body.parts.len() as u64, "part", "parts"),
            Err(why) => format!("does not grow: {why}"),
        };
        let family = creature.genome.family().name();
        let stranger = creature.task.is_none() && creature.fitness.is_some();
        let note = if stranger {
            "\nIts fitness was measured at a task that is not built in: name the task with --task.\n"
        } else {
            "\n"
        };
        print(&format!("{shown}: a {family} genome, {grown}; see it with `{} watch {shown}`{note}", program()))?;
        Ok(ExitCode::SUCCESS)
    }
}
