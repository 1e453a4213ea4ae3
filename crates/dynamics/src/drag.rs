//! Fluid drag on the faces of links, for swimming.
//!
//! A face of area A with outward unit normal n, whose centre moves at u relative to the fluid, feels at its centre
//!
//! ```text
//!   linear law      F = -c A (u . n) n               c in N s/m^3; faces that advance and faces that recede alike
//!   quadratic law   F = -(rho C / 2) A (u . n)^2 n   rho C in kg/m^3; only faces that advance, u . n > 0
//! ```
//!
//! Both laws only remove energy from the motion relative to the fluid: `F . u <= 0`. With the linear law, a slow
//! symmetric stroke and its reverse cancel exactly, as in a viscous fluid. With the quadratic law, a fast stroke gives
//! more thrust than a slow recovery costs, which makes fins work. Motion along a face causes no drag, and faces do not
//! shade each other.
//!
//! The force is explicit: the semi-implicit steps need about `h c A < m` (linear) or `h rho C A |u| < m` (quadratic).

use glam::{DMat3, DVec3};

use crate::spatial::{Force, Motion};
use crate::{Environment, Model, Workspace};

/// How drag grows with speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DragLaw {
    /// Drag is proportional to the speed.
    Linear {
        /// Force per area and normal speed, in N s/m^3.
        coefficient: f64,
    },
    /// Drag is proportional to the square of the speed, on advancing faces only.
    Quadratic {
        /// Density of the fluid, in kg/m^3.
        density: f64,
        /// Drag coefficient of a face; about 1 to 2 for a flat plate.
        coefficient: f64,
    },
}

/// A flat face of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DragPanel {
    /// Index of the link.
    pub link: usize,
    /// Centre of the face in the link's own coordinates, in m.
    pub center: DVec3,
    /// Outward unit normal in the link's own coordinates.
    pub normal: DVec3,
    /// Area, in m^2.
    pub area: f64,
}

/// A fluid and the faces that move in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Drag {
    /// How drag grows with speed.
    pub law: DragLaw,
    /// Velocity of the fluid, in m/s.
    pub current: DVec3,
    /// The faces.
    pub panels: Vec<DragPanel>,
}

impl Drag {
    /// Creates a fluid at rest without faces.
    pub fn new(law: DragLaw) -> Self {
        Self { law, current: DVec3::ZERO, panels: Vec::new() }
    }

    /// Adds the six faces of a box centred on a point of a link and aligned with its axes. Half extents are in m.
    pub fn add_box(&mut self, link: usize, center: DVec3, half_extents: DVec3) -> &mut Self {
        for axis in 0..3 {
            let (a, b) = (half_extents[(axis + 1) % 3], half_extents[(axis + 2) % 3]);
            for side in [-1.0, 1.0] {
                let mut normal = DVec3::ZERO;
                normal[axis] = side;
                let face = center + normal * half_extents[axis];
                self.panels.push(DragPanel { link, center: face, normal, area: 4.0 * a * b });
            }
        }
        self
    }

    /// Adds the drag of every face to the forces of a workspace with current poses and velocities. Returns the power of
    /// drag relative to the fluid, in W; never positive. Faces of links that do not exist are ignored.
    pub fn apply(&self, model: &Model, workspace: &mut Workspace) -> f64 {
        let mut power = 0.0;
        for panels in self.panels.chunk_by(|a, b| a.link == b.link) {
            let index = panels[0].link;
            let Some(link) = model.links().get(index) else { continue };
            let work = &workspace.links[index];
            // The velocity is transformed into the link's own coordinates and the force back, so that the faces stay
            // constant.
            let to_world = work.rotation * DMat3::from_quat(link.frame.rotation.conjugate());
            let to_own = to_world.transpose();
            let at_frame = Motion::new(to_own * work.velocity.angular, to_own * (work.velocity.linear - self.current));
            let velocity = at_frame.shifted(-link.frame.translation);
            let (force, own_power) = self.resistance(panels, &velocity);
            power += own_power;
            let at_frame = force.shifted_back(-link.frame.translation);
            workspace.external[index] += Force::new(to_world * at_frame.moment, to_world * at_frame.force);
        }
        power
    }

    /// Returns the force on some faces of a link that moves with `velocity` through the fluid, and its power, in the
    /// link's own coordinates about its origin.
    fn resistance(&self, panels: &[DragPanel], velocity: &Motion) -> (Force, f64) {
        let (mut force, mut power) = (Force::ZERO, 0.0);
        for panel in panels {
            let speed = velocity.shifted(panel.center).linear.dot(panel.normal);
            let pressure = match self.law {
                DragLaw::Linear { coefficient } => coefficient * speed,
                DragLaw::Quadratic { density, coefficient } => 0.5 * density * coefficient * speed.max(0.0) * speed,
            };
            let push = -pressure * panel.area;
            force += Force::at(panel.normal * push, panel.center);
            power += push * speed;
        }
        (force, power)
    }
}

impl Environment for Drag {
    fn load(&mut self, model: &Model, _time: f64, workspace: &mut Workspace) {
        self.apply(model, workspace);
    }
}
