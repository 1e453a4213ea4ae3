//! A steel ball on a chain swings into a wall of 34 blocks, or into two of them (Fontijne (2000) section 3.11.2).

use glam::DVec3;

use super::car_into_wall::blocks;
use super::parts::chain::Chain;
use super::parts::{ground, studio_scene};
use crate::spec::{MaterialSpec, SceneSpec};

pub(super) fn one_wall(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 6.0, DVec3::new(6.0, -9.0, 4.0), DVec3::new(0.0, 0.0, 1.8));
    for (name, friction) in [("ground", 0.7), ("steel", 0.3), ("block", 0.6)] {
        scene.materials.insert(name.to_string(), MaterialSpec::new(friction, 0.0));
    }
    scene.bodies.push(ground("ground"));
    let chain = Chain {
        name: "ball",
        hook: DVec3::Z * 5.0,
        links: 10,
        length: 0.35,
        radius: 0.03,
        ball: 0.25,
        swing: 75.0,
        damping: 2.0,
        material: "steel",
    };
    scene.bodies.extend(chain.bodies());
    scene.bodies.extend(blocks("block", DVec3::X * 0.5).bricks());
    scene
}

pub(super) fn two_walls(name: &str, description: &str) -> SceneSpec {
    let mut scene = one_wall(name, description);
    scene.bodies.extend(blocks("second block", DVec3::X * 1.5).bricks());
    scene
}
