//! Closest points of a height field and a bounded convex shape.
//!
//! The ground is divided into prisms, one below each triangle. When separated, the distance is that to the nearest
//! prism. When penetrating, the walls between prisms are not surfaces, so no shape is pushed out through them, nor
//! across a concave edge between two triangles. A shape is pushed out along the normal of a triangle above its deepest
//! point, or along the shortest direction out of a prism if that is a normal of the whole surface.

use burgess_geometry::shape::{HeightField, Prism};
use burgess_geometry::{Aabb, Pose, RelativePose, Shape};
use glam::DVec3;

use super::closest_convex_convex::{closest_core_core, separation_core_core};
use super::core::{Core, RoundedCore};
use super::ground::{box_gap, cut_off, is_over, straight_up, supports_surface};
use super::{PolytopeScratch, Proximity};

/// Returns the closest points of a height field (a) and a bounded convex shape (b) at `pose_b` in the frame of the
/// field, in that frame, and the index of the triangle. Returns `None` if the shape is not bounded and convex, or not
/// nearer than `limit` metres.
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
    let mut search = Search { field: a, b, b_in_a, bounds, apart: None, inside: None, fallback: None, limit, scratch };

    // The ground directly below gives a first bound, and the bound limits the search region.
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
    search.answer().filter(|(found, _)| found.distance <= limit)
}

/// A proximity and the index of its triangle.
type Found = (Proximity, u32);

struct Search<'a> {
    field: &'a HeightField,
    b: &'a Shape,
    b_in_a: RelativePose,
    /// Bounding box of b, in the frame of the field.
    bounds: Aabb,
    /// The nearest prism that does not contain the core.
    apart: Option<Found>,
    /// The deepest prism that contains the core and has a valid direction out.
    inside: Option<Found>,
    /// The shallowest vertical push, for prisms that contain the core and have no valid direction out.
    fallback: Option<Found>,
    limit: f64,
    scratch: &'a mut PolytopeScratch,
}

impl Search<'_> {
    /// A core inside the ground is inside, however near it is to the wall of another prism.
    fn answer(&self) -> Option<Found> {
        self.inside.or(self.fallback).or(self.apart)
    }

    /// Returns the distance above which further results are irrelevant.
    fn bound(&self) -> f64 {
        self.answer().map_or(self.limit, |(found, _)| found.distance.min(self.limit))
    }

    fn visit(&mut self, prism: &Prism) {
        let prism = cut_off(prism, &self.bounds);
        let vertices = prism.vertices();
        if box_gap(&Aabb::from_points(vertices), &self.bounds) > self.bound().max(0.0) {
            return;
        }
        let mut ground = RoundedCore::from(Core::Prism(vertices));
        match separation_core_core(&mut ground, self.b, &self.b_in_a, &mut DVec3::Z.clone()) {
            Some(apart) => keep_better(&mut self.apart, apart, prism.index),
            None => self.visit_penetrated(&prism, ground),
        }
    }

    /// Visits a prism that contains a part of the core.
    fn visit_penetrated(&mut self, prism: &Prism, mut ground: RoundedCore) {
        let Some(mut core) = RoundedCore::of_shape(self.b) else { return };
        let straight_up = straight_up(prism, &mut core, &self.b_in_a);
        // The vertical push is never shorter than the shortest one.
        if self.inside.is_some_and(|(found, _)| found.distance <= straight_up.distance) {
            return;
        }
        if is_over(prism, straight_up.point_a) {
            return keep_better(&mut self.inside, straight_up, prism.index);
        }
        let shortest =
            closest_core_core(&mut ground, &mut core, &self.b_in_a, &mut straight_up.normal.clone(), self.scratch);
        if shortest.normal.z > 0.0 && supports_surface(self.field, shortest.normal, shortest.point_a) {
            return keep_better(&mut self.inside, shortest, prism.index);
        }
        if self.fallback.is_none_or(|(other, _)| straight_up.distance > other.distance) {
            self.fallback = Some((straight_up, prism.index));
        }
    }
}

/// Replaces the best result if the new one is nearer or deeper; the first of equal ones is kept.
fn keep_better(best: &mut Option<Found>, found: Proximity, index: u32) {
    if best.is_none_or(|(other, other_index)| (found.distance, index) < (other.distance, other_index)) {
        *best = Some((found, index));
    }
}
