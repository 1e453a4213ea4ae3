//! Blocks that rock on their edges. The angle `t` of a block to the ground, with half its diagonal `R` and the angle `a`
//! of that to its side, obeys `t'' = -(3 g / 4 R) sin(a - t)`. At an impact the rate is multiplied by
//! `1 - 1.5 sin^2 a` (Housner 1963).

use anyhow::Result;
use burgess_geometry::shape::Cuboid;
use burgess_geometry::{Pose, Shape};
use burgess_simulation::ColliderSpec;
use glam::{DQuat, DVec3};

use crate::case::{Case, GRAVITY, ground};
use crate::law::Law;
use crate::random::Random;
use crate::track::{STEP, Track, advance};

/// Time for which the course is known, in s.
const KNOWN: f64 = 10.0;
/// Rate below which a block is at rest, as a share of its natural frequency: it lifts its edge by a millionth of its
/// size.
const RESTS: f64 = 1e-3;

/// Draws a block that is released from an inclined position.
pub fn draw(random: &mut Random) -> Result<Case> {
    let diagonal = random.magnitude(0.05, 1.0);
    let slenderness = random.between(0.1, 0.35);
    let (sin, cos) = libm::sincos(slenderness);
    let half = diagonal * DVec3::new(sin, random.between(0.8, 2.0) * sin, cos);
    let start = slenderness * random.between(0.2, 0.8);
    let stiffness = 0.75 * GRAVITY / diagonal;
    let ratio = 1.0 - 1.5 * sin * sin;
    let center = move |side: f64, angle: f64| {
        let (sin, cos) = libm::sincos(slenderness - angle);
        DVec3::new(side * (half.x - diagonal * sin), 0.0, diagonal * cos)
    };
    let mut state = (DVec3::X * start, DVec3::ZERO);
    let mut side = 1.0;
    let turn = |x: DVec3, _: DVec3| DVec3::X * (-stiffness * libm::sin(slenderness - x.x));
    let track = Track::new(center(side, start), KNOWN, || {
        let mut left = STEP;
        loop {
            let after = advance(state, left, turn);
            if after.0.x >= 0.0 {
                state = after;
                break;
            }
            let (mut low, mut high) = (0.0, left);
            for _ in 0..50 {
                let part = 0.5 * (low + high);
                if advance(state, part, turn).0.x >= 0.0 { low = part } else { high = part }
            }
            let rate = -advance(state, low, turn).1.x * ratio;
            state = (DVec3::ZERO, DVec3::X * rate);
            if rate < RESTS * stiffness.sqrt() {
                // It stays where it is: there is nothing left to integrate.
                state.1 = DVec3::ZERO;
                break;
            }
            side = -side;
            left -= low;
        }
        center(side, state.0.x)
    });
    let mut builder = ground(1.0);
    let collider = ColliderSpec::new(Shape::Cuboid(Cuboid::new(half)?)).with_density(random.density());
    let mass = collider.shape.mass_properties(collider.density)?.mass;
    let pose = Pose::new(DQuat::from_rotation_y(start), center(1.0, start));
    let body = builder.body("block", pose, [collider])?;
    let scale = mass * GRAVITY * (center(1.0, start).z - half.z).max(0.01 * diagonal);
    let what = format!("block of {:.0} degrees rocks from {start:.2} rad", slenderness.to_degrees());
    let case = Case::dissipative(what, builder, scale, 2.0 * half.x)?.on_ground();
    let point = (case.index(body), DVec3::ZERO);
    let law = Law::course(vec![point], 2.0 * half.x, move |time| track.at(time).map(|center| vec![center]));
    Ok(case.with_law(law).until(KNOWN))
}
