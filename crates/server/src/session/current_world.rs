//! The current world of a session: the scene with all edits, and its simulation.

use std::sync::Arc;

use burgess_creature::evaluation::TrialPreview;
use burgess_creature::inhabited::InhabitedScene;
use burgess_geometry::Pose;
use burgess_paradigms::Paradigm;
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene};
use burgess_simulation::Snapshot;

use super::appearance::shown_bodies;
use super::contents::{CameraEntry, cameras_of};
use super::crowd_edits::continue_crowd;
use super::edit::Edit;
use super::grab::GrabController;

/// The initial world of a session.
#[derive(Debug)]
pub struct Original {
    /// The scene or creature.
    pub subject: OriginalSubject,
    /// State of the world at the start of the session; none for the start of the scene.
    pub start: Option<Snapshot>,
}

/// The scene or creature of a session.
#[derive(Debug)]
pub enum OriginalSubject {
    /// A scene that needs no other files.
    Scene(Box<SceneSpec>),
    /// A creature in its arena.
    Creature(Box<TrialPreview>),
    /// A scene with creatures in it.
    Inhabited(Box<InhabitedScene>),
}

impl Original {
    /// A scene that needs no other files, from its start.
    pub fn of_scene(scene: SceneSpec) -> Self {
        Self { subject: OriginalSubject::Scene(Box::new(scene)), start: None }
    }

    /// A creature in its arena, from its start.
    pub fn of_creature(preview: TrialPreview) -> Self {
        Self { subject: OriginalSubject::Creature(Box::new(preview)), start: None }
    }

    /// A scene with creatures in it, from its start.
    pub fn of_inhabited(scene: InhabitedScene) -> Self {
        Self { subject: OriginalSubject::Inhabited(Box::new(scene)), start: None }
    }

    /// The same world from another state. Steps are counted from there.
    pub fn from_state(self, mut start: Snapshot) -> Self {
        let done = start.steps;
        start.steps = 0;
        start.events.iter_mut().for_each(|event| event.step = event.step.saturating_sub(done));
        Self { start: Some(start), ..self }
    }

    /// The scene, without the brain.
    pub fn scene(&self) -> &SceneSpec {
        match &self.subject {
            OriginalSubject::Scene(scene) => scene,
            OriginalSubject::Creature(preview) => preview.scene(),
            OriginalSubject::Inhabited(inhabited) => inhabited.scene(),
        }
    }

    fn run(&self, scene: &SceneSpec, options: &RunOptions) -> Result<RunningScene, String> {
        let running = match &self.subject {
            OriginalSubject::Scene(_) => scene.run("", options),
            OriginalSubject::Creature(preview) => preview.run_in(scene, options),
            OriginalSubject::Inhabited(inhabited) => inhabited.run_in(scene, options),
        };
        let mut running = running.map_err(|error| error.to_string())?;
        if let Some(start) = &self.start {
            running.simulation.take_over(start);
        }
        Ok(running)
    }
}

/// A body in frames.
#[derive(Debug, Clone)]
pub struct Shown {
    /// Index of the body in the scene.
    pub body: usize,
    /// Link of the body.
    pub link: Option<usize>,
    /// Pose of the body in its link, or in the world.
    pub frame: Pose,
}

/// The current world: the scene with all edits so far, and its simulation.
#[derive(Debug)]
pub struct CurrentWorld {
    /// The scene with all edits.
    pub scene: SceneSpec,
    /// Options of the simulation.
    pub options: RunOptions,
    /// The simulation.
    pub running: RunningScene,
    /// Bodies in the order of frames.
    pub shown: Vec<Shown>,
    /// Index of the body in frames, by collider.
    pub place_of_collider: Vec<Option<u32>>,
    /// Index of the body in the scene, by collider.
    pub body_of_collider: Vec<usize>,
    /// Cameras that the scene names.
    pub cameras: Vec<CameraEntry>,
    /// Whether a step was made since the world was built or restored. Before that, contacts are not known.
    pub is_fresh: bool,
}

impl CurrentWorld {
    /// Builds the world at its start.
    pub fn build(
        original: &Original,
        scene: SceneSpec,
        options: RunOptions,
        grab_controller: &Arc<GrabController>,
    ) -> Result<Self, String> {
        let mut running = original.run(&scene, &options)?;
        running.simulation.data_mut().controllers.add_low_level(grab_controller.clone());
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
        let cameras = cameras_of(&scene, &running, &shown);
        Ok(Self { scene, options, running, shown, place_of_collider, body_of_collider, cameras, is_fresh: false })
    }

    /// Continues in this world from the state of another one with the same bodies, from which it differs by an edit.
    pub fn continue_from(
        &mut self,
        mut snapshot: Snapshot,
        paradigm: Paradigm,
        edit: &Edit,
        overrides: &[Option<f64>],
    ) {
        if !matches!(edit, Edit::Throw { .. }) {
            // Bodies that slept may have to move in the changed world.
            snapshot.rest.seconds.fill(0.0);
        }
        if self.running.paradigm != paradigm {
            // Each paradigm stores other data.
            snapshot.pairs.clear();
            snapshot.row_impulses.clear();
            snapshot.row_velocities.clear();
            snapshot.row_rests.clear();
        }
        self.running.simulation.take_over(&snapshot);
        continue_crowd(self, edit);
        let data = self.running.simulation.data_mut();
        data.controllers.overrides = overrides.to_vec();
        data.update_kinematics();
    }

    /// Pose of a body in the world. The workspace must be current.
    pub fn pose(&self, shown: &Shown) -> Pose {
        let data = self.running.simulation.data();
        match shown.link {
            Some(link) => data.workspace.pose(data.world.model(), link).compose(&shown.frame),
            None => shown.frame,
        }
    }
}
