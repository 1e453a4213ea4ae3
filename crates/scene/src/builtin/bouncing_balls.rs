//! Seven balls with restitutions from 0 to 1 in six steps, without friction (Fontijne (2000) section 3.11.2). After
//! each bounce a ball reaches e^2 of the height before; the last one bounces forever.

use glam::DVec3;

use super::parts::{ground, looks};
use crate::spec::{BodySpec, MaterialSpec, SceneSpec, ShapeSpec};

const BALLS: usize = 7;
/// Radius of a ball, in m.
const RADIUS: f64 = 0.1;
/// Initial height of the lowest point of a ball, in m.
const HEIGHT: f64 = 2.0;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = SceneSpec::new(name, description);
    scene.display = looks::studio(DVec3::new(0.0, -5.5, 1.6), DVec3::new(0.0, 0.0, 1.0));
    scene.materials.insert("floor".to_string(), MaterialSpec::new(0.0, 0.0));
    scene.bodies.push(ground("floor"));
    for index in 0..BALLS {
        let restitution = index as f64 / (BALLS - 1) as f64;
        let material = format!("restitution {index}");
        scene.materials.insert(material.clone(), MaterialSpec::new(0.0, restitution));
        let position = DVec3::new(0.4 * (index as f64 - 3.0), 0.0, HEIGHT + RADIUS);
        let mut ball = BodySpec::new(format!("ball {index}"), position, [ShapeSpec::sphere(RADIUS).of(&material)]);
        ball.color = Some(looks::scale(restitution));
        scene.bodies.push(ball);
    }
    scene
}
