//! Running scenes: the world with its controllers and its fluid, a paradigm, and bounds.

mod crowds;
mod overlap;

use std::path::Path;
use std::sync::Arc;

use burgess_agents::pedestrians::Pedestrians;
use burgess_files::At;
use burgess_geometry::Pose;
use burgess_paradigms::{Paradigm, analytical, hybrid, impulse, penalty};
use burgess_simulation::{Bounds, RestSettings, Simulation, World, WorldError, time_stepping};

use crate::actuator::Actuators;
use crate::build::{BuiltBody, BuiltScene, build};
use crate::controller;
use crate::error::{FieldError, SceneError, SceneFault, without_file};
use crate::keyframe::start_from;
use crate::rules::check_step;
use crate::sensor::Sensors;
use crate::spec::{SceneSettings, SceneSpec};

pub use overlap::{Overlap, overlaps};

/// Options that override those of the scene.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunOptions {
    /// Paradigm instead of the scene's; its settings are those of its table in the scene.
    pub paradigm: Option<Paradigm>,
    /// Step instead of the scene's, in s.
    pub step: Option<f64>,
    /// Name of the keyframe to start from, instead of the start of the bodies.
    pub keyframe: Option<String>,
}

/// A running scene.
///
/// ```
/// use burgess_scene::{RunOptions, builtin};
///
/// let scene = builtin::find("pendulum").unwrap().spec();
/// let mut run = scene.run(".", &RunOptions::default()).unwrap();
/// let energy = run.simulation.energy();
/// run.simulation.run(1.0).unwrap();
/// assert!((run.simulation.energy() - energy).abs() < 0.01 * energy.abs());
/// ```
#[derive(Debug)]
pub struct RunningScene {
    /// The world in motion, controllers and fluid included.
    pub simulation: Simulation,
    /// The built bodies, in the order of the scene.
    pub bodies: Vec<BuiltBody>,
    /// The actuators.
    pub actuators: Actuators,
    /// The sensors.
    pub sensors: Sensors,
    /// The paradigm of the simulation.
    pub paradigm: Paradigm,
    /// The crowds, each with the number of its high-level controller.
    crowds: Vec<(usize, Arc<Pedestrians>)>,
}

impl RunningScene {
    /// Index of a body's link in the model. Bodies that are welded to each other share one.
    pub fn link_index(&self, body: usize) -> Option<usize> {
        self.simulation.world().index(self.bodies.get(body)?.link?)
    }

    /// The controls of all actuators.
    pub fn controls(&self) -> &[f64] {
        &self.simulation.data().controls
    }

    /// The control of an actuator.
    pub fn control(&self, actuator: usize) -> f64 {
        self.controls()[actuator]
    }

    /// Sets the control of an actuator, clamped to its range. Actuators that do not exist are ignored.
    pub fn set_control(&mut self, actuator: usize, control: f64) {
        self.actuators.set_control(self.simulation.data_mut(), actuator, control);
    }

    /// Sets the first controls, or all.
    pub fn set_controls(&mut self, controls: &[f64]) {
        self.actuators.set_controls(self.simulation.data_mut(), controls);
    }

    /// The force of an actuator in the present state, before its gear.
    pub fn actuator_force(&self, actuator: usize) -> f64 {
        self.actuators.force(self.simulation.data(), actuator)
    }

    /// Writes the values of all sensors, as many whole sensors as fit.
    pub fn read_sensors(&mut self, values: &mut [f64]) {
        self.simulation.data_mut().update_kinematics();
        self.sensors.read(&self.simulation, values);
    }

    /// Pose of a body; the workspace must be current.
    pub fn body_pose(&self, body: usize) -> Option<Pose> {
        let data = self.simulation.data();
        Some(self.bodies.get(body)?.frame(&data.world, &data.workspace))
    }
}

impl SceneSpec {
    /// Builds the world and sets it to the start. Mesh files are relative to `folder`. Scenes with includes must be
    /// read from a file.
    pub fn run(&self, folder: impl AsRef<Path>, options: &RunOptions) -> Result<RunningScene, SceneError> {
        run(self, folder.as_ref(), options).map_err(without_file)
    }
}

pub(crate) fn run(scene: &SceneSpec, folder: &Path, options: &RunOptions) -> Result<RunningScene, FieldError> {
    if let Some(keyframe) = &options.keyframe {
        let mut scene = scene.clone();
        start_from(&mut scene, keyframe)?;
        return run(&scene, folder, &RunOptions { keyframe: None, ..*options });
    }
    let settings = &scene.simulation;
    let built = build(scene, folder)?;
    if !settings.allow_overlap {
        overlap::refuse_overlaps(scene, &built)?;
    }
    let step = options.step.unwrap_or(settings.step);
    check_step(At::ROOT.field("simulation").field("step"), step)?;
    let controllers = controller::build_controllers(scene, &built, step)?;
    let BuiltScene { world, state, bodies, drag, actuators, sensors } = built;
    let paradigm = options.paradigm.unwrap_or(settings.paradigm);
    let made = simulate_as_set(settings, paradigm, world, state, step);
    let mut simulation = made.map_err(|error| At::ROOT.fault(SceneFault::World(error)))?;
    let usual = Bounds::default();
    simulation.set_bounds(Bounds {
        speed: settings.max_speed.unwrap_or(usual.speed),
        penetration_share: settings.max_penetration_share.unwrap_or(usual.penetration_share),
        energy: settings.max_energy.or(usual.energy),
    });
    let crowds = controllers.add_to(&mut simulation.data_mut().controllers, drag);
    simulation.data_mut().controls = actuators.start().to_vec();
    Ok(RunningScene { simulation, bodies, actuators, sensors, paradigm, crowds })
}

/// Creates the simulation of a paradigm with its settings in the scene.
fn simulate_as_set(
    settings: &SceneSettings,
    paradigm: Paradigm,
    world: World,
    state: burgess_dynamics::State,
    step: f64,
) -> Result<Simulation, WorldError> {
    match paradigm {
        Paradigm::TimeStepping => {
            let own = settings.time_stepping.settings(settings.iterations, settings.tolerance);
            let mut simulation = time_stepping(world, state, step, own)?;
            simulation.set_sleeping(settings.sleeping.then(RestSettings::default));
            Ok(simulation)
        }
        Paradigm::Impulse => impulse(world, state, step, settings.impulse.settings()),
        Paradigm::Analytical => {
            let (own, strategy) = settings.analytical.settings();
            analytical(world, state, step, own, strategy)
        }
        Paradigm::Penalty => penalty(world, state, step, settings.penalty.settings()),
        Paradigm::Hybrid => hybrid(world, state, step, settings.hybrid.settings()),
    }
}
