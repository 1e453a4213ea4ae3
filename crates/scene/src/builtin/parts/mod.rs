//! Parts that several scenes share: colours and cameras, ground, brick walls, stairs, chains, a loop, a car.

pub mod car;
pub mod chain;
pub mod looks;
pub mod looping;
pub mod people;
pub mod stairs;
pub mod wall;

use glam::DVec3;

use crate::spec::{BodySpec, Orientation, SceneSpec, ShapeSpec};

/// An empty scene of `duration` s in studio light, with one camera that looks at `target`.
pub fn studio_scene(name: &str, description: &str, duration: f64, camera: DVec3, target: DVec3) -> SceneSpec {
    let mut scene = SceneSpec::new(name, description);
    (scene.duration, scene.display) = (duration, looks::studio(camera, target));
    scene
}

/// Flat ground at z = 0 of one material.
pub fn ground(material: &str) -> BodySpec {
    let mut body = BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space().of(material)]);
    body.color = Some(looks::GROUND);
    body
}

/// A fixed box with full side lengths, in m.
pub fn block(name: impl Into<String>, center: DVec3, size: DVec3, material: &str) -> BodySpec {
    let mut body = BodySpec::fixed(name, center, [ShapeSpec::cuboid(size).of(material)]);
    body.color = Some(looks::STONE);
    body
}

/// Returns the rotation about an axis by an angle in degrees.
pub fn turned(axis: DVec3, angle_degrees: f64) -> Orientation {
    Orientation::AxisAngle { axis, angle_degrees }
}

/// Densities, in kg/m^3.
pub mod density {
    pub const WOOD: f64 = 650.0;
    pub const BRICK: f64 = 1800.0;
    pub const GLASS: f64 = 2500.0;
    pub const ALUMINIUM: f64 = 2700.0;
    pub const STEEL: f64 = 7850.0;
}
