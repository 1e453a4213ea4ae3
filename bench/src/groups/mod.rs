//! The solver of contact groups on random creatures, and on scenes with large groups.

mod tally;

use burgess_scene::builtin;
use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
use glam::DVec3;

use crate::creatures::creature::Creature;

pub use tally::Tally;

/// Speed (m/s), radius (m) and density (kg/m3) of a ball thrown at the stack.
const BALL: (f64, f64, f64) = (8.0, 0.1, 1000.0);
/// Distance from which it is thrown, in m.
const BALL_DISTANCE: f64 = 3.0;
/// Heights above the ground at which it hits, in m.
const BALL_HEIGHTS: [f64; 3] = [0.3, 1.0, 1.7];

/// Returns the first random creatures that crawl.
pub fn creatures(count: usize) -> impl Iterator<Item = Creature> {
    (0..).filter_map(Creature::new).filter(Creature::crawls).take(count)
}

/// Returns scenes with large groups: built-in ones, and balls thrown at a stack.
pub fn scenes() -> Vec<SceneSpec> {
    let named = ["dominoes", "demolition-chain", "brick-wall"];
    let mut scenes: Vec<_> = named.iter().filter_map(|name| builtin::find(name)).map(|scene| scene.spec()).collect();
    let Some(stack) = builtin::find("stack") else { return scenes };
    for height in BALL_HEIGHTS {
        for towards in [DVec3::X, DVec3::new(0.6, 0.8, 0.0)] {
            let (speed, radius, density) = BALL;
            let mut scene = stack.spec();
            scene.name = format!("stack-ball-{height}-{}", towards.y);
            let shape = ShapeSpec::sphere(radius).with_density(density);
            let mut ball = BodySpec::new("ball", DVec3::Z * height - towards * BALL_DISTANCE, [shape]);
            // It falls on the way: half of that time it rises.
            ball.velocity = towards * speed + DVec3::Z * (0.5 * 9.81 * BALL_DISTANCE / speed);
            scene.bodies.push(ball);
            scenes.push(scene);
        }
    }
    scenes
}
