//! Checks that hold for every scene: no energy from nowhere, no lasting penetration, no broken constraints or limits.

use std::collections::BTreeMap;

use burgess_dynamics::joint::Joint;
use burgess_geometry::{Pose, Shape};
use burgess_scene::spec::{JointKind, SceneSpec, StackAxisSpec};
use burgess_simulation::{Anchor, ConstraintKind, Failure, Simulation};
use glam::{DQuat, DVec3};
use thiserror::Error;

/// A violation may last this long, in s: the error of an impact in one step is corrected in the next ones.
const PATIENCE: f64 = 0.1;
/// Penetration that is a violation, as a share of the smallest side of the smaller body's box.
const PENETRATION: f64 = 0.05;
/// Gap of a constraint, or excess of a slide over its limit, that is a violation, in m.
const GAP: f64 = 0.01;
/// Excess of a hinge over its limit that is a violation, in rad.
const ANGLE: f64 = 2.0 * std::f64::consts::PI / 180.0;
/// Allowed excess of the energy over that of the start, as a share of all energy that the scene can lose.
const ABOVE_START: f64 = 1e-3;
/// Allowed growth of the energy above its minimum: the energy of spinning trees of heavy and light links oscillates by
/// a few thousandths at steps of 1/240 s, and penetrations are corrected against gravity.
const ABOVE_LEAST: f64 = 1e-2;

/// A violation.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Violation {
    /// The simulation failed.
    #[error("{0}")]
    Failed(#[from] Failure),
    /// The energy grew.
    #[error("at {time} s the energy has grown by {growth} J above its minimum; the scene could lose {whole} J")]
    Energy {
        /// Time, in s.
        time: f64,
        /// Growth of the energy above its minimum, in J.
        growth: f64,
        /// All energy that the scene could lose at the start, in J.
        whole: f64,
    },
    /// Two bodies penetrated for too long.
    #[error("at {time} s '{body}' and '{other}' have penetrated for too long; the depth is {depth} m")]
    Penetration {
        /// Time, in s.
        time: f64,
        /// Name of the body.
        body: String,
        /// Name of the other body.
        other: String,
        /// Depth, in m.
        depth: f64,
    },
    /// A constraint was violated for too long.
    #[error("at {time} s constraint {tie} has been violated for too long; the gap is {gap} m")]
    Torn {
        /// Time, in s.
        time: f64,
        /// Index of the constraint.
        tie: usize,
        /// Gap, in m.
        gap: f64,
    },
    /// A joint was beyond its limit for too long.
    #[error("at {time} s the joint of '{body}' has been beyond its limit for too long, by {excess} rad or m")]
    Limit {
        /// Time, in s.
        time: f64,
        /// Name of the body.
        body: String,
        /// Excess over the limit, in rad or m.
        excess: f64,
    },
}

impl Violation {
    /// The kind in one word, for tables.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Failed(failure) => failure.name(),
            Self::Energy { .. } => "energy",
            Self::Penetration { .. } => "penetration",
            Self::Torn { .. } => "torn",
            Self::Limit { .. } => "limit",
        }
    }
}

/// Checks a simulation after every step.
#[derive(Debug)]
pub struct Watch {
    /// Whether nothing adds energy.
    passive: bool,
    /// All energy that the scene can lose, in J.
    whole: f64,
    first_energy: f64,
    least_energy: f64,
    /// Largest growth of the energy above its minimum, as a share of `whole`.
    pub energy_growth: f64,
    /// Deepest penetration, as a share of the smallest side of the smaller body's box.
    pub penetration: f64,
    /// Widest gap of a constraint, in m.
    pub gap: f64,
    /// Time since each violation began, in s.
    since: BTreeMap<(u8, u32, u32), f64>,
    wrong: Vec<(u8, u32, u32)>,
    thickness: Vec<f64>,
}

impl Watch {
    /// Creates the checks for a simulation at its start.
    pub fn new(scene: &SceneSpec, simulation: &mut Simulation) -> Self {
        let observables = simulation.observables();
        let energy = total_energy(simulation);
        let data = simulation.data();
        let gravity = data.world.model().gravity.length();
        let heights = (0..data.world.model().links().len()).map(|link| data.workspace.anchor(link).z);
        let highest = heights.fold(0.0, f64::max);
        let springs = (energy - observables.energy()).max(0.0);
        let whole = observables.kinetic_energy + springs + observables.mass * gravity * highest.max(1.0);
        let thickness = data.world.colliders().iter().map(|collider| thinnest(&collider.shape)).collect();
        Self {
            passive: is_passive(scene),
            whole,
            first_energy: energy,
            least_energy: energy,
            energy_growth: 0.0,
            penetration: 0.0,
            gap: 0.0,
            since: BTreeMap::new(),
            wrong: Vec::new(),
            thickness,
        }
    }

    /// Checks the simulation after a step.
    pub fn look(&mut self, simulation: &mut Simulation) -> Result<(), Violation> {
        self.wrong.clear();
        let energy = total_energy(simulation);
        let time = simulation.state().time;
        if self.passive {
            let growth = energy - self.least_energy;
            self.least_energy = self.least_energy.min(energy);
            self.energy_growth = self.energy_growth.max(growth / self.whole);
            let above_start = energy - self.first_energy;
            let is_fine = growth <= ABOVE_LEAST * self.whole && above_start <= ABOVE_START * self.whole;
            if !is_fine {
                return Err(Violation::Energy { time, growth, whole: self.whole });
            }
        }
        self.check_contacts(simulation)?;
        self.check_ties(simulation)?;
        self.check_limits(simulation)?;
        let wrong = &self.wrong;
        self.since.retain(|what, _| wrong.contains(what));
        Ok(())
    }

    /// Returns whether a violation has lasted too long.
    fn too_long(&mut self, what: (u8, u32, u32), time: f64) -> bool {
        self.wrong.push(what);
        time - *self.since.entry(what).or_insert(time) > PATIENCE
    }

    fn check_contacts(&mut self, simulation: &Simulation) -> Result<(), Violation> {
        let (data, time) = (simulation.data(), simulation.state().time);
        for contact in data.detection.contacts() {
            let (a, b) = (contact.collider_a, contact.collider_b);
            let size = self.thickness[a as usize].min(self.thickness[b as usize]);
            let share = -contact.distance / size;
            self.penetration = self.penetration.max(share);
            if share > PENETRATION && self.too_long((0, a, b), time) {
                let (body, other) = (data.name(contact.link_a), data.name(contact.link_b));
                return Err(Violation::Penetration { time, body, other, depth: -contact.distance });
            }
        }
        Ok(())
    }

    fn check_ties(&mut self, simulation: &Simulation) -> Result<(), Violation> {
        let (data, time) = (simulation.data(), simulation.state().time);
        for (tie, constraint) in data.world.constraints().iter().enumerate() {
            let (a, b) = (place(simulation, &constraint.a), place(simulation, &constraint.b));
            let apart = b.translation - a.translation;
            let gap = match constraint.kind {
                ConstraintKind::Pin | ConstraintKind::Hinge | ConstraintKind::Weld => apart.length(),
                ConstraintKind::Slide => apart.reject_from(a.rotation * DVec3::Z).length(),
                ConstraintKind::Distance { length } => (apart.length() - length).abs(),
                ConstraintKind::Rope { length } => apart.length() - length,
                ConstraintKind::Spring { .. } => 0.0,
            };
            self.gap = self.gap.max(gap);
            if gap > GAP && self.too_long((1, tie as u32, 0), time) {
                return Err(Violation::Torn { time, tie, gap });
            }
        }
        Ok(())
    }

    fn check_limits(&mut self, simulation: &Simulation) -> Result<(), Violation> {
        let (data, time) = (simulation.data(), simulation.state().time);
        let model = data.world.model();
        for (index, link) in model.links().iter().enumerate() {
            for axis in 0..link.dofs as usize {
                let Some((low, high)) = model.properties()[link.v + axis].limit else { continue };
                let excess = match link.joint {
                    Joint::Free => continue,
                    Joint::Spherical => DQuat::from_slice(&data.state.q[link.q..]).to_scaled_axis().length() - high,
                    _ => (low - data.state.q[link.q + axis]).max(data.state.q[link.q + axis] - high),
                };
                // Slides are short, so that the same number is a bound for them.
                if excess > ANGLE.min((high - low).max(GAP)) && self.too_long((2, index as u32, axis as u32), time) {
                    return Err(Violation::Limit { time, body: data.name(Some(index)), excess });
                }
            }
        }
        Ok(())
    }
}

/// Kinetic, gravitational and spring energy, including that of constraints, in J.
fn total_energy(simulation: &mut Simulation) -> f64 {
    let energy = simulation.energy();
    let stretched = simulation.world().constraints().iter().map(|constraint| match constraint.kind {
        ConstraintKind::Spring { length, stiffness, .. } => {
            let (a, b) = (place(simulation, &constraint.a), place(simulation, &constraint.b));
            let stretch = (b.translation - a.translation).length() - length;
            0.5 * stiffness * stretch * stretch
        }
        _ => 0.0,
    });
    energy + stretched.sum::<f64>()
}

fn place(simulation: &Simulation, anchor: &Anchor) -> Pose {
    let data = simulation.data();
    anchor.link.map_or(anchor.pose, |link| data.workspace.pose(data.world.model(), link).compose(&anchor.pose))
}

/// The smallest side of a shape's box, in m; infinite for half-spaces.
fn thinnest(shape: &Shape) -> f64 {
    let aabb = shape.aabb(&Pose::IDENTITY);
    (aabb.max - aabb.min).min_element()
}

/// Returns whether a scene has neither motors nor scripts nor controllers.
pub fn is_passive(scene: &SceneSpec) -> bool {
    let drives = |axis: &burgess_scene::spec::AxisSpec| axis.motor.is_some();
    let driven = |kind: &JointKind| match kind {
        JointKind::Weld(_) | JointKind::Free(_) => false,
        JointKind::Revolute(axis) | JointKind::Prismatic(axis) => drives(axis),
        JointKind::Universal(pair) => drives(&pair.first) || drives(&pair.second),
        JointKind::Spherical(ball) => ball.motor.is_some(),
        JointKind::Stack(stack) => stack.axes.iter().any(|axis| match axis {
            StackAxisSpec::Hinge(axis) | StackAxisSpec::Slide(axis) => drives(axis),
        }),
    };
    let still = |body: &burgess_scene::spec::BodySpec| {
        body.script.is_none() && !body.joint.as_ref().is_some_and(|joint| driven(&joint.kind))
    };
    scene.controllers.is_empty() && scene.fluid.is_none() && scene.bodies.iter().all(still)
}
