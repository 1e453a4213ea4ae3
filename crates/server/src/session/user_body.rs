//! The body of a user who stands in the world: a capsule that bodies bounce off. It is kinematic: the user moves it, and
//! nothing pushes it back. Damped springs with a bounded force hold bodies outside, as in the paradigm `penalty`, so that
//! a user who walks into a pinned body squeezes it without ending the simulation. The capsule is no body of the world:
//! it comes and goes without a new epoch.

use burgess_collision::narrow_phase::{NarrowScratch, PairCache, closest};
use burgess_dynamics::Workspace;
use burgess_geometry::shape::Capsule;
use burgess_geometry::{Aabb, Pose, Shape};
use burgess_simulation::World;
use glam::DVec3;

/// Time in which the capsule moves to the place of an edit, in s. Trackers and headsets report about as often.
const MOVE_TIME: f64 = 0.05;
/// Fastest motion of the capsule, in m/s. A user who moves faster is somewhere else at once.
const MAX_SPEED: f64 = 10.0;
/// Natural frequency of the springs, as a share of the step rate. The effective mass at a point of a body may be several
/// times less than its mass, so this is well below the stability limit of an explicit step, which is 2.
const FREQUENCY_SHARE: f64 = 0.25;
/// Damping ratio of the springs. Bodies bounce a little.
const DAMPING_RATIO: f64 = 0.3;
/// Friction coefficient of the user.
const FRICTION: f64 = 0.4;
/// Maximum acceleration of a body by the springs, in m/s^2, so that bodies are not ejected.
const MAX_ACCELERATION: f64 = 2000.0;

/// The body of a user.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UserBody {
    /// Number of the viewer.
    pub viewer: u32,
    /// Height of the capsule, in m.
    pub height: f64,
    /// Radius of the capsule, in m.
    pub radius: f64,
    /// Lowest point at the time of the last edit, in m.
    from: DVec3,
    /// Lowest point to which it moves, in m.
    to: DVec3,
    /// Time of the last edit, in s.
    since: f64,
    /// Length of a step, in s.
    step: f64,
}

impl UserBody {
    /// A body at rest.
    pub fn new(viewer: u32, foot: DVec3, [height, radius]: [f64; 2], time: f64, step: f64) -> Self {
        Self { viewer, height, radius, from: foot, to: foot, since: time, step }
    }

    /// The body on its way from where it is to another place. If that is too far, it is there at once.
    pub fn moved(&self, foot: DVec3, time: f64, step: f64) -> Self {
        let (here, _) = self.motion(time);
        let is_far = here.distance(foot) > MAX_SPEED * MOVE_TIME;
        Self { from: if is_far { foot } else { here }, to: foot, since: time, step, ..*self }
    }

    /// Lowest point and velocity at a time.
    fn motion(&self, time: f64) -> (DVec3, DVec3) {
        let share = ((time - self.since) / MOVE_TIME).clamp(0.0, 1.0);
        let velocity = if share < 1.0 { (self.to - self.from) / MOVE_TIME } else { DVec3::ZERO };
        (self.from.lerp(self.to, share), velocity)
    }

    fn shape(&self) -> Option<Shape> {
        let half_length = (0.5 * self.height - self.radius).max(1e-3);
        Capsule::new(self.radius, half_length).ok().map(Shape::Capsule)
    }

    /// Box around the whole way of the capsule.
    pub fn bounds(&self) -> Aabb {
        let around = |foot: DVec3| {
            let half = DVec3::new(self.radius, self.radius, 0.5 * self.height.max(2.0 * self.radius));
            Aabb::from_center(foot + DVec3::new(0.0, 0.0, half.z), half)
        };
        around(self.from).union(&around(self.to))
    }

    /// Applies forces to the bodies that the capsule touches.
    pub fn load(&self, world: &World, time: f64, workspace: &mut Workspace) {
        let Some(capsule) = self.shape() else { return };
        let (foot, velocity) = self.motion(time);
        let at = Pose::from_translation(foot + DVec3::new(0.0, 0.0, 0.5 * self.height));
        let bounds = capsule.aabb(&at);
        let mut scratch = NarrowScratch::default();
        for (index, collider) in world.colliders().iter().enumerate() {
            let moves = |link: &usize| !world.trees()[world.tree_of_link(*link)].is_fixed;
            let Some(link) = collider.link.filter(moves) else { continue };
            let pose = world.collider_pose(workspace, index);
            if !collider.shape.aabb(&pose).overlaps(&bounds) {
                continue;
            }
            // Without memory of earlier steps, so that a replay from a snapshot gives the same bits.
            let found = closest(&capsule, &at, &collider.shape, &pose, &mut PairCache::default(), &mut scratch);
            let Some(found) = found.map(|found| found.proximity).filter(|found| found.distance < 0.0) else { continue };
            let mass = world.model().links()[link].inertia.mass;
            let frequency = FREQUENCY_SHARE / self.step;
            let relative = workspace.velocity_at(link, found.point_b).linear - velocity;
            let leaving = relative.dot(found.normal);
            let spring = -frequency * frequency * found.distance;
            let damping = 2.0 * DAMPING_RATIO * frequency;
            let pressure = mass * (spring - damping * leaving).clamp(0.0, MAX_ACCELERATION);
            let sliding = relative - leaving * found.normal;
            // Friction slows the sliding down as viscous friction does, up to Coulomb's bound.
            let friction = (-mass * damping * sliding).clamp_length_max(FRICTION * pressure);
            workspace.apply_force(link, pressure * found.normal + friction, DVec3::ZERO, found.point_b);
        }
    }
}
