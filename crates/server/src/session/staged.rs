//! A world as it is at present: a scene with all that people made of it, and the simulation of that.

use std::sync::Arc;

use burgess_creature::evaluation::Showing;
use burgess_geometry::Pose;
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene};

use super::appearance::shown_bodies;
use super::grab::Grip;

/// What everything began with.
#[derive(Debug)]
pub enum Original {
    /// A scene that needs no other files.
    Scene(Box<SceneSpec>),
    /// A creature in its arena.
    Creature(Box<Showing>),
}

impl Original {
    /// The scene, without a brain.
    pub fn scene(&self) -> &SceneSpec {
        match self {
            Self::Scene(scene) => scene,
            Self::Creature(showing) => showing.scene(),
        }
    }

    fn run(&self, scene: &SceneSpec, options: &RunOptions) -> Result<RunningScene, String> {
        match self {
            Self::Scene(_) => scene.run("", options),
            Self::Creature(showing) => showing.run_in(scene, options),
        }
        .map_err(|error| error.to_string())
    }
}

/// A body of a frame.
#[derive(Debug, Clone)]
pub struct Shown {
    /// Its place in the scene.
    pub body: usize,
    /// Its link.
    pub link: Option<usize>,
    /// Its frame on its link, or in the world.
    pub frame: Pose,
}

/// A world as it is at present: the scene with all changes so far, and the simulation of it.
#[derive(Debug)]
pub struct Staged {
    /// With what people changed.
    pub scene: SceneSpec,
    /// How it is simulated.
    pub options: RunOptions,
    /// What runs.
    pub running: RunningScene,
    /// In the order of frames.
    pub shown: Vec<Shown>,
    /// By collider: the place of its body in a frame.
    pub place_of_collider: Vec<Option<u32>>,
    /// By collider: its body in the scene.
    pub body_of_collider: Vec<usize>,
    /// Was a step made since this was built or brought back? Contacts are not known before.
    pub is_fresh: bool,
}

impl Staged {
    /// Builds it, at its start.
    pub fn build(original: &Original, scene: SceneSpec, options: RunOptions, grip: &Arc<Grip>) -> Result<Self, String> {
        let mut running = original.run(&scene, &options)?;
        running.simulation.data_mut().controllers.add_low_level(grip.clone());
        running.simulation.data_mut().update_kinematics();
        let mut place_of_collider = vec![None; running.simulation.world().colliders().len()];
        let mut body_of_collider = vec![0; place_of_collider.len()];
        for (body, built) in running.bodies.iter().enumerate() {
            body_of_collider[built.colliders.clone()].fill(body);
        }
        let shown: Vec<Shown> = shown_bodies(&scene, &running.bodies)
            .into_iter()
            .map(|body| {
                let built = &running.bodies[body];
                let link = running.link_index(body);
                Shown { body, link, frame: if link.is_some() { built.in_link } else { built.pose } }
            })
            .collect();
        for (place, shown) in shown.iter().enumerate() {
            place_of_collider[running.bodies[shown.body].colliders.clone()].fill(Some(place as u32));
        }
        Ok(Self { scene, options, running, shown, place_of_collider, body_of_collider, is_fresh: false })
    }

    /// Where a body of a frame is; the workspace must be at the present state.
    pub fn pose(&self, shown: &Shown) -> Pose {
        let data = self.running.simulation.data();
        match shown.link {
            Some(link) => data.workspace.pose(data.world.model(), link).compose(&shown.frame),
            None => shown.frame,
        }
    }
}
