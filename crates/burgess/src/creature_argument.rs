//! CREATURE on the command line: the name of a built-in one or a file, and the arena that it is shown in.

use std::path::Path;

use anyhow::{Result, anyhow};
use burgess_creature::builtin;
use burgess_creature::evaluation::Showing;
use burgess_creature::store::CreatureFile;
use burgess_creature::task::Task;
use clap::Args;

use crate::task_argument::find_task;

/// The arena of creatures that name none.
const USUAL_TASK: &str = "walk";

/// How a creature is shown.
#[derive(Args, Default)]
pub struct Arena {
    /// Of a creature: show it in the arena of this task, by name (`burgess tasks` lists them) or file [default: its own, or walk]
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// Of a creature: what differs from trial to trial is drawn from this number [default: what its file says, or 0]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl Arena {
    /// Was anything asked for that only creatures have?
    pub fn is_given(&self) -> bool {
        self.task.is_some() || self.seed.is_some()
    }

    /// Puts a creature into its arena. `word` is what it was called.
    pub fn show(&self, creature: &CreatureFile, word: &str) -> Result<Showing> {
        let (task, seed) = self.task_and_seed(creature, word)?;
        let showing = Showing::new(&creature.genome, &task, seed);
        let showing = showing.map_err(|why| anyhow!("{word} does not live: {why}"))?;
        let own = creature.description.as_deref().unwrap_or("A creature.");
        Ok(showing.titled(&creature.name, &format!("{own} (As in the task {}.)", task.name)))
    }

    /// What a creature is to do, with its own physiology, and the seed of its evaluation.
    pub fn task_and_seed(&self, creature: &CreatureFile, word: &str) -> Result<(Task, u64)> {
        let mut task = self.task_of(creature, word)?;
        task.physiology = creature.physiology.unwrap_or(task.physiology);
        Ok((task, self.seed.or(creature.seed).unwrap_or(0)))
    }

    fn task_of(&self, creature: &CreatureFile, word: &str) -> Result<Task> {
        match (&self.task, &creature.task) {
            (Some(asked), _) => find_task(asked),
            // A file does not get to open others: its task is one of the program, or nobody's.
            (None, Some(own)) => Task::preset(own).map_err(|unknown| {
                let unknown = unknown.to_string();
                anyhow!("{word}: {}; choose a task with --task, by name or file", unknown.trim_end_matches('?'))
            }),
            (None, None) => find_task(USUAL_TASK),
        }
    }
}

/// The creature of a word: a built-in one, or a file (.json); none if it is something else.
pub fn find_creature(word: &str) -> Result<Option<CreatureFile>> {
    if let Some(known) = builtin::find(word) {
        return Ok(Some(known.file()));
    }
    let path = Path::new(word);
    let is_creature = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    Ok(if is_creature { Some(CreatureFile::read(path)?) } else { None })
}
