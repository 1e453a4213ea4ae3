//! The player of scenes and creatures: a simulation that viewers can edit.
//!
//! An edit that changes the world is applied to the scene. The world is rebuilt and continues from the current state
//! ([`Simulation::take_over`](burgess_simulation::Simulation::take_over)). Bodies are only appended, so every body
//! keeps its index. To return to an earlier world, it is rebuilt from the original scene and the edits made until then.

use std::sync::{Arc, LazyLock};
use std::time::Instant;

use burgess_dynamics::spring_energy;
use burgess_geometry::Pose;
use burgess_scene::RunOptions;
use burgess_scene::spec::SceneSpec;
use burgess_simulation::StepStatistics;
use glam::DVec3;

use super::appearance::{self, Appearance};
use super::apply_edit::{apply_edit, refuse_overlap};
use super::brain::NodeOutputs;
use super::contents::{Contents, contents_of};
use super::crowd_edits::refuse_crowd_edit;
use super::current_world::{CurrentWorld, Original, OriginalSubject};
use super::edit::Edit;
use super::grab::{GrabController, Hold};
use super::measurement::Trial;
use super::overlay::{COUNTERS, OverlaySampler};
use super::player::{Kind, Player, SavedState, SessionInfo};
use super::probe::Probe;
use super::reach::Reach;
use super::sample::{RowSampler, height_of, layout_of};
use super::section::SectionKind;
use super::signal::Layout;

/// The player of a scene or creature.
pub struct LivePlayer {
    pub(super) original: Arc<Original>,
    first_options: RunOptions,
    pub(super) current: CurrentWorld,
    pub(super) grab_controller: Arc<GrabController>,
    /// Overrides of the controls of actuators; empty if there never was one.
    pub(super) overrides: Vec<Option<f64>>,
    is_profiling: bool,
    /// Number of edits that have changed the world.
    changes: usize,
    sampler: OverlaySampler,
    outputs: Option<NodeOutputs>,
    rows: RowSampler,
}

impl LivePlayer {
    /// Creates the player at the start.
    pub fn new(original: Arc<Original>, options: RunOptions) -> Result<Self, String> {
        let grab_controller = Arc::new(GrabController::default());
        let current = CurrentWorld::build(&original, original.scene().clone(), options.clone(), &grab_controller)?;
        let outputs = match &original.subject {
            OriginalSubject::Creature(preview) => Some(NodeOutputs::of(preview)),
            OriginalSubject::Scene(_) | OriginalSubject::Inhabited(_) => None,
        };
        let sampler = OverlaySampler::default();
        Ok(Self {
            original,
            first_options: options,
            current,
            grab_controller,
            overrides: Vec::new(),
            is_profiling: false,
            changes: 0,
            sampler,
            outputs,
            rows: RowSampler::default(),
        })
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

    fn set_clock(&mut self) {
        let data = self.current.running.simulation.data_mut();
        if self.is_profiling {
            data.set_clock(clock);
        } else {
            data.remove_clock();
        }
    }

    /// Index in the scene of the body that the camera follows.
    fn followed(&self) -> Option<usize> {
        match &self.original.subject {
            OriginalSubject::Creature(preview) => Some(preview.root()),
            OriginalSubject::Scene(_) | OriginalSubject::Inhabited(_) => {
                let scene = &self.current.scene;
                let name = scene.display.cameras.iter().find_map(|camera| camera.follow.as_deref())?;
                scene.body_index(name)
            }
        }
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
        refuse_crowd_edit(&self.current, &current, edit)?;
        let mut snapshot = self.current.running.simulation.snapshot();
        current.running.fit_crowds(&self.current.running, &mut snapshot.controllers);
        current.continue_from(snapshot, self.current.running.paradigm, edit, &self.overrides);
        refuse_overlap(&current, edit)?;
        (self.current, self.changes) = (current, self.changes + 1);
        self.set_clock();
        Ok(())
    }
}

impl Player for LivePlayer {
    fn info(&self) -> SessionInfo {
        use SectionKind::{
            Activations, Boxes, Centre, Closest, Contacts, Controls, Counters, Crowd, Figures, Groups, Joints, Tiles,
        };
        let CurrentWorld { scene, running, .. } = &self.current;
        let mut overlays = vec![Contacts, Closest, Boxes, Groups, Centre, Joints, Counters];
        if running.simulation.data().detection.tiles().is_some() {
            overlays.insert(3, Tiles);
        }
        let neurons = self.outputs.as_ref().map_or(0, NodeOutputs::neurons);
        if neurons > 0 {
            overlays.push(Activations);
        }
        if !running.actuators.is_empty() {
            overlays.push(Controls);
        }
        if running.walker_count() > 0 {
            overlays.extend([Figures, Crowd]);
        }
        let kind =
            if matches!(self.original.subject, OriginalSubject::Creature(_)) { Kind::Creature } else { Kind::Scene };
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
        let followed = match &self.original.subject {
            OriginalSubject::Creature(preview) => Some(preview.root()),
            OriginalSubject::Scene(_) | OriginalSubject::Inhabited(_) => None,
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
        let (holds, overrides) = (self.grab_controller.holds(), self.overrides.clone());
        SavedState::Live { snapshot, holds, overrides, changes: self.changes }
    }

    fn restore_state(&mut self, state: &SavedState, changes: &[Edit]) -> Result<(), String> {
        let SavedState::Live { snapshot, holds, overrides, changes: count } = state else {
            return Err("the saved state belongs to another kind of session".to_string());
        };
        if *count != self.changes {
            let (mut scene, mut options) = (self.original.scene().clone(), self.first_options.clone());
            for edit in changes.iter().take(*count) {
                apply_edit(&mut scene, &mut options, edit)?;
            }
            let current = CurrentWorld::build(&self.original, scene, options, &self.grab_controller)?;
            (self.current, self.changes) = (current, *count);
            self.set_clock();
        }
        self.current.running.simulation.restore(snapshot).map_err(|error| error.to_string())?;
        self.current.is_fresh = false;
        self.grab_controller.set(holds);
        self.overrides.clone_from(overrides);
        self.current.running.simulation.data_mut().controllers.overrides.clone_from(overrides);
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
        if kind == SectionKind::Controls {
            for actuator in 0..self.current.running.actuators.len() {
                let running = &self.current.running;
                let held = self.overrides.get(actuator).is_some_and(Option::is_some);
                numbers.extend([running.control(actuator) as f32, running.actuator_force(actuator) as f32]);
                numbers.push(f32::from(u8::from(held)));
            }
            return;
        }
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

    fn contents(&self) -> Contents {
        let creatures = match &self.original.subject {
            OriginalSubject::Creature(preview) => preview.roots(),
            OriginalSubject::Inhabited(inhabited) => inhabited.roots(),
            OriginalSubject::Scene(_) => Vec::new(),
        };
        contents_of(&self.current, &creatures)
    }

    fn layout(&self) -> Layout {
        layout_of(&self.current, self.outputs.as_ref())
    }

    fn sample(&mut self, row: &mut Vec<f32>) {
        let energies = self.energies();
        self.rows.sample(&mut self.current, self.outputs.as_ref(), energies, row);
    }

    fn subject_height(&mut self) -> Option<f64> {
        let body = self.followed()?;
        height_of(&mut self.current, body)
    }

    fn collisions(&self) -> usize {
        self.current.running.simulation.statistics().impulses
    }

    fn set_profiling(&mut self, on: bool) {
        if on != self.is_profiling {
            self.is_profiling = on;
            self.set_clock();
        }
    }

    fn statistics(&self) -> Option<&StepStatistics> {
        self.current.is_fresh.then(|| self.current.running.simulation.statistics())
    }

    fn trial(&self, edit: &Edit) -> Result<Trial, String> {
        Ok(Trial {
            original: self.original.clone(),
            scene: self.current.scene.clone(),
            options: self.current.options.clone(),
            snapshot: self.current.running.simulation.snapshot(),
            paradigm: self.current.running.paradigm,
            edit: edit.clone(),
            overrides: self.overrides.clone(),
        })
    }

    fn holders(&self) -> Vec<u32> {
        self.grab_controller.holds().iter().map(Hold::viewer).collect()
    }

    fn reach(&mut self, viewer: u32, reach: &Reach) -> Result<Edit, String> {
        self.reached(viewer, reach)
    }

    fn throw_held(&self, viewer: u32, velocity: DVec3) -> Result<Edit, String> {
        self.throw_of(viewer, velocity)
    }

    fn apply(&mut self, edit: &Edit) -> Result<(), String> {
        match edit {
            Edit::Grab { viewer, body, point, to } => {
                self.grab(*viewer, *body, DVec3::from_array(*point), DVec3::from_array(*to))
            }
            Edit::Drag { viewer, to } => self.move_grab(*viewer, Some(DVec3::from_array(*to))),
            Edit::Release { viewer } => self.move_grab(*viewer, None),
            Edit::Twist { viewer, body, torque } => self.twist(*viewer, *body, DVec3::from_array(*torque)),
            Edit::Push { body, impulse, angular_impulse } => {
                self.push(*body, DVec3::from_array(*impulse), DVec3::from_array(*angular_impulse))
            }
            Edit::Body { viewer, foot, height, radius } => {
                self.stand(*viewer, DVec3::from_array(*foot), *height, *radius)
            }
            Edit::Control { actuator, control } => self.control(*actuator, *control),
            Edit::Keyframe { name } => self.go_to_keyframe(name),
            _ => self.change_world(edit),
        }
    }
}

/// A clock that measures the modules of a step, in s.
fn clock() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}
