//! Specs of materials and the fluid.

use burgess_simulation::Material;
use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::is_default;
use super::tagged::tagged;

/// A material.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MaterialSpec {
    /// Coefficient of dry friction; 0.5 if left out.
    pub friction: f64,
    /// Restitution, from 0 (plastic, if left out) to 1 (elastic).
    pub restitution: f64,
    /// Tangential restitution, from -1 (smooth) over 0 (stick, if left out) to 1 (superball).
    #[serde(skip_serializing_if = "is_default")]
    pub tangential_restitution: f64,
}

impl Default for MaterialSpec {
    fn default() -> Self {
        let Material { friction, restitution, tangential_restitution } = Material::default();
        Self { friction, restitution, tangential_restitution }
    }
}

impl MaterialSpec {
    /// Creates a material with a friction and a restitution.
    pub fn new(friction: f64, restitution: f64) -> Self {
        Self { friction, restitution, tangential_restitution: 0.0 }
    }

    /// The simulator's material.
    pub fn material(&self) -> Material {
        let Self { friction, restitution, tangential_restitution } = *self;
        Material { friction, restitution, tangential_restitution }
    }
}

/// The surface of a pair of materials, instead of the combination of the two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurfaceSpec {
    /// Names of the two materials.
    pub between: [String; 2],
    /// Coefficient of dry friction.
    pub friction: f64,
    /// Restitution, from 0 (plastic) to 1 (elastic).
    #[serde(default, skip_serializing_if = "is_default")]
    pub restitution: f64,
    /// Tangential restitution, from -1 (smooth) over 0 (stick) to 1 (superball).
    #[serde(default, skip_serializing_if = "is_default")]
    pub tangential_restitution: f64,
}

tagged! {
    /// A fluid everywhere, and how it drags on bodies.
    pub enum FluidSpec {
        /// Drag in proportion to the speed, as in honey.
        "linear" => Linear(LinearFluid),
        /// Drag with the square of the speed, as in water.
        "quadratic" => Quadratic(QuadraticFluid),
        /// Both, on the box with the inertia of each body, independent of its shapes (MuJoCo's model).
        "inertia_box" => InertiaBox(InertiaBoxFluid),
    }
}

/// A viscous fluid.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinearFluid {
    /// Force per area and normal speed, in N s/m^3.
    pub coefficient: f64,
    /// Velocity of the fluid, in m/s; still if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub current: DVec3,
}

/// A thin fluid.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuadraticFluid {
    /// Density, in kg/m^3.
    pub density: f64,
    /// Drag coefficient of a face; 1 if left out.
    #[serde(default = "one")]
    pub coefficient: f64,
    /// Velocity of the fluid, in m/s; still if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub current: DVec3,
}

/// A fluid that sees each body as the box of the same inertia.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InertiaBoxFluid {
    /// Density, in kg/m^3.
    pub density: f64,
    /// Viscosity, in Pa s.
    pub viscosity: f64,
    /// Velocity of the fluid, in m/s; still if left out.
    #[serde(skip_serializing_if = "is_default")]
    pub current: DVec3,
}

fn one() -> f64 {
    1.0
}
