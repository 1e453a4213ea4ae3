//! A creature in a place where it can be seen to move: a scene like any other, but with a brain in it.

use burgess_geometry::Pose;
use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
use burgess_scene::{RunOptions, RunningScene, SceneError};
use glam::DVec3;

use crate::develop::{Developed, Placement, develop};
use crate::nerves::{Nerves, Target};
use crate::phenotype::{Body, Phenotype};
use crate::physiology::Physiology;
use crate::store::CreatureFile;
use crate::viability::Unviable;

/// A creature in a scene.
#[derive(Debug, Clone)]
pub struct Showing {
    scene: SceneSpec,
    phenotype: Phenotype,
    developed: Developed,
    physiology: Physiology,
    /// Muscles are slack before, in s.
    settle: f64,
}

impl Showing {
    /// On flat ground.
    pub fn new(creature: &CreatureFile) -> Result<Self, Unviable> {
        let physiology = creature.physiology.unwrap_or_default();
        let phenotype = creature.genome.grow(&physiology)?;
        let mut scene = SceneSpec::new(&creature.name, creature.description.as_deref().unwrap_or_default());
        scene.duration = 12.0;
        scene.self_collision = physiology.self_collision;
        scene.simulation.allow_overlap = true;
        scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()]));
        let height = 0.002 - lowest(&phenotype.body);
        let placement = Placement::new(Pose::from_translation(DVec3::Z * height));
        let developed = develop(&phenotype.body, &physiology, &placement, &mut scene);
        Ok(Self { scene, phenotype, developed, physiology, settle: 2.0 })
    }

    /// Everything but the brain.
    pub fn scene(&self) -> &SceneSpec {
        &self.scene
    }

    /// Puts it at the start, with the brain.
    pub fn run(&self, options: &RunOptions) -> Result<RunningScene, SceneError> {
        let mut running = self.scene.run("", options)?;
        let Self { phenotype, developed, physiology, settle, .. } = self;
        Nerves::new(phenotype, developed, physiology, *settle, Target::None, &running).join(&mut running);
        Ok(running)
    }
}

/// Height of the lowest point in the root's frame, in m.
fn lowest(body: &Body) -> f64 {
    body.parts.iter().map(|part| part.shape.bounds(&part.pose)[0].z).fold(0.0, f64::min)
}
