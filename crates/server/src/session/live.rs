//! The player of scenes and creatures: a simulation that viewers can edit.
//!
//! An edit that changes the world is applied to the scene. The world is rebuilt and continues from the current state
//! ([`Simulation::take_over`](burgess_simulation::Simulation::take_over)). Bodies are only appended, so every body
//! keeps its index. To return to an earlier world, it is rebuilt from the original scene and the edits made until then.

use std::sync::Arc;

use burgess_dynamics::spring_energy;
use burgess_geometry::Pose;
use burgess_scene::RunOptions;
use burgess_scene::spec::SceneSpec;
use glam::DVec3;

use super::appearance::{self, Appearance};
use super::apply_edit::{apply_edit, refuse_overlap};
use super::brain::NodeOutputs;
use super::current_world::{CurrentWorld, Original};
use super::edit::Edit;
use super::grab::{GrabController, GrabSpring, MAX_GRABS};
use super::overlay::{COUNTERS, OverlaySampler};
use super::player::{Kind, Player, SavedState, SessionInfo};
use super::probe::Probe;
use super::section::SectionKind;

/// The player of a scene or creature.
pub struct LivePlayer {
    original: Arc<Original>,
    first_options: RunOptions,
    current: CurrentWorld,
    grab_controller: Arc<GrabController>,
    /// Number of edits that have changed the world.
    changes: usize,
    sampler: OverlaySampler,
    outputs: Option<NodeOutputs>,
}

impl LivePlayer {
    /// Creates the player at the start.
    pub fn new(original: Arc<Original>, options: RunOptions) -> Result<Self, String> {
        let grab_controller = Arc::new(GrabController::default());
        let current = CurrentWorld::build(&original, original.scene().clone(), options.clone(), &grab_controller)?;
        let outputs = match &*original {
            Original::Creature(preview) => Some(NodeOutputs::of(preview)),
            Original::Scene(_) => None,
        };
        let sampler = OverlaySampler::default();
        Ok(Self { original, first_options: options, current, grab_controller, changes: 0, sampler, outputs })
    }

    /// The scene with all edits so far.
    pub fn scene(&self) -> &SceneSpec {
        &self.current.scene
    }

    /// The current world.
    pub fn current(&self) -> &CurrentWorld {
        &self.current
    }

    /// Creates another player of the same subject, at its start.
    pub fn twin(&self) -> Result<Self, String> {
        Self::new(self.original.clone(), self.first_options.clone())
    }

    fn with_change(&self, edit: &Edit) -> Result<CurrentWorld, String> {
        let (mut scene, mut options) = (self.current.scene.clone(), self.current.options.clone());
        apply_edit(&mut scene, &mut options, edit)?;
        CurrentWorld::build(&self.original, scene, options, &self.grab_controller)
    }

    /// Applies an edit to the scene, and rebuilds the world at its start.
    pub fn change_scene(&mut self, edit: &Edit) -> Result<(), String> {
        let current = self.with_change(edit)?;
        (self.current, self.changes) = (current, self.changes + 1);
        Ok(())
    }

    /// Applies an edit to the scene, and continues in the rebuilt world.
    fn change_world(&mut self, edit: &Edit) -> Result<(), String> {
        let mut current = self.with_change(edit)?;
        let mut snapshot = self.current.running.simulation.snapshot();
        if !matches!(edit, Edit::Throw { .. }) {
            // Bodies that slept may have to move in the changed world.
            snapshot.rest.seconds.fill(0.0);
        }
        if current.running.paradigm != self.current.running.paradigm {
            // Each paradigm stores other data.
            snapshot.pairs.clear();
            snapshot.row_impulses.clear();
        }
        current.running.simulation.take_over(&snapshot);
        current.running.simulation.data_mut().update_kinematics();
        if let Edit::Throw { radius, .. } = edit {
            refuse_overlap(&current, *radius)?;
        }
        (self.current, self.changes) = (current, self.changes + 1);
        Ok(())
    }

    fn grab(&mut self, viewer: u32, body: usize, point: DVec3, to: DVec3) -> Result<(), String> {
        let count = self.current.shown.len();
        let shown =
            self.current.shown.get(body).ok_or_else(|| format!("there is no body {body}: there are {count}"))?;
        let name = &self.current.scene.bodies[shown.body].name;
        let world = self.current.running.simulation.world();
        let moves = |link: &usize| !world.trees()[world.tree_of_link(*link)].is_fixed;
        let link = shown.link.filter(moves).ok_or_else(|| format!("'{name}' is fixed and cannot be moved"))?;
        let point = shown.frame.transform_point(point);
        let tree = world.tree_of_link(link);
        let mut springs = self.grab_controller.springs();
        springs.retain(|spring| spring.viewer != viewer);
        if springs.len() >= MAX_GRABS {
            return Err(format!("{MAX_GRABS} viewers hold a body, the maximum"));
        }
        let simulation = &mut self.current.running.simulation;
        springs.push(GrabSpring::new(viewer, link, point, to, simulation));
        simulation.data_mut().rest.wake(tree);
        self.grab_controller.set(&springs);
        Ok(())
    }

    /// Moves the target point of a viewer, or releases its body.
    fn move_grab(&mut self, viewer: u32, to: Option<DVec3>) -> Result<(), String> {
        let mut springs = self.grab_controller.springs();
        let place = springs.iter().position(|spring| spring.viewer == viewer);
        let place = place.ok_or_else(|| "this viewer holds no body".to_string())?;
        let data = self.current.running.simulation.data_mut();
        let tree = data.world.tree_of_link(springs[place].link);
        data.rest.wake(tree);
        match to {
            Some(to) => springs[place].to = to,
            None => {
                springs.remove(place);
            }
        }
        self.grab_controller.set(&springs);
        Ok(())
    }
}

impl Player for LivePlayer {
    fn info(&self) -> SessionInfo {
        use SectionKind::{Activations, Boxes, Centre, Closest, Contacts, Counters, Groups, Joints, Tiles};
        let CurrentWorld { scene, running, .. } = &self.current;
        let mut overlays = vec![Contacts, Closest, Boxes, Groups, Centre, Joints, Counters];
        if running.simulation.data().detection.tiles().is_some() {
            overlays.insert(3, Tiles);
        }
        let neurons = self.outputs.as_ref().map_or(0, NodeOutputs::neurons);
        if neurons > 0 {
            overlays.push(Activations);
        }
        let kind = if matches!(*self.original, Original::Creature(_)) { Kind::Creature } else { Kind::Scene };
        SessionInfo {
            title: scene.name.clone(),
            description: scene.description.clone(),
            kind,
            paradigm: Some(running.paradigm.name()),
            duration: Some(scene.duration),
            interfere: true,
            probe: true,
            end: false,
            overlays,
            counters: COUNTERS.map(str::to_string).to_vec(),
            neurons,
        }
    }

    fn appearance(&mut self, epoch: u32) -> Appearance {
        let followed = match &*self.original {
            Original::Creature(preview) => Some(preview.root()),
            Original::Scene(_) => None,
        };
        self.current.running.simulation.data_mut().update_kinematics();
        appearance::of_scene(&self.current.scene, &self.current.running, followed, epoch)
    }

    fn steps(&self) -> u64 {
        self.current.running.simulation.steps()
    }

    fn time(&self) -> f64 {
        self.current.running.simulation.state().time
    }

    fn step_length(&self) -> f64 {
        self.current.running.simulation.step_length()
    }

    fn advance(&mut self) -> Result<(), String> {
        let simulation = &mut self.current.running.simulation;
        simulation.step().map_err(|failure| failure.to_string())?;
        self.current.is_fresh = true;
        Ok(())
    }

    fn save(&self) -> SavedState {
        let snapshot = Box::new(self.current.running.simulation.snapshot());
        SavedState::Live { snapshot, springs: self.grab_controller.springs(), changes: self.changes }
    }

    fn restore_state(&mut self, state: &SavedState, changes: &[Edit]) -> Result<(), String> {
        let SavedState::Live { snapshot, springs, changes: count } = state else {
            return Err("the saved state belongs to another kind of session".to_string());
        };
        if *count != self.changes {
            let (mut scene, mut options) = (self.original.scene().clone(), self.first_options.clone());
            for edit in changes.iter().take(*count) {
                apply_edit(&mut scene, &mut options, edit)?;
            }
            let current = CurrentWorld::build(&self.original, scene, options, &self.grab_controller)?;
            (self.current, self.changes) = (current, *count);
        }
        self.current.running.simulation.restore(snapshot).map_err(|error| error.to_string())?;
        self.current.is_fresh = false;
        self.grab_controller.set(springs);
        Ok(())
    }

    fn state_hash(&self) -> u64 {
        self.current.running.simulation.state_hash()
    }

    fn poses(&mut self, poses: &mut Vec<f32>) {
        self.current.running.simulation.data_mut().update_kinematics();
        for shown in &self.current.shown {
            let Pose { rotation, translation } = self.current.pose(shown);
            poses.extend_from_slice(&translation.as_vec3().to_array());
            poses.extend_from_slice(&rotation.as_quat().to_array());
        }
    }

    fn energies(&mut self) -> [f64; 2] {
        let totals = self.current.running.simulation.observables();
        let data = self.current.running.simulation.data();
        let tendons: f64 = data.world.tendons().iter().map(|tendon| tendon.energy(&data.state.q)).sum();
        let springs = spring_energy(data.world.model(), &data.state.q) + tendons;
        [totals.kinetic_energy, totals.potential_energy + springs]
    }

    fn section(&mut self, kind: SectionKind, numbers: &mut Vec<f32>) {
        if kind == SectionKind::Activations {
            if let Some(outputs) = &self.outputs {
                let memory = self.current.running.simulation.data().controllers.memory();
                outputs.activations(&memory.high_level, numbers);
            }
            return;
        }
        self.current.running.simulation.data_mut().update_kinematics();
        self.sampler.section(&mut self.current, kind, numbers);
    }

    fn probe(&mut self, body: usize) -> Option<Probe> {
        self.current.running.simulation.data_mut().update_kinematics();
        self.sampler.probe(&self.current, body)
    }

    fn holders(&self) -> Vec<u32> {
        self.grab_controller.springs().iter().map(|spring| spring.viewer).collect()
    }

    fn apply(&mut self, edit: &Edit) -> Result<(), String> {
        match edit {
            Edit::Grab { viewer, body, point, to } => {
                self.grab(*viewer, *body, DVec3::from_array(*point), DVec3::from_array(*to))
            }
            Edit::Drag { viewer, to } => self.move_grab(*viewer, Some(DVec3::from_array(*to))),
            Edit::Release { viewer } => self.move_grab(*viewer, None),
            Edit::Throw { .. } | Edit::Change { .. } | Edit::Simulate { .. } | Edit::Hashing { .. } => {
                self.change_world(edit)
            }
        }
    }
}
