//! `burgess export --to scene`: the scene of a crowd with the numbers that a run found for it.

use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use burgess_creature::AnyGenome;
use burgess_files::write_atomically;

use super::Export;
use crate::Failed;
use crate::creature_argument::named_creature;
use crate::output::print;
use crate::program::program;

impl Export {
    pub(super) fn scene(&self) -> Result<ExitCode> {
        if self.seconds.is_some() || self.fps.is_some() {
            bail!("--seconds and --fps apply to motions only, and a scene file has none");
        }
        if self.arena.arena().seed.is_some() {
            bail!("--seed applies to motions only, and a scene file has none");
        }
        let shown = self.output.display();
        if self.output.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("toml")) {
            bail!("-o {shown}: the name of a scene file must end in .toml");
        }
        let creature = named_creature(&self.what)?;
        let (task, _) = self.arena.arena().task_and_seed(&creature)?;
        let (Some(crowd), AnyGenome::Tuning(genome)) = (&task.crowd, &creature.file.genome) else {
            bail!("{}: a scene is written for a tuned crowd only; its task must have a [crowd]", self.what);
        };
        let tuned = crowd.tuned_scene(genome).context("the genome does not have the numbers that the task tunes")?;
        write_atomically(&self.output, tuned.to_toml()?.as_bytes())
            .map_err(|error| Failed(anyhow!("{shown}: cannot be written: {error}")))?;
        print(&format!("{shown}: the scene '{}', tuned; see it with `{} watch {shown}`\n", tuned.name, program()))?;
        Ok(ExitCode::SUCCESS)
    }
}
