//! A solid sphere that hits the floor.

use super::*;

const MASS: f64 = 2.0;
const RADIUS: f64 = 0.25;

fn matrix() -> DMat3 {
    let inertia = 0.4 * MASS * RADIUS * RADIUS;
    collision_matrix(MASS, DMat3::IDENTITY * (1.0 / inertia), DVec3::new(0.0, 0.0, -RADIUS))
}

fn contact_velocity(velocity: DVec3, spin: DVec3) -> DVec3 {
    velocity + spin.cross(DVec3::new(0.0, 0.0, -RADIUS))
}

/// A solid sphere sticks under 2/7 of the impulse that would stop its slip without spin; less friction slides.
#[test]
fn sticks_or_slides_as_in_the_textbook() {
    let velocity = DVec3::new(1.0, -2.0, -3.0);
    for spin in [DVec3::ZERO, DVec3::new(5.0, 3.0, -7.0), DVec3::new(-40.0, 11.0, 2.0)] {
        let u = contact_velocity(velocity, spin);
        let slip = DVec3::new(u.x, u.y, 0.0);
        for (e, mu) in [(0.0, 0.05), (0.5, 0.1), (0.8, 0.3), (1.0, 2.0), (0.3, 0.0)] {
            let normal = (1.0 + e) * MASS * 3.0;
            let tangential = (mu * normal).min(MASS * slip.length() * 2.0 / 7.0);
            let expected = normal * DVec3::Z - tangential * slip.normalize();
            for law in LAWS {
                assert_close(law.impulse(&matrix(), u, DVec3::Z, &parameters(e, mu)), expected, ROUNDING);
            }
        }
    }
}

/// Top spin speeds the ball up: the slip, not the velocity, is what friction opposes.
#[test]
fn top_spin_drives_forward() {
    let u = contact_velocity(DVec3::new(1.0, 0.0, -2.0), DVec3::new(0.0, 30.0, 0.0));
    for law in LAWS {
        assert!(law.impulse(&matrix(), u, DVec3::Z, &parameters(0.5, 0.2)).x > 0.0, "{}", law.name());
    }
}

/// A super ball reverses its slip: `e_t = 1` and `e = 1` keep the energy.
#[test]
fn super_ball_keeps_its_energy() {
    let u = contact_velocity(DVec3::new(1.0, 0.5, -3.0), DVec3::new(2.0, -4.0, 1.0));
    let elastic = ImpactParameters { restitution: 1.0, tangential_restitution: 1.0, friction: 10.0 };
    let p = ChatterjeeRuina.impulse(&matrix(), u, DVec3::Z, &elastic);
    assert_close(u + matrix() * p, -u, ROUNDING);
    assert!(energy_change(&matrix(), u, p).abs() < 1e-12);
}
