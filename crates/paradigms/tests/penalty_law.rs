//! The penalty law compared with closed forms: bounces, rest, friction.

use burgess_paradigms::constraint_solver::penalty_law::{PenaltyContact, PenaltyLaw, damping_ratio};
use glam::DVec3;

const GRAVITY: f64 = 9.81;
const STEP: f64 = 1.0 / 240.0;

/// A particle on the plane z = 0, or on one contact of `contacts` that share it.
struct Particle {
    mass: f64,
    position: DVec3,
    velocity: DVec3,
    stretches: Vec<DVec3>,
}

impl Particle {
    fn new(mass: f64, position: DVec3, velocity: DVec3, contacts: usize) -> Self {
        Self { mass, position, velocity, stretches: vec![DVec3::ZERO; contacts] }
    }

    fn step(&mut self, law: &PenaltyLaw, gravity: DVec3, step: f64) {
        self.velocity += gravity * step;
        let share = self.mass / self.stretches.len() as f64;
        let contact = PenaltyContact {
            normal: DVec3::Z,
            depth: -self.position.z,
            velocity: self.velocity,
            normal_mass: share,
            tangential_mass: share,
        };
        let force: DVec3 = self.stretches.iter_mut().map(|stretch| law.contact_force(&contact, step, stretch)).sum();
        self.velocity += force * (step / self.mass);
        self.position += self.velocity * step;
    }
}

#[test]
fn a_spring_that_never_pulls_bounces_with_the_given_restitution() {
    for restitution in [1.0, 0.9, 0.5, 0.2, 0.136, 0.13, 0.05, 0.01] {
        let (mass, stiffness) = (2.0, 800.0);
        let damping = damping_ratio(restitution) * 2.0 * libm::sqrt(stiffness * mass);
        // The continuous law, by steps of 1e-6 s: the midpoint rule's error is far below the tolerance.
        let force = |x: f64, v: f64| stiffness * x - damping * v;
        let (mut depth, mut velocity, h) = (0.0, -1.0, 1e-6);
        loop {
            let (x, v) = (depth - 0.5 * h * velocity, velocity + 0.5 * h * force(depth, velocity) / mass);
            depth -= h * v;
            velocity += h * force(x, v) / mass;
            if velocity > 0.0 && force(depth, velocity) <= 0.0 || depth < 0.0 {
                break;
            }
        }
        assert!((velocity - restitution).abs() < 1e-4, "{velocity} for {restitution}");
    }
    assert_eq!(damping_ratio(0.0), damping_ratio(0.01));
    assert!(damping_ratio(1.0) < 1e-12);
}

#[test]
fn a_stable_law_bounces_about_right_at_its_own_step() {
    for restitution in [1.0, 0.8, 0.6, 0.5, 0.4, 0.2, 0.1, 0.0] {
        let law = PenaltyLaw::stable(2.0, STEP, restitution, 0.0).unwrap();
        // Contact may begin anywhere within a step.
        for share in [0.01, 0.25, 0.5, 0.75, 0.99] {
            let mut ball = Particle::new(2.0, DVec3::Z * share * STEP, DVec3::NEG_Z, 1);
            for _ in 0..100 {
                ball.step(&law, DVec3::ZERO, STEP);
            }
            // Twenty steps per period find the end of contact to within a step: 0.13 at most. The scheme's own damping
            // does not let through more than about 0.65.
            let (bounce, expected) = (ball.velocity.z, f64::min(restitution, 0.65));
            assert!((bounce - expected).abs() < 0.13, "{bounce} for {restitution}");
        }
    }
}

#[test]
fn rest_is_reached_at_the_depth_where_the_spring_carries_the_weight() {
    for contacts in [1, 2, 5, 16] {
        for step in [STEP, 20.0 * STEP] {
            // The second step is far beyond what the spring was made for: the scheme stays stable.
            let law = PenaltyLaw::stable(2.0 / contacts as f64, STEP, 0.3, 0.5).unwrap();
            let mut ball = Particle::new(2.0, DVec3::Z * 0.01, DVec3::ZERO, contacts);
            for _ in 0..2000 {
                ball.step(&law, DVec3::NEG_Z * GRAVITY, step);
            }
            let depth = 2.0 * GRAVITY / (law.stiffness * contacts as f64);
            assert!((ball.position.z + depth).abs() < 1e-9, "{} against {depth}", -ball.position.z);
            assert!(ball.velocity.length() < 1e-9);
        }
    }
}

#[test]
fn friction_holds_without_creeping_and_slides_with_the_right_acceleration() {
    let law = PenaltyLaw::stable(2.0, STEP, 0.2, 0.5).unwrap();
    for angle in [0.1, 0.4, 0.45, 0.6, 1.0] {
        let gravity = DVec3::new(libm::sin(angle), 0.0, -libm::cos(angle)) * GRAVITY;
        let depth = -2.0 * gravity.z / law.stiffness;
        let mut block = Particle::new(2.0, DVec3::NEG_Z * depth, DVec3::ZERO, 1);
        for _ in 0..2400 {
            block.step(&law, gravity, STEP);
        }
        let before = block.position.x;
        let velocity = block.velocity.x;
        for _ in 0..2400 {
            block.step(&law, gravity, STEP);
        }
        let acceleration = GRAVITY * (libm::sin(angle) - 0.5 * libm::cos(angle));
        if acceleration < 0.0 {
            assert!((block.position.x - before).abs() < 1e-12, "creeps at {angle}: {}", block.position.x - before);
        } else {
            let found = (block.velocity.x - velocity) / (2400.0 * STEP);
            assert!((found - acceleration).abs() < 1e-6, "{found} against {acceleration}");
        }
    }
}

#[test]
fn a_block_that_slides_stops_where_friction_has_eaten_its_energy() {
    let law = PenaltyLaw::stable(2.0, STEP, 0.2, 0.5).unwrap();
    let mut block = Particle::new(2.0, DVec3::NEG_Z * (2.0 * GRAVITY / law.stiffness), DVec3::new(3.0, 4.0, 0.0), 1);
    for _ in 0..1000 {
        block.step(&law, DVec3::NEG_Z * GRAVITY, STEP);
    }
    let path = 25.0 / (2.0 * 0.5 * GRAVITY);
    let stopped = block.position - DVec3::Z * block.position.z;
    // First-order steps: the path is exact up to about a step at the first speed, and the spring's stretch.
    assert!((stopped - DVec3::new(0.6, 0.8, 0.0) * path).length() < 5.0 * STEP, "{stopped} against {path}");
    assert!(block.velocity.length() < 1e-9);
}

#[test]
fn numbers_that_make_no_law_are_refused() {
    assert!(PenaltyLaw::new(0.0, 1.0, 0.5).is_err());
    assert!(PenaltyLaw::new(1.0, f64::NAN, 0.5).is_err());
    assert!(PenaltyLaw::stable(1.0, STEP, 1.5, 0.5).is_err());
    assert!(PenaltyLaw::stable(1.0, 0.0, 0.5, 0.5).is_err());
    let error = PenaltyLaw::stable(-1.0, STEP, 0.5, 0.5).unwrap_err();
    assert_eq!(error.to_string(), "the effective mass must be positive and finite, found -1");
}
