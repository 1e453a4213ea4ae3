//! The arena that a creature is shown in: a task and a seed.

use burgess_creature::evaluation::{Side, TrialPreview};
use burgess_creature::task::Task;

use crate::task::find_task;
use crate::{CatalogError, Creature};

/// Task used when a creature file names none.
pub const DEFAULT_TASK: &str = "walk";

/// The task and seed that a user chose for a creature.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arena {
    /// Name of a built-in task, or a task file. Defaults to the task of the creature.
    pub task: Option<String>,
    /// Seed of the trial. Defaults to that of the creature, or 0.
    pub seed: Option<u64>,
}

impl Arena {
    /// Whether the user chose a task or a seed.
    pub fn is_given(&self) -> bool {
        self.task.is_some() || self.seed.is_some()
    }

    /// Puts a creature into its arena. In a contest it meets the opponent of its run or its file. A creature without one
    /// meets its limp twin in its own task, and cannot play another contest alone.
    pub fn show(&self, creature: &Creature) -> Result<TrialPreview, CatalogError> {
        let (task, seed) = self.task_and_seed(creature)?;
        let file = &creature.file;
        let unviable = |reason| CatalogError::Unviable { creature: file.name.clone(), reason };
        let (opponent, side) = match (&task.contest, &creature.opponent) {
            (Some(_), None) if self.task.is_some() => {
                return Err(CatalogError::NoOpponent { creature: file.name.clone(), task: task.name.clone() });
            }
            (_, opponent) => opponent.as_ref().map_or((None, Side::First), |(genome, side)| (genome.as_ref(), *side)),
        };
        let preview = TrialPreview::against(&file.genome, opponent, side, &task, seed).map_err(unviable)?;
        let own = file.description.as_deref().unwrap_or("A creature.");
        Ok(preview.titled(&file.name, &format!("{own} (As in the task {}.)", task.name)))
    }

    /// The task of a creature, with the creature's own physiology, and the seed of its trial.
    pub fn task_and_seed(&self, creature: &Creature) -> Result<(Task, u64), CatalogError> {
        let mut task = self.task_of(creature)?;
        task.physiology = creature.file.physiology.unwrap_or(task.physiology);
        Ok((task, self.seed.or(creature.file.seed).unwrap_or(0)))
    }

    fn task_of(&self, creature: &Creature) -> Result<Task, CatalogError> {
        match (&self.task, &creature.task, &creature.file.task) {
            (Some(asked), ..) => find_task(asked),
            (None, Some(evolved_for), _) => Ok(evolved_for.clone()),
            // A creature file must not make the program open other files: its task is a built-in one.
            (None, None, Some(own)) => Task::preset(own)
                .map_err(|task| CatalogError::TaskOfCreature { creature: creature.file.name.clone(), task }),
            (None, None, None) => find_task(DEFAULT_TASK),
        }
    }
}
