//! Balls and cylinders that roll to and fro through the kink between two planes. Their acceleration on a plane is
//! `g sin a / (1 + k)` with `k = I / (m r^2)`. In the kink the angular momentum about the new contact is constant: the
//! speed is multiplied by `(cos(a + b) + k) / (1 + k)`.

use anyhow::Result;
use burgess_dynamics::JointSpec;
use burgess_geometry::shape::{Cylinder, HalfSpace, Sphere};
use burgess_geometry::{MassProperties, Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, WorldBuilder};
use glam::{DMat3, DQuat, DVec3};

use crate::case::{Case, GRAVITY};
use crate::law::Law;
use crate::random::Random;

/// Time for which the course is known, in s.
const KNOWN: f64 = 20.0;
/// Height of a swing at which it ends, in m.
const RESTS: f64 = 1e-9;

/// Draws a body that is released on one of the planes.
pub fn draw(random: &mut Random) -> Result<Case> {
    let radius = random.magnitude(0.02, 0.3);
    let share = random.between(0.1, 0.66);
    let slopes = [random.between(0.03, 0.6), random.between(0.03, 0.6)];
    let start = radius * random.between(1.0, 10.0);
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction: 1.0, ..Material::default() });
    let normals = [
        DVec3::new(libm::sin(slopes[0]), 0.0, libm::cos(slopes[0])),
        DVec3::new(-libm::sin(slopes[1]), 0.0, libm::cos(slopes[1])),
    ];
    for normal in normals {
        let turn = DQuat::from_rotation_arc(DVec3::Z, normal);
        builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)).at(Pose::new(turn, DVec3::ZERO)));
    }
    // The centre of the body in the kink is at the distance of its radius from both planes.
    let bisector = (normals[0] + normals[1]).normalize();
    let kink = bisector * (radius / bisector.dot(normals[0]));
    // Directions from the kink up the two planes.
    let uphill = normals.map(|normal| DVec3::new(-normal.z * normal.x.signum(), 0.0, normal.x.abs()));
    let rates = slopes.map(|slope| GRAVITY * libm::sin(slope) / (1.0 + share));
    let ratio = (libm::cos(slopes[0] + slopes[1]) + share) / (1.0 + share);
    let course = move |time: f64| {
        let (mut plane, mut height, mut left) = (0, start, time);
        // The first swing begins at its highest point.
        let mut rise = 0.0;
        while height > RESTS {
            let fall = (2.0 * height / rates[plane]).sqrt();
            if left <= rise + fall {
                let moved = left - rise;
                return kink + uphill[plane] * (height - 0.5 * rates[plane] * moved * moved);
            }
            left -= rise + fall;
            let speed = ratio * rates[plane] * fall;
            plane = 1 - plane;
            height = 0.5 * speed * speed / rates[plane];
            rise = speed / rates[plane];
        }
        kink
    };
    let mass = random.magnitude(0.1, 10.0);
    let inertia = mass * radius * radius * DMat3::from_diagonal(DVec3::splat(share));
    let own = MassProperties::new(mass, DVec3::ZERO, inertia)?;
    let is_ball = random.chance(0.6);
    let collider = if is_ball {
        ColliderSpec::new(Shape::Sphere(Sphere::new(radius)?))
    } else {
        let along_y = DQuat::from_rotation_arc(DVec3::Z, DVec3::Y);
        ColliderSpec::new(Shape::Cylinder(Cylinder::new(radius, 0.7 * radius)?)).at(Pose::new(along_y, DVec3::ZERO))
    };
    let body = builder.link("body", None, JointSpec::free(), Some(own), [collider])?;
    builder.set_pose(body, Pose::from_translation(course(0.0)));
    let kind = if is_ball { "ball" } else { "cylinder" };
    let what = format!("{kind} rolls through a kink of {:.2} rad", slopes[0] + slopes[1]);
    let scale = mass * GRAVITY * (course(0.0).z - kink.z);
    let case = Case::dissipative(what, builder, scale, radius)?;
    let point = (case.index(body), DVec3::ZERO);
    let walls = normals.map(|normal| (DVec3::ZERO, normal)).to_vec();
    let law = Law::course(vec![point], radius, move |time| Some(vec![course(time)]));
    Ok(Case { walls, ..case }.with_law(law).until(KNOWN))
}
