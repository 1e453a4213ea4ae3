//! Height field and a bounded convex shape.
//!
//! The ground is cut into prisms, one below each triangle. Apart, the distance is that to the nearest prism. In each
//! other, the walls between prisms are not surfaces, so nothing may leave through them: a shape leaves along the normal
//! of a triangle over its deepest point, or over an edge or corner of the surface.

use burgess_geometry::shape::{HeightField, Prism};
use burgess_geometry::{Aabb, Pose, RelativePose, Shape};
use glam::DVec3;

use super::closest_convex_convex::{closest_core_core, separation_core_core};
use super::core::{Core, RoundedCore};
use super::{PolytopeScratch, Proximity};

/// Ways out flatter than this are walls between prisms.
const WALL: f64 = 1e-6;

/// A height field (a) and a bounded convex shape (b) that stands at `pose_b` in the frame of the field: the proximity in
/// that frame, and the index of the triangle. Nothing when the shape is not bounded and convex, or not nearer than
/// `limit` metres.
pub fn closest_height_field_convex(
    a: &HeightField,
    b: &Shape,
    pose_b: &Pose,
    limit: f64,
    scratch: &mut PolytopeScratch,
) -> Option<(Proximity, u32)> {
    RoundedCore::of_shape(b)?;
    let bounds = b.aabb(pose_b);
    let b_in_a = RelativePose::new(&Pose::IDENTITY, pose_b);
    let mut search = Search { b, b_in_a, bounds, best: None, last_resort: None, limit, scratch };

    // The ground straight below gives a first bound, and the bound says how far around to look.
    let (half, middle) = (0.5 * a.size(), bounds.center().truncate());
    let below = middle.clamp(-half, half);
    let column = Aabb::new(below.extend(f64::NEG_INFINITY), below.extend(f64::INFINITY));
    for prism in a.prisms_in(&column) {
        search.visit(&prism);
    }
    let reach = search.bound().max(0.0);
    for prism in a.prisms_in(&bounds.inflated(reach)) {
        search.visit(&prism);
    }
    search.best.or(search.last_resort).filter(|(found, _)| found.distance <= limit)
}

struct Search<'a> {
    b: &'a Shape,
    b_in_a: RelativePose,
    /// Around b, in the frame of the field.
    bounds: Aabb,
    best: Option<(Proximity, u32)>,
    /// Straight out through the surface, where every prism would rather be left through a wall.
    last_resort: Option<(Proximity, u32)>,
    limit: f64,
    scratch: &'a mut PolytopeScratch,
}

impl Search<'_> {
    /// Only what is below this matters any more.
    fn bound(&self) -> f64 {
        self.best.or(self.last_resort).map_or(self.limit, |(best, _)| best.distance.min(self.limit))
    }

    fn visit(&mut self, prism: &Prism) {
        let lowest = prism.corners.iter().fold(f64::INFINITY, |low, corner| low.min(corner.z));
        // Only as deep as can matter: a tall prism would spoil the precision.
        let depth = lowest.min(self.bounds.min.z) - self.bounds.extents().length();
        let prism = Prism { bottom: prism.bottom.max(depth), ..*prism };
        let vertices = prism.vertices();
        if self
            .best
            .is_some_and(|(best, _)| box_gap(&Aabb::from_points(vertices), &self.bounds) > best.distance.max(0.0))
        {
            return;
        }
        let mut direction = DVec3::Z;
        let mut ground = RoundedCore::from(Core::Prism(vertices));
        match separation_core_core(&mut ground, self.b, &self.b_in_a, &mut direction) {
            Some(apart) => self.keep(apart, prism.index),
            None => self.visit_penetrated(&prism, ground),
        }
    }

    /// A prism that holds a part of the core.
    fn visit_penetrated(&mut self, prism: &Prism, mut ground: RoundedCore) {
        let Some(mut core) = RoundedCore::of_shape(self.b) else { return };
        let up = prism.normal();
        let deepest = self.b_in_a.b_to_a(core.support(self.b_in_a.rotation_inverse * -up));
        let height = up.dot(deepest - prism.corners[0]);
        let foot = deepest - height * up;
        let straight_up = Proximity::from_point_a(foot, up, height - core.radius);
        // The way straight up is never shorter than the shortest.
        if self.best.is_some_and(|(best, _)| best.distance <= straight_up.distance) {
            return;
        }
        if is_over(prism, foot) {
            return self.keep(straight_up, prism.index);
        }
        let shortest = closest_core_core(&mut ground, &mut core, &self.b_in_a, &mut up.clone(), self.scratch);
        if shortest.normal.z > WALL {
            return self.keep(shortest, prism.index);
        }
        if self.last_resort.is_none_or(|(other, _)| straight_up.distance > other.distance) {
            self.last_resort = Some((straight_up, prism.index));
        }
    }

    /// The nearest or deepest; of equals the first.
    fn keep(&mut self, found: Proximity, index: u32) {
        let order = |(p, i): &(Proximity, u32)| (p.distance, *i);
        if self.best.is_none_or(|best| order(&(found, index)) < order(&best)) {
            self.best = Some((found, index));
        }
    }
}

/// Is a point over the triangle on top, seen from above?
fn is_over(prism: &Prism, point: DVec3) -> bool {
    (0..3).all(|i| {
        let (from, to) = (prism.corners[i], prism.corners[(i + 1) % 3]);
        (to - from).truncate().perp_dot((point - from).truncate()) >= 0.0
    })
}

/// The distance between two boxes.
fn box_gap(a: &Aabb, b: &Aabb) -> f64 {
    (a.min - b.max).max(b.min - a.max).max(DVec3::ZERO).length()
}
