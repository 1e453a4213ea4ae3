//! A creature as it is in the first trial of an evaluation, to be looked at: a scene like any other, but with a brain in it.
//! The simulation brings it to rest after it has settled, so stepping it gives the bits of the evaluation.

use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene, SceneError};

use super::conditions::Conditions;
use super::setting::Setting;
use crate::genome::AnyGenome;
use crate::nerves::Nerves;
use crate::phenotype::Phenotype;
use crate::task::{Task, steps_of};
use crate::viability::{Unviable, check as check_viability};

/// A creature in its arena.
#[derive(Debug, Clone)]
pub struct Showing {
    task: Task,
    phenotype: Phenotype,
    setting: Setting,
}

impl Showing {
    /// In the arena of a task, with what the seed makes of it.
    pub fn new(genome: &AnyGenome, task: &Task, seed: u64) -> Result<Self, Unviable> {
        let phenotype = genome.grow(&task.physiology)?;
        check_viability(&phenotype.body, &task.physiology.viability)?;
        let setting = Setting::new(task, &[&phenotype], &Conditions::draw(task, seed, 0));
        Ok(Self { task: task.clone(), phenotype, setting })
    }

    /// The scene is called like the creature instead of the task.
    pub fn titled(mut self, name: &str, description: &str) -> Self {
        self.setting.scene.name = name.to_string();
        self.setting.scene.description = description.to_string();
        self
    }

    /// What is there, without the brain. It lasts for as long as a trial, settling included.
    pub fn scene(&self) -> &SceneSpec {
        &self.setting.scene
    }

    /// Its body and its brain.
    pub fn phenotype(&self) -> &Phenotype {
        &self.phenotype
    }

    /// Index of the body that it grows from.
    pub fn root(&self) -> usize {
        self.setting.creatures.first().map_or(0, |developed| developed.first_body)
    }

    /// What it is to do.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// Puts it at the start, with the brain.
    pub fn run(&self, options: &RunOptions) -> Result<RunningScene, SceneError> {
        self.run_in(&self.setting.scene, options)
    }

    /// The same in a scene that was made of its own by changing numbers or appending bodies.
    pub fn run_in(&self, scene: &SceneSpec, options: &RunOptions) -> Result<RunningScene, SceneError> {
        let mut scene = scene.run(".", options)?;
        let (task, target) = (&self.task, self.setting.target.clone());
        for developed in &self.setting.creatures {
            let nerves = Nerves::new(&self.phenotype, developed, &task.physiology, task.settle, target.clone(), &scene);
            nerves.join(&mut scene);
        }
        task.schedule_rest(&mut scene.simulation);
        Ok(scene)
    }

    /// The number of steps of a length (s) after which it has settled and is brought to rest; none if it does not settle.
    pub fn rests_after(&self, step: f64) -> Option<u64> {
        Some(steps_of(self.task.settle, step)).filter(|&steps| steps > 0)
    }

    /// The number of steps of a length (s) of the trial after settling.
    pub fn performs_for(&self, step: f64) -> u64 {
        steps_of(self.task.duration, step)
    }
}
