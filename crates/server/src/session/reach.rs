//! Reaching: which body a hand, a wand or a ray meets first. The session resolves this against the colliders of the
//! current step and records an ordinary grab or push, so that a replay does not depend on it.

use burgess_collision::narrow_phase::{NarrowScratch, PairCache, closest};
use burgess_geometry::shape::Sphere;
use burgess_geometry::{Pose, Shape};
use glam::DVec3;

use super::edit::Edit;
use super::live::LivePlayer;

/// Radius of the ball that is moved along the ray, in m. A hand is about as large.
const RADIUS: f64 = 0.03;
/// Maximum number of moves of the ball. Each moves it by its distance from the nearest collider.
const MAX_MOVES: usize = 128;
/// The ball touches a collider at this distance, in m.
const TOUCHING: f64 = 1e-3;

/// A ray along which something is grabbed. Lengths are in m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// Start of the ray in the world.
    pub from: [f64; 3],
    /// Direction of the ray; its length does not matter.
    pub along: [f64; 3],
    /// Length of the ray; 0 reaches only what the start touches.
    pub length: f64,
    /// Speed along the ray that a push gives to the body, in m/s. Without it the body is grabbed.
    pub push: Option<f64>,
}

impl LivePlayer {
    /// The grab or push of the first body along a ray; or a sentence that says why there is none.
    pub(super) fn reached(&mut self, viewer: u32, reach: &Reach) -> Result<Edit, String> {
        let ball = Sphere::new(RADIUS).map(Shape::Sphere).map_err(|error| error.to_string())?;
        let direction = DVec3::from_array(reach.along).normalize_or_zero();
        let simulation = &mut self.current.running.simulation;
        simulation.data_mut().update_kinematics();
        let data = simulation.data();
        let (mut along, mut scratch) = (0.0, NarrowScratch::default());
        let start = DVec3::from_array(reach.from);
        for _ in 0..MAX_MOVES {
            let centre = start + along * direction;
            let mut nearest: Option<(f64, usize, DVec3)> = None;
            for (index, collider) in data.world.colliders().iter().enumerate() {
                let pose = data.world.collider_pose(&data.workspace, index);
                let at = Pose::from_translation(centre);
                let mut cache = PairCache::default();
                let Some(found) = closest(&ball, &at, &collider.shape, &pose, &mut cache, &mut scratch) else {
                    continue;
                };
                let found = found.proximity;
                if nearest.is_none_or(|(distance, ..)| found.distance < distance) {
                    nearest = Some((found.distance, index, found.point_b));
                }
            }
            let Some((distance, collider, point)) = nearest else { break };
            if distance <= TOUCHING {
                return match reach.push {
                    Some(speed) => self.push_of(self.body_of(collider)?, speed * direction),
                    None => self.grab_of(viewer, collider, point),
                };
            }
            along += distance;
            if along > reach.length || direction == DVec3::ZERO {
                break;
            }
        }
        Err(format!("nothing is within {} m of the hand in this direction", reach.length))
    }

    fn body_of(&self, collider: usize) -> Result<usize, String> {
        let body = self.current.place_of_collider[collider].ok_or("the hand touches something fixed")?;
        Ok(body as usize)
    }

    /// The grab of a collider at a point of the world.
    fn grab_of(&self, viewer: u32, collider: usize, point: DVec3) -> Result<Edit, String> {
        let body = self.body_of(collider)?;
        let shown = &self.current.shown[body];
        let data = self.current.running.simulation.data();
        let frame = shown.link.map_or(Pose::IDENTITY, |link| data.workspace.pose(data.world.model(), link));
        let local = shown.frame.inverse().transform_point(frame.inverse().transform_point(point));
        Ok(Edit::Grab { viewer, body, point: local.to_array(), to: point.to_array() })
    }
}
