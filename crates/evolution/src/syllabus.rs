//! The syllabus of a run: a task that becomes harder. Parameters of the task take a step at the start of each generation, or of
//! those after a generation that [mastered](burgess_creature::task::Lesson::mastery) the task as it was: at least one
//! in ten reached the fitness that the lesson asks for. One in ten and not the best, because the best of many tries is luck.
//!
//! All results of a generation are told before the next begins, as long as anything can change: the level is a function of
//! results, never of time.

use std::collections::BTreeMap;
use std::sync::Arc;

use burgess_creature::task::Task;

/// One in so many has to reach the fitness.
const ONE_IN: usize = 10;

/// How far the lessons have come.
#[derive(Debug)]
pub struct Syllabus {
    /// As it is configured.
    task: Task,
    /// That each parameter has taken.
    steps: BTreeMap<String, u64>,
    present: Arc<Task>,
    generation: u64,
    /// Of everybody in the present generation who was told; nothing for those who were not scored.
    told: Vec<Option<f64>>,
}

impl Syllabus {
    /// At the start.
    pub fn new(task: Task) -> Self {
        let steps = task.syllabus.keys().map(|name| (name.clone(), 0)).collect();
        let present = Arc::new(task.at_generation(0));
        Self { task, steps, present, generation: 0, told: Vec::new() }
    }

    /// What is to be done at present.
    pub fn task(&self) -> &Arc<Task> {
        &self.present
    }

    /// Must everybody before the first of this generation have been told?
    pub fn awaits(&self, generation: u64) -> bool {
        generation > self.generation && self.parameters_after(1) != self.present.parameters
    }

    /// Somebody's fitness, if it was scored.
    pub fn learn(&mut self, fitness: Option<f64>) {
        if !self.task.syllabus.is_empty() {
            self.told.push(fitness);
        }
    }

    /// Goes on to a generation. Has the task changed?
    pub fn enter(&mut self, generation: u64) -> bool {
        if generation <= self.generation {
            return false;
        }
        self.generation = generation;
        let told = std::mem::take(&mut self.told);
        for (name, lesson) in &self.task.syllabus {
            let mastered = lesson.mastery.is_none_or(|enough| masters(&told, enough));
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

fn masters(told: &[Option<f64>], enough: f64) -> bool {
    let those = told.iter().filter(|fitness| fitness.is_some_and(|fitness| fitness >= enough)).count();
    those > 0 && ONE_IN * those >= told.len()
}
