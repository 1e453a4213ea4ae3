//! Drives: from the controls of actuators to the motors of axes.
//!
//! All actuators of an axis make one motor (see [`ActuatorSpec`] for the symbols):
//!
//! ```text
//!   effort = E - K position - D velocity,   E = sum of gear (gain control + bias[0])
//!                                           K = sum of -gear^2 bias[1],   D = sum of -gear^2 bias[2]
//! ```
//!
//! It is a position servo if K is not zero, a velocity servo if only D is not zero, and otherwise a given effort. Stiff
//! servos are therefore implicit in time, as those of joints are. Without bias[1] and bias[2] the force is clamped
//! directly. With them, the force range becomes the largest effort of the axis, so such an actuator must be alone on
//! its axis.
//!
//! Controls are part of the state: they are in [`SimulationData::controls`](burgess_simulation::SimulationData), in
//! snapshots and in hashes. On a ball joint a position is a component of the rotation vector, and servos for position
//! turn it towards the rotation vector of their targets, as a motor of such a joint does; their reported forces are
//! accurate for small angles.

use std::ops::Range;

use burgess_dynamics::joint::Joint;
use burgess_dynamics::{Model, Motor, State};
use burgess_simulation::{ControllerContext, SimulationData};
use glam::DQuat;

use crate::spec::ActuatorSpec;

/// The actuators of a world, in the order of the scene.
///
/// ```
/// use burgess_scene::spec::SceneSpec;
/// use burgess_scene::RunOptions;
///
/// let text = "
/// gravity = [0, 0, 0]
/// actuators = [{ name = 'drive', joint = 'wheel', gear = 2, control_range = [-1, 1] }]
///
/// [[bodies]]
/// name = 'wheel'
/// mass = 1
/// inertia = [0.5, 0.5, 0.5]
/// joint = { type = 'revolute', axis = [0, 0, 1] }
/// ";
/// let scene = SceneSpec::from_toml(text, "wheel.toml").unwrap();
/// let mut run = scene.run(".", &RunOptions::default()).unwrap();
/// run.set_control(0, 3.0);
/// assert_eq!(run.control(0), 1.0);
/// run.simulation.run(1.0).unwrap();
/// assert!((run.simulation.state().v[0] - 4.0).abs() < 1e-9);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Actuators {
    names: Vec<String>,
    drives: Vec<Drive>,
    /// Controls at the start.
    controls: Vec<f64>,
    /// Indices of all actuators, grouped by axis.
    by_axis: Vec<usize>,
    /// For each actuator, the range of its axis in `by_axis`.
    axes: Vec<Range<usize>>,
}

/// An actuator and the axis that it drives.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Drive {
    link: usize,
    axis: usize,
    dof: usize,
    law: Law,
}

/// The law of an actuator, independent of what it drives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Law {
    gear: f64,
    gain: f64,
    bias: [f64; 3],
    control_range: [f64; 2],
    force_range: [f64; 2],
}

impl Law {
    pub fn new(spec: &ActuatorSpec) -> Self {
        const ANY: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
        Self {
            gear: spec.gear,
            gain: spec.gain,
            bias: spec.bias,
            control_range: spec.control_range.unwrap_or(ANY),
            force_range: spec.force_range.unwrap_or(ANY),
        }
    }

    pub fn clamped(&self, control: f64) -> f64 {
        within(control, self.control_range)
    }

    /// The limit that this actuator puts on the effort of its axis, in N m or N.
    pub fn max_effort(&self) -> f64 {
        if self.feels_motion() { self.force_range[1] * self.gear.abs() } else { f64::INFINITY }
    }

    fn feels_motion(&self) -> bool {
        self.bias[1] != 0.0 || self.bias[2] != 0.0
    }

    /// E, K and D of the equations at the top of this file.
    fn parts(&self, control: f64) -> [f64; 3] {
        let given = self.gain * self.clamped(control) + self.bias[0];
        let given = if self.feels_motion() { given } else { within(given, self.force_range) };
        let squared = self.gear * self.gear;
        [self.gear * given, -squared * self.bias[1], -squared * self.bias[2]]
    }

    fn force(&self, control: f64, position: f64, velocity: f64) -> f64 {
        let [rest, per_position, per_velocity] = self.bias;
        let felt = per_position * self.gear * position + per_velocity * self.gear * velocity;
        within(self.gain * self.clamped(control) + rest + felt, self.force_range)
    }
}

/// Clamps without panicking; NaN stays NaN, so that the step reports it.
fn within(value: f64, [low, high]: [f64; 2]) -> f64 {
    if value < low {
        low
    } else if value > high {
        high
    } else {
        value
    }
}

/// Combines all actuators of one axis into one motor.
pub(crate) fn motor(laws: impl Iterator<Item = (Law, f64)>) -> Motor {
    let [mut effort, mut stiffness, mut damping] = [0.0; 3];
    for (law, control) in laws {
        let parts = law.parts(control);
        effort += parts[0];
        stiffness += parts[1];
        damping += parts[2];
    }
    if stiffness > 0.0 {
        Motor::Position { target: effort / stiffness, stiffness, damping }
    } else if damping > 0.0 {
        Motor::Velocity { target: effort / damping, gain: damping }
    } else {
        Motor::Effort(effort)
    }
}

impl Actuators {
    /// Creates the actuators from specs with the indices of their links.
    pub(crate) fn new<'a>(model: &Model, specs: impl Iterator<Item = (usize, &'a ActuatorSpec)>) -> Self {
        let mut actuators = Self::default();
        for (link, spec) in specs {
            let law = Law::new(spec);
            actuators.names.push(spec.name.clone());
            actuators.controls.push(law.clamped(spec.control));
            actuators.drives.push(Drive { link, axis: spec.axis, dof: model.links()[link].v + spec.axis, law });
        }
        let dof = |index: &usize| actuators.drives[*index].dof;
        let mut by_axis: Vec<usize> = (0..actuators.drives.len()).collect();
        by_axis.sort_by_key(dof);
        let of_axis = |index: usize| {
            let start = by_axis.partition_point(|other| dof(other) < dof(&index));
            start..by_axis.partition_point(|other| dof(other) <= dof(&index))
        };
        actuators.axes = (0..actuators.drives.len()).map(of_axis).collect();
        actuators.by_axis = by_axis;
        actuators
    }

    /// Number of actuators.
    pub fn len(&self) -> usize {
        self.drives.len()
    }

    /// Returns whether there are no actuators.
    pub fn is_empty(&self) -> bool {
        self.drives.is_empty()
    }

    /// Names of the actuators, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Index of an actuator by its name.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Controls at the start, clamped to their ranges.
    pub fn start(&self) -> &[f64] {
        &self.controls
    }

    /// A control clamped to the range of an actuator.
    pub fn clamped(&self, index: usize, control: f64) -> f64 {
        self.drives[index].law.clamped(control)
    }

    /// Sets a control, clamped to its range, and wakes what it drives. Actuators that do not exist are ignored.
    pub fn set_control(&self, data: &mut SimulationData, index: usize, control: f64) {
        let (Some(drive), Some(slot)) = (self.drives.get(index), data.controls.get_mut(index)) else { return };
        *slot = drive.law.clamped(control);
        let motor = self.motor_of(index, &data.controls);
        let Some(own) = data.state.motors.get_mut(drive.dof) else { return };
        // Bodies may sleep under a motor that does not change.
        if *own != motor {
            *own = motor;
            data.rest.wake(data.world.tree_of_link(drive.link));
        }
    }

    /// Sets a control from within a controller, clamped to its range. An override replaces the control. Actuators that do
    /// not exist are ignored.
    pub fn order_control(&self, context: &mut ControllerContext, index: usize, control: f64) {
        let control = context.overridden(index).unwrap_or(control);
        let (Some(drive), Some(slot)) = (self.drives.get(index), context.controls.get_mut(index)) else { return };
        *slot = drive.law.clamped(control);
        let motor = self.motor_of(index, context.controls);
        context.set_motor(drive.dof, motor);
    }

    /// Removes the motor of an axis from within a controller, until the next control. An actuator with an override keeps
    /// its motor.
    pub fn order_slack(&self, context: &mut ControllerContext, index: usize) {
        if let Some(control) = context.overridden(index) {
            return self.order_control(context, index, control);
        }
        let (Some(drive), Some(slot)) = (self.drives.get(index), context.controls.get_mut(index)) else { return };
        *slot = 0.0;
        context.set_motor(drive.dof, Motor::None);
    }

    /// Sets the first controls, or all.
    pub fn set_controls(&self, data: &mut SimulationData, controls: &[f64]) {
        for (index, &control) in controls.iter().enumerate() {
            self.set_control(data, index, control);
        }
    }

    /// Sets the motors of a state that is not part of a simulation, for all controls.
    pub fn drive(&self, state: &mut State, controls: &[f64]) {
        for index in 0..self.drives.len().min(controls.len()) {
            state.motors[self.drives[index].dof] = self.motor_of(index, controls);
        }
    }

    /// The force of an actuator in the present state, before its gear, in N m, N or what its gain makes of the control.
    pub fn force(&self, data: &SimulationData, index: usize) -> f64 {
        let control = data.controls[index];
        let Drive { link, axis, dof, .. } = self.drives[index];
        let position = axis_position(data.world.model(), &data.state.q, link, axis);
        self.force_at(index, control, position, data.state.v[dof])
    }

    /// The force of an actuator at a control and a position (rad or m) and velocity of its axis, before its gear.
    pub fn force_at(&self, index: usize, control: f64, position: f64, velocity: f64) -> f64 {
        self.drives[index].law.force(control, position, velocity)
    }

    fn motor_of(&self, index: usize, controls: &[f64]) -> Motor {
        let control = |index: &usize| controls.get(*index).copied().unwrap_or(0.0);
        motor(self.by_axis[self.axes[index].clone()].iter().map(|other| (self.drives[*other].law, control(other))))
    }
}

/// Position of an axis of the joint of a link, in rad or m; for a ball joint, the component of its rotation vector. `q`
/// contains the positions of the model.
pub fn axis_position(model: &Model, q: &[f64], link: usize, axis: usize) -> f64 {
    let link = &model.links()[link];
    let turned = |first: usize| {
        let rotation = DQuat::from_slice(&q[first..]);
        let short = if rotation.w < 0.0 { -rotation } else { rotation };
        short.to_scaled_axis()[axis]
    };
    match link.joint {
        Joint::Spherical => turned(link.q),
        Joint::Free if axis < 3 => turned(link.q + 3),
        Joint::Free => q[link.q + axis - 3],
        _ => q[link.q + axis],
    }
}
