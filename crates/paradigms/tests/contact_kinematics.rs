//! The second derivative of a gap against finite differences of the gap, for pairs of shapes in random motion.

use burgess_collision::contact_determination::{FullManifold, PartContact, PartMemory, PartScratch, determine_parts};
use burgess_collision::narrow_phase::{NarrowScratch, PairCache, near_parts};
use burgess_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::constraint_solver::contact_kinematics::MovingContact;
use burgess_paradigms::constraint_solver::curvature::{SurfacePoint, radii_of_curvature, turned};
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Step of the differences, in s. Their truncation error is about `w^4 h^2 / 12`, that of distances 1e-12 m over `h^2`.
const H: f64 = 1e-3;
/// Gap between the bodies, in m. The formula holds for touching bodies; this gap avoids penetration.
const GAP: f64 = 1e-4;

#[derive(Clone, Copy)]
struct Body {
    pose: Pose,
    spin: DVec3,
    velocity: DVec3,
}

impl Body {
    /// Later, under constant velocities.
    fn after(&self, time: f64) -> Pose {
        Pose::new(
            DQuat::from_scaled_axis(self.spin * time) * self.pose.rotation,
            self.pose.translation + self.velocity * time,
        )
    }

    fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(point - self.pose.translation)
    }

    fn acceleration_at(&self, point: DVec3) -> DVec3 {
        self.spin.cross(self.spin.cross(point - self.pose.translation))
    }
}

/// Returns the deepest contact of two shapes.
fn contact(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Option<PartContact> {
    let (mut near, mut contacts) = (Vec::new(), Vec::new());
    near_parts(a, pose_a, b, pose_b, 10.0, &mut PairCache::default(), &mut NarrowScratch::default(), &mut near);
    near.retain(|near| near.proximity.distance < 10.0);
    let distance = near.iter().map(|near| near.proximity.distance).fold(f64::INFINITY, f64::min);
    let mut method = FullManifold::new(distance + 1e-9);
    determine_parts(&mut method, (a, b), &near, &mut PartMemory::default(), &mut PartScratch::default(), &mut contacts);
    contacts.into_iter().min_by(|a, b| a.contact.distance.total_cmp(&b.contact.distance))
}

fn random_vector(random: &mut Pcg64, size: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.random_range(-size..size)))
}

fn random_body(random: &mut Pcg64) -> Body {
    let turn = DQuat::from_scaled_axis(random_vector(random, 3.0));
    Body {
        pose: Pose::new(turn, random_vector(random, 1.0)),
        spin: random_vector(random, 2.0),
        velocity: random_vector(random, 1.0),
    }
}

fn formula(a: (&Shape, &Body), b: (&Shape, &Body), found: &PartContact) -> Option<f64> {
    let (point, normal) = (found.contact.point, found.contact.normal);
    let features = found.contact.id.features();
    let side = |(shape, body): (&Shape, &Body), part, feature, outward: DVec3| {
        let place = SurfacePoint {
            point: body.pose.inverse_transform_point(point),
            normal: body.pose.rotation.inverse() * outward,
            part,
            feature,
            slack: GAP,
        };
        turned(&radii_of_curvature(shape, &place), &body.pose.matrix())
    };
    let radii = [side(a, found.part_a, features.a, normal), side(b, found.part_b, features.b, -normal)];
    // Where two corners meet, the rotation of the normal is not bounded.
    let (first, second) = normal.any_orthonormal_pair();
    let sum = radii[0] + radii[1];
    let (xx, xy, yy) = (first.dot(sum * first), first.dot(sum * second), second.dot(sum * second));
    if xx + yy < 0.05 || (xx * yy - xy * xy) / (xx + yy) < 0.05 {
        return None;
    }
    let (a, b) = (a.1, b.1);
    let velocity = b.velocity_at(point) - a.velocity_at(point);
    let moving = MovingContact { normal, radii, spins: [a.spin, b.spin], velocity };
    Some(normal.dot(b.acceleration_at(point) - a.acceleration_at(point) + moving.motion().acceleration))
}

#[test]
fn second_derivative_of_the_gap() {
    let shapes = [
        Shape::Sphere(Sphere::new(0.4).unwrap()),
        Shape::Capsule(Capsule::new(0.2, 0.5).unwrap()),
        Shape::Cuboid(Cuboid::new(DVec3::new(0.3, 0.5, 0.4)).unwrap()),
        Shape::Cylinder(Cylinder::new(0.3, 0.4).unwrap()),
        Shape::Cone(Cone::new(0.4, 0.5).unwrap()),
        Shape::Ellipsoid(Ellipsoid::new(DVec3::new(0.3, 0.5, 0.7)).unwrap()),
    ];
    let mut random = Pcg64::seed_from_u64(12);
    let (mut checked, mut wrong) = (0, 0);
    for first in 0..shapes.len() + 1 {
        for second in 0..shapes.len() {
            for _ in 0..20 {
                let half_space = Shape::HalfSpace(HalfSpace);
                let (a, b) = (shapes.get(first).unwrap_or(&half_space), &shapes[second]);
                let (body_a, mut body_b) = (random_body(&mut random), random_body(&mut random));
                // Place them apart by at least their sizes, then move them together until they nearly touch.
                let aside = random_vector(&mut random, 1.0).with_z(2.5);
                body_b.pose.translation = body_a.pose.translation + body_a.pose.rotation * aside;
                let Some(apart) = contact(a, &body_a.pose, b, &body_b.pose) else { continue };
                body_b.pose.translation -= apart.contact.normal * (apart.contact.distance - GAP);
                let Some(found) = contact(a, &body_a.pose, b, &body_b.pose) else { continue };
                // The relative velocity is along the surfaces, so that the gap hardly changes.
                let (point, normal) = (found.contact.point, found.contact.normal);
                body_b.velocity -= normal * normal.dot(body_b.velocity_at(point) - body_a.velocity_at(point));
                let gap = |time: f64| {
                    contact(a, &body_a.after(time), b, &body_b.after(time)).map(|found| found.contact.distance)
                };
                let second_difference = |h: f64| Some((gap(-h)? - 2.0 * gap(0.0)? + gap(h)?) / (h * h));
                let (Some(expected), Some(finer)) = (second_difference(H), second_difference(0.5 * H)) else {
                    continue;
                };
                // The feature of the contact changes within the step.
                if (expected - finer).abs() > 0.01 * (1.0 + expected.abs()) {
                    continue;
                }
                let Some(found) = formula((a, &body_a), (b, &body_b), &found) else { continue };
                checked += 1;
                if (found - expected).abs() > 0.02 * (1.0 + expected.abs()) {
                    wrong += 1;
                }
            }
        }
    }
    // Nearly parallel edges and nearly flat rims count as corners by design; there are a few of them.
    assert!(checked > 500 && 100 * wrong < checked, "{wrong} of {checked}");
}
