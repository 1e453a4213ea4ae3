//! The syllabus of a run: a task that becomes harder. Parameters of the task take a step at the start of each
//! generation, or only after a generation that [mastered](burgess_creature::task::Lesson::mastery) the task: at least
//! one in ten reached the fitness that the lesson asks for. The best individual alone would not do, because the best
//! of many may be lucky.
//!
//! While the task can still change, all results of a generation are recorded before the next begins. So the level is a
//! function of results, never of time.

use std::collections::BTreeMap;
use std::sync::Arc;

use burgess_creature::task::Task;

/// One in this many individuals has to reach the fitness.
const ONE_IN: usize = 10;

/// Progress of the lessons.
#[derive(Debug)]
pub struct Syllabus {
    /// Task as it is configured.
    task: Task,
    /// Number of steps that each parameter has taken.
    steps: BTreeMap<String, u64>,
    present: Arc<Task>,
    generation: u64,
    /// Fitness of the individuals of the current generation with a result; `None` if not scored.
    results: Vec<Option<f64>>,
}

impl Syllabus {
    /// Creates the syllabus at its start.
    pub fn new(task: Task) -> Self {
        let steps = task.syllabus.keys().map(|name| (name.clone(), 0)).collect();
        let present = Arc::new(task.at_generation(0));
        Self { task, steps, present, generation: 0, results: Vec::new() }
    }

    /// Current task.
    pub fn task(&self) -> &Arc<Task> {
        &self.present
    }

    /// Returns whether all earlier results are needed before the first birth of this generation.
    pub fn awaits(&self, generation: u64) -> bool {
        generation > self.generation && self.parameters_after(1) != self.present.parameters
    }

    /// Records the fitness of an individual, or `None` if it was not scored.
    pub fn record_result(&mut self, fitness: Option<f64>) {
        if !self.task.syllabus.is_empty() {
            self.results.push(fitness);
        }
    }

    /// Enters a generation. Returns whether the task has changed.
    pub fn enter(&mut self, generation: u64) -> bool {
        if generation <= self.generation {
            return false;
        }
        self.generation = generation;
        let results = std::mem::take(&mut self.results);
        for (name, lesson) in &self.task.syllabus {
            let mastered = lesson.mastery.is_none_or(|enough| masters(&results, enough));
            if let Some(steps) = self.steps.get_mut(name).filter(|_| mastered) {
                *steps += 1;
            }
        }
        let parameters = self.parameters_after(0);
        let changed = parameters != self.present.parameters;
        if changed {
            self.present = Arc::new(Task { parameters, ..Task::clone(&self.task) });
        }
        changed
    }

    fn parameters_after(&self, more: u64) -> BTreeMap<String, f64> {
        self.task.after_steps(|name| self.steps.get(name).copied().unwrap_or(0) + more).parameters
    }
}

fn masters(results: &[Option<f64>], enough: f64) -> bool {
    let those = results.iter().filter(|fitness| fitness.is_some_and(|fitness| fitness >= enough)).count();
    those > 0 && ONE_IN * those >= results.len()
}
