//! Racing: the evaluation of a child ends after a trial in which it is far worse than its parent. Since the lowest of
//! its trials counts, those that are left out could only lower its fitness. The time goes to children that may become
//! parents.

use std::sync::Arc;

use burgess_creature::task::{Counts, Task, Trials};

use super::Run;
use crate::archive::ArchiveError;
use crate::individual::{Birth, Operator};
use crate::result::OutcomeKind;

impl Run {
    /// Task of the next birth: the current one. For a child, a trial with less than the share
    /// [`racing`](crate::RunConfig::racing) of the fitness of its first parent is the last.
    pub(super) fn task_of_birth(&self, birth: &Birth) -> Result<Arc<Task>, ArchiveError> {
        let task = self.syllabus.task();
        let is_lowest = task.trials.count > 1 && task.trials.counts == Counts::Lowest && task.contest.is_none();
        let races = self.config.racing > 0.0 && is_lowest && birth.operator != Operator::Copy;
        let Some(parent) = birth.parents.first().filter(|_| races) else { return Ok(Arc::clone(task)) };
        let parent = self.archive.individual(*parent)?;
        let is_comparable = parent.id >= self.config.same_task_since(self.bred)
            && parent.parameters == task.parameters
            && parent.result.outcome == OutcomeKind::Scored;
        if !is_comparable {
            return Ok(Arc::clone(task));
        }
        let pass = task.trials.pass.max(self.config.racing * parent.result.fitness);
        Ok(Arc::new(Task { trials: Trials { pass, ..task.trials }, ..Task::clone(task) }))
    }
}
