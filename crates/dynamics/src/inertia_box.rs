//! Fluid drag on links represented by boxes: each box has the mass and inertia of its link, whatever the shape.
//!
//! With the principal moments I of a link of mass m the box has the half extents
//!
//! ```text
//!   r_i = sqrt(3 (I_j + I_k - I_i) / (2 m))
//! ```
//!
//! Along the axes of the box, with v the velocity of its centre relative to the fluid and w its angular velocity, the
//! drag at its centre is
//!
//! ```text
//!   force_i  = -2 rho r_j r_k |v_i| v_i                     -  6 pi beta r v_i      rho: density, in kg/m^3
//!   torque_i = -rho r_i (r_j^4 + r_k^4) |w_i| w_i / 2       -  8 pi beta r^3 w_i    beta: viscosity, in Pa s
//! ```
//!
//! with r the mean of the three: the pressure on fast faces, and the resistance of a slow sphere (Stokes). MuJoCo calls
//! this model inertia-based (its documentation, 'Fluid forces'). Every term opposes its own velocity, so a fluid at
//! rest only removes energy.
//!
//! There is neither lift nor buoyancy, and links do not shade each other. Where principal moments are equal the axes
//! are not unique, but the pressure depends on them: those of the link itself are used if its inertia is diagonal along
//! them. The force is explicit: the semi-implicit steps need about `6 pi beta r h < m` and `rho r^2 |v| h < m`.

use std::f64::consts::PI;

use burgess_geometry::MassProperties;
use glam::{DMat3, DVec3};

use crate::{Environment, Model, Workspace};

/// A box, and the coefficients of its velocities.
#[derive(Debug, Clone, Copy, PartialEq)]
struct InertiaBox {
    link: usize,
    /// Centre in the link's inner frame.
    center: DVec3,
    /// Axes as columns, in the link's inner frame.
    axes: DMat3,
    /// Coefficient of the square of the velocity, in kg/m.
    pressure: DVec3,
    /// Coefficient of the square of the angular velocity, in kg m^2.
    pressure_torque: DVec3,
    /// Coefficient of the velocity, in N s/m.
    resistance: f64,
    /// Coefficient of the angular velocity, in N m s.
    resistance_torque: f64,
}

/// A fluid in which links are represented by the boxes of their inertia.
#[derive(Debug, Clone, PartialEq)]
pub struct InertiaBoxDrag {
    density: f64,
    viscosity: f64,
    /// Velocity of the fluid, in m/s.
    pub current: DVec3,
    boxes: Vec<InertiaBox>,
}

impl InertiaBoxDrag {
    /// Creates a fluid at rest with a density (kg/m^3) and a viscosity (Pa s), without boxes.
    pub fn new(density: f64, viscosity: f64) -> Self {
        Self { density, viscosity, current: DVec3::ZERO, boxes: Vec::new() }
    }

    /// Creates a fluid with a box for every movable link.
    pub fn around(model: &Model, density: f64, viscosity: f64) -> Self {
        let mut drag = Self::new(density, viscosity);
        let mut moves = vec![false; model.links().len()];
        for (index, link) in model.links().iter().enumerate() {
            moves[index] = link.dofs > 0 || link.parent().is_some_and(|parent| moves[parent]);
            if moves[index] {
                drag.add(model, index, &model.masses[index]);
            }
        }
        drag
    }

    /// Adds the box of a part of a link. The mass properties are in the link's own coordinates.
    pub fn add(&mut self, model: &Model, link: usize, mass: &MassProperties) -> &mut Self {
        let (moments, axes) = mass.principal_axes();
        let whole = moments.x + moments.y + moments.z;
        // Rounding may give a flat body a negative extent.
        let squared = (DVec3::splat(whole) - 2.0 * moments).max(DVec3::ZERO) * (1.5 / mass.mass);
        let extent = DVec3::new(squared.x.sqrt(), squared.y.sqrt(), squared.z.sqrt());
        let fourth = squared * squared;
        let others = DVec3::splat(fourth.x + fourth.y + fourth.z) - fourth;
        let faces = DVec3::new(extent.y * extent.z, extent.z * extent.x, extent.x * extent.y);
        let mean = (extent.x + extent.y + extent.z) / 3.0;
        let frame = &model.links()[link].frame;
        self.boxes.push(InertiaBox {
            link,
            center: frame.inverse_transform_point(mass.center_of_mass),
            axes: DMat3::from_quat(frame.rotation.inverse() * axes),
            pressure: 2.0 * self.density * faces,
            pressure_torque: 0.5 * self.density * extent * others,
            resistance: 6.0 * PI * self.viscosity * mean,
            resistance_torque: 8.0 * PI * self.viscosity * mean * mean * mean,
        });
        self
    }

    /// Adds the drag of every box to the forces of a workspace with current poses and velocities. Returns the power of
    /// drag relative to the fluid, in W; never positive. Boxes of links that do not exist are ignored.
    pub fn apply(&self, workspace: &mut Workspace) -> f64 {
        let mut power = 0.0;
        for own in &self.boxes {
            let Some(work) = workspace.links.get(own.link) else { continue };
            let lever = work.rotation * own.center;
            let axes = work.rotation * own.axes;
            let to_box = axes.transpose();
            let velocity = to_box * (work.velocity.linear + work.velocity.angular.cross(lever) - self.current);
            let spin = to_box * work.velocity.angular;
            let force = -(own.pressure * velocity.abs() + DVec3::splat(own.resistance)) * velocity;
            let torque = -(own.pressure_torque * spin.abs() + DVec3::splat(own.resistance_torque)) * spin;
            power += force.dot(velocity) + torque.dot(spin);
            let point = work.origin + lever;
            workspace.apply_force(own.link, axes * force, axes * torque, point);
        }
        power
    }
}

impl Environment for InertiaBoxDrag {
    fn load(&mut self, _model: &Model, _time: f64, workspace: &mut Workspace) {
        self.apply(workspace);
    }
}
