//! The first trial of an evaluation as a scene with a creature and its controller, for viewers.
//! The simulation brings it to rest after it has settled, so stepping it gives the bits of the evaluation.

use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene, SceneError};

use super::conditions::Conditions;
use super::trial_scene::TrialScene;
use crate::controller::CreatureController;
use crate::genome::AnyGenome;
use crate::phenotype::Phenotype;
use crate::task::{Task, steps_of};
use crate::viability::{Unviable, check as check_viability};

/// The first trial of a creature, for viewers.
#[derive(Debug, Clone)]
pub struct TrialPreview {
    task: Task,
    phenotype: Phenotype,
    trial_scene: TrialScene,
}

impl TrialPreview {
    /// Creates the scene of a creature in the arena of a task, with the conditions of a seed.
    pub fn new(genome: &AnyGenome, task: &Task, seed: u64) -> Result<Self, Unviable> {
        let phenotype = genome.grow(&task.physiology)?;
        check_viability(&phenotype.body, &task.physiology.viability)?;
        let trial_scene = TrialScene::new(task, &[&phenotype], &Conditions::draw(task, seed, 0));
        Ok(Self { task: task.clone(), phenotype, trial_scene })
    }

    /// Renames the scene, for example after the creature instead of the task.
    pub fn titled(mut self, name: &str, description: &str) -> Self {
        self.trial_scene.scene.name = name.to_string();
        self.trial_scene.scene.description = description.to_string();
        self
    }

    /// Returns the scene without the controller. Its duration is that of a trial, including settling.
    pub fn scene(&self) -> &SceneSpec {
        &self.trial_scene.scene
    }

    /// Returns the body and the brain.
    pub fn phenotype(&self) -> &Phenotype {
        &self.phenotype
    }

    /// Returns the index of the root part's body.
    pub fn root(&self) -> usize {
        self.trial_scene.creatures.first().map_or(0, |developed| developed.first_body)
    }

    /// Returns the task.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// Starts the scene with the controller.
    pub fn run(&self, options: &RunOptions) -> Result<RunningScene, SceneError> {
        self.run_in(&self.trial_scene.scene, options)
    }

    /// Starts a scene that was derived from [`scene`](Self::scene) by changing numbers or appending bodies.
    pub fn run_in(&self, scene: &SceneSpec, options: &RunOptions) -> Result<RunningScene, SceneError> {
        let mut scene = scene.run(".", options)?;
        let (task, target) = (&self.task, self.trial_scene.target.clone());
        for developed in &self.trial_scene.creatures {
            let controller = CreatureController::new(
                &self.phenotype,
                developed,
                &task.physiology,
                task.settle,
                target.clone(),
                &scene,
            );
            controller.add_to(&mut scene);
        }
        task.schedule_rest(&mut scene.simulation);
        Ok(scene)
    }

    /// Returns the number of steps of the given length (s) after which the creature is brought to rest; `None` if it
    /// does not settle.
    pub fn settle_steps(&self, step: f64) -> Option<u64> {
        Some(steps_of(self.task.settle, step)).filter(|&steps| steps > 0)
    }

    /// Returns the number of steps of the given length (s) after settling.
    pub fn trial_steps(&self, step: f64) -> u64 {
        steps_of(self.task.duration, step)
    }
}
