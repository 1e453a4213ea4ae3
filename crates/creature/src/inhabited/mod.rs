//! Scenes with creatures in them, which move by their brains: `park`.

mod park;

use burgess_geometry::Pose;
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene, SceneError};
use glam::{DQuat, DVec3};

use crate::builtin;
use crate::controller::{CreatureController, Target};
use crate::develop::{Developed, Placement, develop};
use crate::phenotype::Phenotype;
use crate::physiology::Physiology;

/// Time for which the muscles of creatures are slack at first, in s.
const SETTLE: f64 = 0.5;

/// A scene with creatures in it.
#[derive(Debug, Clone)]
pub struct InhabitedScene {
    scene: SceneSpec,
    physiology: Physiology,
    creatures: Vec<(Phenotype, Developed)>,
}

/// A built-in scene with creatures in it.
#[derive(Debug, Clone, Copy)]
pub struct Builtin {
    /// Name on the command line; the same as the scene's.
    pub name: &'static str,
    /// One-sentence description; the same as the scene's.
    pub description: &'static str,
    make: fn(&str, &str) -> InhabitedScene,
}

impl Builtin {
    /// Builds the scene.
    pub fn scene(&self) -> InhabitedScene {
        (self.make)(self.name, self.description)
    }
}

/// All built-in scenes with creatures, sorted by name.
const ALL: &[Builtin] = &[Builtin {
    name: "park",
    description: "People stroll round dogs, balls and trees, and birds fly above them.",
    make: park::scene,
}];

/// Returns all built-in scenes with creatures, sorted by name.
pub fn all() -> &'static [Builtin] {
    ALL
}

/// Returns the built-in scene with a name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    ALL.iter().find(|builtin| builtin.name == name)
}

impl InhabitedScene {
    fn new(scene: SceneSpec, physiology: Physiology) -> Self {
        Self { scene, physiology, creatures: Vec::new() }
    }

    /// Adds a built-in creature that stands at a place (m) with a heading (rad). Returns the name of its root.
    fn add(&mut self, creature: &str, prefix: &str, place: [f64; 2], heading: f64) -> Option<String> {
        let phenotype = builtin::find(creature)?.genome().grow(&self.physiology).ok()?;
        let rotation = DQuat::from_axis_angle(DVec3::Z, heading);
        let turned = Pose::new(rotation, DVec3::ZERO);
        let lowest = phenotype.body.parts.iter().map(|part| part.shape.bounds(&turned.compose(&part.pose))[0].z);
        let height = -lowest.fold(f64::INFINITY, f64::min);
        let root = Pose::new(rotation, DVec3::new(place[0], place[1], height));
        let placement = Placement { prefix: prefix.to_string(), ..Placement::new(root) };
        let developed = develop(&phenotype.body, &self.physiology, &placement, &mut self.scene);
        let name = self.scene.bodies.get(developed.first_body)?.name.clone();
        self.creatures.push((phenotype, developed));
        Some(name)
    }

    /// Returns the scene without the brains of the creatures.
    pub fn scene(&self) -> &SceneSpec {
        &self.scene
    }

    /// Returns the indices of the bodies of the root parts of all creatures.
    pub fn roots(&self) -> Vec<usize> {
        self.creatures.iter().map(|(_, developed)| developed.first_body).collect()
    }

    /// Starts the scene with the brains.
    pub fn run(&self, options: &RunOptions) -> Result<RunningScene, SceneError> {
        self.run_in(&self.scene, options)
    }

    /// Starts a scene that was derived from [`scene`](Self::scene) by changing numbers or appending bodies.
    pub fn run_in(&self, scene: &SceneSpec, options: &RunOptions) -> Result<RunningScene, SceneError> {
        let mut running = scene.run(".", options)?;
        for (phenotype, developed) in &self.creatures {
            CreatureController::new(phenotype, developed, &self.physiology, SETTLE, Target::None, &running)
                .add_to(&mut running);
        }
        Ok(running)
    }
}
