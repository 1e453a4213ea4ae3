//! A wall of 34 loose bricks that settles and stands (Fontijne (2000) section 3.11.1, table 3.4).

use glam::DVec3;

use super::parts::wall::Wall;
use super::parts::{density, ground, looks};
use crate::spec::{MaterialSpec, SceneSpec};

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = SceneSpec::new(name, description);
    scene.display = looks::studio(DVec3::new(1.6, -1.0, 0.7), DVec3::new(0.0, 0.0, 0.25));
    scene.materials.insert("brick".to_string(), MaterialSpec::new(0.6, 0.0));
    scene.bodies.push(ground("brick"));
    let wall = Wall {
        name: "brick",
        foot: DVec3::ZERO,
        brick: DVec3::new(0.12, 0.25, 0.065),
        gap: 0.0005,
        density: density::BRICK,
        material: "brick",
    };
    scene.bodies.extend(wall.bricks());
    scene
}
