//! A creature on the ground, under its brain.

use anyhow::Result;
use burgess_creature::develop::{Placement, develop};
use burgess_creature::{Nerves, Phenotype, Physiology, Target};
use burgess_geometry::Pose;
use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
use burgess_scene::{RunOptions, RunningScene};
use burgess_simulation::Paradigm;
use glam::DVec3;

use super::bodies::creature;
use super::{COUNT, SECONDS, STEP};

/// A creature and the scene that it lives in.
#[derive(Debug, Clone)]
pub struct Creature {
    /// What it grew from.
    pub seed: u64,
    /// Its body and brain.
    pub phenotype: Phenotype,
    /// It, on the ground.
    pub scene: SceneSpec,
}

impl Creature {
    /// Of a seed, just above the ground.
    pub fn new(seed: u64) -> Self {
        let phenotype = creature(seed);
        let mut scene = SceneSpec::new("creature", "Crawls.");
        scene.simulation.sleeping = false;
        scene.simulation.step = STEP;
        scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()]));
        let parts = phenotype.body.parts.iter();
        let lowest = parts.map(|part| part.shape.bounds(&part.pose)[0].z).fold(f64::INFINITY, f64::min);
        let placement = Placement::new(Pose::from_translation(DVec3::new(0.0, 0.0, 0.01 - lowest)));
        develop(&phenotype.body, &Physiology::default(), &placement, &mut scene);
        Self { seed, phenotype, scene }
    }

    /// Begins its life.
    pub fn begin(&self) -> Result<RunningScene> {
        let options = RunOptions { paradigm: Some(Paradigm::TimeStepping), step: Some(STEP), ..RunOptions::default() };
        let mut running = self.scene.run(".", &options)?;
        let developed = burgess_creature::develop::Developed { first_body: 1, first_actuator: 0 };
        let nerves = Nerves::new(&self.phenotype, &developed, &Physiology::default(), 0.5, Target::None, &running);
        nerves.join(&mut running);
        Ok(running)
    }
}

/// The creatures of the benchmark: the first that live to the end, and touch the ground with two parts at least in
/// the mean of the second half of their lives.
pub fn chosen() -> Vec<Creature> {
    let mut found = Vec::new();
    let mut seed = 0;
    while found.len() < COUNT {
        let creature = Creature::new(seed);
        seed += 1;
        let Ok(mut run) = creature.begin() else { continue };
        if run.simulation.run(SECONDS).is_ok() {
            found.push(creature);
        }
    }
    eprintln!("{COUNT} of {seed}");
    found
}
