//! What must not happen to a scene, whatever it holds: things that no law of nature and no motor explains.

use std::collections::BTreeMap;

use burgess_dynamics::joint::Joint;
use burgess_geometry::{Pose, Shape};
use burgess_scene::spec::{JointKind, SceneSpec, StackAxisSpec};
use burgess_simulation::{Anchor, ConstraintKind, Failure, Simulation};
use glam::{DQuat, DVec3};
use thiserror::Error;

/// Longer than this nothing may be wrong, in s: a blow in one step is taken back in the next ones.
const PATIENCE: f64 = 0.1;
/// A penetration that counts, as a share of the smallest side of the smaller body's box.
const PENETRATION: f64 = 0.05;
/// A gap in a tie that counts, in m, and a limit passed by a slide.
const GAP: f64 = 0.01;
/// A limit passed by a turn that counts, in rad.
const ANGLE: f64 = 2.0 * std::f64::consts::PI / 180.0;
/// What energy may exceed that of the start by, as a share of all that the scene has to lose.
const ABOVE_START: f64 = 1e-3;
/// What energy may grow by above its least: trees of heavy and light links that whirl swing about their true energy by a few
/// thousandths at steps of 1/240 s, and penetrations are taken back against gravity.
const ABOVE_LEAST: f64 = 1e-2;

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Mishap {
    /// The simulator gave up.
    #[error("{0}")]
    Failed(#[from] Failure),
    /// Energy from nowhere.
    #[error("at {time} s the energy has grown by {growth} J above its least, of {whole} J that there were to lose")]
    Energy {
        /// In s.
        time: f64,
        /// In J.
        growth: f64,
        /// In J.
        whole: f64,
    },
    /// Bodies in each other for too long.
    #[error("at {time} s '{body}' and '{other}' have been in each other too long, now {depth} m")]
    Penetration {
        /// In s.
        time: f64,
        /// A name.
        body: String,
        /// A name.
        other: String,
        /// In m.
        depth: f64,
    },
    /// A tie that has come apart for too long.
    #[error("at {time} s tie {tie} has been open too long, now {gap} m")]
    Torn {
        /// In s.
        time: f64,
        /// Among the constraints.
        tie: usize,
        /// In m.
        gap: f64,
    },
    /// A joint beyond its limit for too long.
    #[error("at {time} s the joint of '{body}' has been beyond its limit too long, now by {excess} rad or m")]
    Limit {
        /// In s.
        time: f64,
        /// A name.
        body: String,
        /// In rad or m.
        excess: f64,
    },
}

impl Mishap {
    /// One word for tables, the same for mishaps of one kind.
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

/// Watches a simulation after every step.
#[derive(Debug)]
pub struct Watch {
    /// Is energy never fed?
    passive: bool,
    /// All energy that the scene has to lose, in J.
    whole: f64,
    first_energy: f64,
    least_energy: f64,
    /// The most that energy has grown by above its least, as a share of the whole.
    pub energy_growth: f64,
    /// The deepest penetration, as a share of the smallest side of the smaller body's box.
    pub penetration: f64,
    /// The widest gap in a tie, in m.
    pub gap: f64,
    /// Since when something is wrong, by what it is, in s.
    since: BTreeMap<(u8, u32, u32), f64>,
    wrong: Vec<(u8, u32, u32)>,
    thickness: Vec<f64>,
}

impl Watch {
    /// For a simulation of a scene at its start.
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

    /// Looks at the simulation after a step.
    pub fn look(&mut self, simulation: &mut Simulation) -> Result<(), Mishap> {
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
                return Err(Mishap::Energy { time, growth, whole: self.whole });
            }
        }
        self.look_at_contacts(simulation)?;
        self.look_at_ties(simulation)?;
        self.look_at_limits(simulation)?;
        let wrong = &self.wrong;
        self.since.retain(|what, _| wrong.contains(what));
        Ok(())
    }

    /// Has this been wrong for too long?
    fn too_long(&mut self, what: (u8, u32, u32), time: f64) -> bool {
        self.wrong.push(what);
        time - *self.since.entry(what).or_insert(time) > PATIENCE
    }

    fn look_at_contacts(&mut self, simulation: &Simulation) -> Result<(), Mishap> {
        let (data, time) = (simulation.data(), simulation.state().time);
        for contact in data.detection.contacts() {
            let (a, b) = (contact.collider_a, contact.collider_b);
            let size = self.thickness[a as usize].min(self.thickness[b as usize]);
            let share = -contact.distance / size;
            self.penetration = self.penetration.max(share);
            if share > PENETRATION && self.too_long((0, a, b), time) {
                let (body, other) = (data.name(contact.link_a), data.name(contact.link_b));
                return Err(Mishap::Penetration { time, body, other, depth: -contact.distance });
            }
        }
        Ok(())
    }

    fn look_at_ties(&mut self, simulation: &Simulation) -> Result<(), Mishap> {
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
                return Err(Mishap::Torn { time, tie, gap });
            }
        }
        Ok(())
    }

    fn look_at_limits(&mut self, simulation: &Simulation) -> Result<(), Mishap> {
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
                // Slides are short: what is much for a turn is no more for them.
                if excess > ANGLE.min((high - low).max(GAP)) && self.too_long((2, index as u32, axis as u32), time) {
                    return Err(Mishap::Limit { time, body: data.name(Some(index)), excess });
                }
            }
        }
        Ok(())
    }
}

/// Kinetic, gravitational and spring energy, that of ties included, in J.
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

/// Has a scene neither motors nor scripts nor controllers?
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
