//! The first trial of an evaluation as a scene with a creature, in a contest also its opponent, and their controllers,
//! for viewers.
//! The simulation brings it to rest after it has settled, so stepping it gives the bits of the evaluation.

use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene, SceneError};

use super::conditions::Conditions;
use super::contest::Side;
use super::trial_scene::TrialScene;
use crate::controller::CreatureController;
use crate::genome::AnyGenome;
use crate::phenotype::Phenotype;
use crate::senses::Sense;
use crate::task::{Task, steps_of};
use crate::viability::{Unviable, check as check_viability};

/// The first trial of a creature, for viewers.
#[derive(Debug, Clone)]
pub struct TrialPreview {
    task: Task,
    /// The creature and, in a contest, its opponent, in the order in which they were placed.
    phenotypes: Vec<Phenotype>,
    /// Index of the creature itself.
    own: usize,
    trial_scene: TrialScene,
}

impl TrialPreview {
    /// Creates the scene of a creature in the arena of a task, with the conditions of a seed. In a contest its opponent
    /// is its limp twin.
    pub fn new(genome: &AnyGenome, task: &Task, seed: u64) -> Result<Self, Unviable> {
        Self::against(genome, None, Side::First, task, seed)
    }

    /// Creates the scene of a creature that plays on a side against an opponent. In a contest, a missing or unviable
    /// opponent is replaced by the limp twin of the creature; other tasks have no opponents.
    pub fn against(
        genome: &AnyGenome,
        opponent: Option<&AnyGenome>,
        side: Side,
        task: &Task,
        seed: u64,
    ) -> Result<Self, Unviable> {
        let grow = |genome: &AnyGenome| {
            let phenotype = genome.grow(&task.physiology)?;
            check_viability(&phenotype.body, &task.physiology.viability)?;
            Ok::<_, Unviable>(phenotype)
        };
        let own = grow(genome)?;
        let opponent = || opponent.and_then(|genome| grow(genome).ok()).unwrap_or_else(|| own.limp());
        let (phenotypes, own) = match (&task.contest, side) {
            (None, _) => (vec![own], 0),
            (Some(_), Side::First) => (vec![own.clone(), opponent()], 0),
            (Some(_), Side::Second) => (vec![opponent(), own.clone()], 1),
        };
        let placed: Vec<&Phenotype> = phenotypes.iter().collect();
        let trial_scene = TrialScene::new(task, &placed, &Conditions::draw(task, seed, 0));
        Ok(Self { task: task.clone(), phenotypes, own, trial_scene })
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

    /// Returns the body and the brain of the creature itself.
    pub fn phenotype(&self) -> &Phenotype {
        &self.phenotypes[self.own]
    }

    /// Returns the index of the body of the creature's root part.
    pub fn root(&self) -> usize {
        self.trial_scene.creatures.get(self.own).map_or(0, |developed| developed.first_body)
    }

    /// Returns the indices of the bodies of the root parts of all creatures.
    pub fn roots(&self) -> Vec<usize> {
        self.trial_scene.creatures.iter().map(|developed| developed.first_body).collect()
    }

    /// Returns the length of the memory of the controllers that come after the creature's own: that of its opponent, if
    /// it plays on the first side.
    pub fn memory_after_own(&self) -> usize {
        let memory = |one: &Phenotype| 1 + one.body.axes() + one.body.parts.len() * Sense::COUNT + one.brain.memory();
        self.phenotypes.iter().skip(self.own + 1).map(memory).sum()
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
        let (task, placed) = (&self.task, &self.trial_scene);
        for ((phenotype, developed), target) in self.phenotypes.iter().zip(&placed.creatures).zip(&placed.targets) {
            CreatureController::new(phenotype, developed, &task.physiology, task.settle, target.clone(), &scene)
                .add_to(&mut scene);
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
