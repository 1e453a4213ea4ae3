//! Contact forces by three solvers, compared with closed forms and with each other.

use burgess_paradigms::constraint_solver::complementarity::{
    ArnoldIteration, ContactForceError, ContactForceProblem, ContactForceReport, ContactForceSolver, GaussSeidelForces,
    LemkeForces,
};
use glam::{DVec2, DVec3, Vec3Swizzles};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const GRAVITY: f64 = 9.81;

/// How near a solver comes to a closed form, in m/s^2. The tolerances are 1e-8 and, for Arnold's iteration, 1e-6; a
/// residual bounds the error of the accelerations up to a factor, which is large for redundant contacts at the edge of
/// slipping, where the iterations creep.
fn accuracy(name: &str) -> f64 {
    match name {
        "Lemke" => 1e-7,
        "Gauss-Seidel" => 1e-6,
        _ => 1e-4,
    }
}

fn solvers() -> [(&'static str, Box<dyn ContactForceSolver>); 3] {
    [
        ("Lemke", Box::new(LemkeForces::default())),
        ("Gauss-Seidel", Box::new(GaussSeidelForces::default())),
        ("Arnold", Box::new(ArnoldIteration::default())),
    ]
}

/// A contact point from the centre of mass, with its normal and two tangents.
type Contact = (DVec3, [DVec3; 3]);

/// The axes of a contact with level ground.
const LEVEL: [DVec3; 3] = [DVec3::Z, DVec3::X, DVec3::Y];

/// One rigid body with contacts against the fixed world, and what the solvers are given of it.
struct Body {
    inverse_mass: f64,
    inverse_inertia: DVec3,
    contacts: Vec<Contact>,
    friction: Vec<f64>,
    velocities: Vec<DVec2>,
    free: Vec<DVec3>,
    matrix: Vec<f64>,
}

impl Body {
    /// `force` and `torque` act at the centre of mass; the axes are principal; nothing moves.
    fn new(mass: f64, inertia: DVec3, force: DVec3, torque: DVec3, contacts: Vec<Contact>) -> Self {
        let (inverse_mass, inverse_inertia) = (1.0 / mass, inertia.recip());
        let (linear, angular) = (force * inverse_mass, inverse_inertia * torque);
        let in_frame = |(point, axes): &Contact| DVec3::from(axes.map(|axis| axis.dot(linear + angular.cross(*point))));
        let free = contacts.iter().map(in_frame).collect();
        let axes: Vec<(DVec3, DVec3)> = contacts.iter().flat_map(|(point, axes)| axes.map(|a| (*point, a))).collect();
        let mut matrix = Vec::new();
        for &(point, axis) in &axes {
            for &(at, push) in &axes {
                let turned = point.cross(axis).dot(inverse_inertia * at.cross(push));
                matrix.push(inverse_mass * axis.dot(push) + turned);
            }
        }
        let (friction, velocities) = (vec![0.0; contacts.len()], vec![DVec2::ZERO; contacts.len()]);
        Self { inverse_mass, inverse_inertia, contacts, friction, velocities, free, matrix }
    }

    fn with_friction(mut self, friction: f64) -> Self {
        self.friction.fill(friction);
        self
    }

    /// Gives the body a motion: its contacts slide, and are drawn towards the centre.
    fn moving(mut self, velocity: DVec3, spin: DVec3) -> Self {
        for (i, (point, axes)) in self.contacts.iter().enumerate() {
            let at = velocity + spin.cross(*point);
            self.velocities[i] = DVec2::new(at.dot(axes[1]), at.dot(axes[2]));
            self.free[i] += DVec3::from(axes.map(|axis| axis.dot(spin.cross(spin.cross(*point)))));
        }
        self
    }

    fn problem(&self) -> ContactForceProblem<'_> {
        ContactForceProblem::new(&self.matrix, &self.free, &self.velocities, &self.friction).unwrap()
    }

    fn solve(
        &self,
        solver: &mut dyn ContactForceSolver,
    ) -> Result<(ContactForceReport, Vec<DVec3>), ContactForceError> {
        let mut forces = vec![DVec3::ZERO; self.contacts.len()];
        let report = solver.solve(&self.problem(), &mut forces)?;
        Ok((report, forces))
    }

    /// The forces of a solver that must converge.
    fn solved(&self, name: &str, solver: &mut dyn ContactForceSolver) -> Vec<DVec3> {
        let (report, forces) = self.solve(solver).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(report.converged, "{name}: {report:?}");
        forces
    }

    /// Linear and angular acceleration that contact forces add.
    fn response(&self, forces: &[DVec3]) -> (DVec3, DVec3) {
        let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        for ((point, axes), f) in self.contacts.iter().zip(forces) {
            let world = axes[0] * f.x + axes[1] * f.y + axes[2] * f.z;
            force += world;
            torque += point.cross(world);
        }
        (force * self.inverse_mass, self.inverse_inertia * torque)
    }
}

/// A box of 3 kg, 0.4 x 0.3 x 0.1 m, its four corners on a plane that falls by an angle towards an azimuth.
fn box_on_plane(angle: f64, azimuth: f64) -> Body {
    let mass = 3.0;
    let size = DVec3::new(0.4, 0.3, 0.1);
    let squares = size * size;
    let inertia = DVec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y) * (mass / 12.0);
    let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    let contacts = corners.map(|(x, y)| (size * 0.5 * DVec3::new(x, y, -1.0), LEVEL)).to_vec();
    let downhill = DVec3::new(libm::cos(azimuth), libm::sin(azimuth), 0.0);
    let gravity = (downhill * libm::sin(angle) - DVec3::Z * libm::cos(angle)) * GRAVITY;
    Body::new(mass, inertia, gravity * mass, DVec3::ZERO, contacts)
}

#[test]
fn four_redundant_corners_carry_the_weight() {
    for friction in [0.0, 0.5] {
        let body = box_on_plane(0.0, 0.0).with_friction(friction);
        for (name, mut solver) in solvers() {
            let forces = body.solved(name, &mut *solver);
            let carried: f64 = forces.iter().map(|f| f.x).sum();
            assert!((carried - 3.0 * GRAVITY).abs() < accuracy(name), "{name}: {carried}");
            let (linear, angular) = body.response(&forces);
            assert!((linear - DVec3::Z * GRAVITY).length() + angular.length() < accuracy(name), "{name}");
        }
    }
}

#[test]
fn a_box_on_a_slope_stays_below_the_angle_of_friction_and_slides_above_it() {
    let friction = 0.4;
    let critical = libm::atan(friction);
    for azimuth in [0.0, 0.3, 0.7, 2.0] {
        for angle in [0.5, 0.999, 1.001, 1.1, 1.6].map(|share| share * critical) {
            let body = box_on_plane(angle, azimuth).with_friction(friction);
            let expected = (GRAVITY * (libm::sin(angle) - friction * libm::cos(angle))).max(0.0);
            let downhill = DVec2::new(libm::cos(azimuth), libm::sin(azimuth));
            for (name, mut solver) in solvers() {
                let forces = body.solved(name, &mut *solver);
                for contact in 0..4 {
                    let found = body.problem().acceleration(contact, &forces).yz();
                    let error = (found - downhill * expected).length();
                    assert!(error < accuracy(name), "{name} at {angle}, {azimuth}: {error}");
                }
            }
        }
    }
}

#[test]
fn a_box_that_slides_is_braked_whichever_way_it_goes() {
    let (angle, friction) = (0.3, 0.25);
    for direction in [DVec2::X, DVec2::NEG_X, DVec2::new(0.6, 0.8)] {
        let body = box_on_plane(angle, 0.0).with_friction(friction).moving(direction.extend(0.0) * 2.0, DVec3::ZERO);
        let expected = GRAVITY * (DVec2::X * libm::sin(angle) - direction * friction * libm::cos(angle));
        for (name, mut solver) in solvers() {
            let forces = body.solved(name, &mut *solver);
            let found = body.problem().acceleration(2, &forces).yz();
            assert!((found - expected).length() < accuracy(name), "{name}: {found} against {expected}");
        }
    }
}

/// A disc of 2 kg and 0.3 m on twelve points of its rim.
fn ring(force: DVec3, torque: DVec3) -> Body {
    let (mass, radius, points) = (2.0, 0.3, 12);
    let rim = (0..points).map(|i| {
        let (sin, cos) = libm::sincos(core::f64::consts::TAU * f64::from(i) / f64::from(points));
        (DVec3::new(cos * radius, sin * radius, -0.02), LEVEL)
    });
    let axial = 0.5 * mass * radius * radius;
    Body::new(mass, DVec3::new(0.5, 0.5, 1.0) * axial, force, torque, rim.collect())
}

#[test]
fn a_spinning_disc_is_braked_by_the_moment_of_its_rim() {
    let weight = DVec3::NEG_Z * 2.0 * GRAVITY;
    let disc = ring(weight, DVec3::ZERO).with_friction(0.2).moving(DVec3::ZERO, DVec3::Z * 5.0);
    let braking = 0.2 * 2.0 * GRAVITY * 0.3 / (0.5 * 2.0 * 0.3 * 0.3);
    for (name, mut solver) in solvers() {
        let (linear, angular) = disc.response(&disc.solved(name, &mut *solver));
        assert!((linear - DVec3::Z * GRAVITY).length() < accuracy(name), "{name}: {linear}");
        assert!((angular + DVec3::Z * braking).length() < 10.0 * accuracy(name), "{name}: {angular} against {braking}");
    }
}

#[test]
fn a_ring_that_is_twisted_and_pushed_slips_everywhere_at_once() {
    // Twelve resting contacts that all begin to slip, each its own way; three would carry the ring.
    let mut slipping = 0;
    for case in 0..8 {
        let (sin, cos) = libm::sincos(f64::from(case));
        let (force, torque) = (DVec3::new(3.0 * cos, 3.0 * sin, -2.0 * GRAVITY), DVec3::Z * f64::from(case) * 0.4);
        let ring = ring(force, torque).with_friction(0.2);
        for (name, mut solver) in solvers() {
            let forces = ring.solved(name, &mut *solver);
            let carried: f64 = forces.iter().map(|f| f.x).sum();
            assert!((carried - 2.0 * GRAVITY).abs() < 10.0 * accuracy(name), "{name}: {carried}");
            slipping += forces.iter().filter(|f| f.yz().length() > 0.2 * f.x - 1e-6 && f.x > 1e-3).count();
        }
    }
    assert!(slipping > 100, "only {slipping} contacts slip");
}

#[test]
fn slipping_from_rest_opposes_the_motion_exactly_even_where_inertia_has_a_direction() {
    // The tip of a slanting body: a push sideways answers in another direction.
    for sideways in [DVec3::new(3.0, 1.0, -9.0), DVec3::new(-2.0, 4.0, -9.0), DVec3::new(1.0, -5.0, -9.0)] {
        let tip = (DVec3::new(0.1, 0.07, -0.2), LEVEL);
        let body = Body::new(1.0, DVec3::new(0.02, 0.05, 0.04), sideways, DVec3::ZERO, vec![tip]).with_friction(0.2);
        for (name, mut solver) in solvers() {
            let forces = body.solved(name, &mut *solver);
            let (held, moved) = (forces[0].yz(), body.problem().acceleration(0, &forces).yz());
            assert!((held.length() - 0.2 * forces[0].x).abs() < accuracy(name), "{name}");
            assert!(moved.length() > 0.1, "{name}: it slips, {moved}");
            assert!((held.normalize() + moved.normalize()).length() < accuracy(name), "{name}: {held} {moved}");
        }
    }
}

/// A body on three slanting contacts under random loads, at rest or turning.
fn random_body(random: &mut Pcg64, case: u32) -> Body {
    let mut vector = |size: f64| DVec3::from([0; 3].map(|_| random.random_range(-size..size)));
    let leg = |i: u32, wobble: DVec3, slant: DVec3| {
        let (sin, cos) = libm::sincos(core::f64::consts::TAU * f64::from(i) / 3.0);
        let normal = (DVec3::Z + slant).normalize();
        let (first, second) = normal.any_orthonormal_pair();
        (DVec3::new(0.3 * cos, 0.3 * sin, -0.2) + wobble, [normal, first, second])
    };
    let contacts = (0..3).map(|i| leg(i, vector(0.1), vector(0.4))).collect();
    let (force, torque) = (vector(5.0) - DVec3::Z * 10.0, vector(0.5));
    let inertia = DVec3::new(0.05, 0.04, 0.03) + vector(0.01);
    let body = Body::new(1.0, inertia, force, torque, contacts).with_friction(0.1 + 0.1 * f64::from(case % 5));
    if case % 3 == 1 { body.moving(DVec3::ZERO, vector(0.5)) } else { body }
}

#[test]
fn the_three_solvers_agree_on_accelerations() {
    let mut random = Pcg64::seed_from_u64(6);
    let cases = 300;
    let mut ambiguous = 0;
    for case in 0..cases {
        let body = random_body(&mut random, case);
        let [lemke, others @ ..] = solvers().map(|(name, mut solver)| body.response(&body.solved(name, &mut *solver)));
        let differs = |found: &(DVec3, DVec3)| {
            (found.0 - lemke.0).length() + 0.3 * (found.1 - lemke.1).length() > accuracy("Arnold")
        };
        ambiguous += usize::from(others.iter().any(differs));
    }
    // Coulomb friction may leave several consistent motions. Each of the answers kept the laws, else it had not
    // converged.
    assert!(ambiguous <= 3, "{ambiguous} of {cases} problems have different answers");
}

/// Painlevé's rod: 1 kg, 2 m long, its lower end sliding along x, at an angle to the ground.
fn painleve_rod(angle: f64, friction: f64, speed: f64, spin: f64) -> Body {
    let tip = DVec3::new(-libm::cos(angle), 0.0, -libm::sin(angle));
    let weight = DVec3::NEG_Z * GRAVITY;
    let turning = DVec3::Y * spin;
    Body::new(1.0, DVec3::splat(1.0 / 3.0), weight, DVec3::ZERO, vec![(tip, LEVEL)])
        .with_friction(friction)
        .moving(DVec3::X * speed - turning.cross(tip), turning)
}

#[test]
fn painleves_rod_has_no_forces_when_it_is_pushed_into_the_ground() {
    let (angle, friction) = (libm::atan(2.0), 1.6);
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let (normal, coupling) = (1.0 + 3.0 * cos * cos, 3.0 * sin * cos);
    assert!(normal - friction * coupling < 0.0, "beyond Painlevé's bound");
    for (name, mut solver) in solvers() {
        // Leaning forward the tip digs in, the other way it trails.
        let digging = painleve_rod(angle, friction, -1.0, 0.0).solve(&mut *solver);
        assert_eq!(digging.unwrap_err(), ContactForceError::Inconsistent, "{name}");
        let forces = painleve_rod(angle, friction, 1.0, 0.0).solved(name, &mut *solver);
        assert!(
            (forces[0].x - GRAVITY / (normal + friction * coupling)).abs() < accuracy(name),
            "{name}: {}",
            forces[0]
        );
        for speed in [-1.0, 1.0] {
            // Turning fast enough the tip lifts by itself: no force is an answer.
            assert_eq!(painleve_rod(angle, friction, speed, 5.0).solved(name, &mut *solver), [DVec3::ZERO], "{name}");
            // Below the bound there are forces either way.
            assert!(painleve_rod(angle, 1.2, speed, 0.0).solved(name, &mut *solver)[0].x > 0.0, "{name}");
        }
    }
}

#[test]
fn more_directions_or_rounds_bring_the_pyramid_to_the_cone() {
    let tip = (DVec3::new(0.1, 0.07, -0.2), LEVEL);
    let push = DVec3::new(-2.0, 4.0, -9.0);
    let body = Body::new(1.0, DVec3::new(0.02, 0.05, 0.04), push, DVec3::ZERO, vec![tip]).with_friction(0.2);
    let residual = |directions, max_rounds| {
        let mut solver = LemkeForces::default();
        (solver.directions, solver.max_rounds) = (directions, max_rounds);
        body.solve(&mut solver).unwrap().0.residual
    };
    let fixed = [4, 8, 32].map(|directions| residual(directions, 0));
    assert!(fixed[0] > 1e-2 && fixed[1] < fixed[0] && fixed[2] < 0.5 * fixed[1], "{fixed:?}");
    assert!(residual(4, 30) < 1e-8 && residual(8, 30) < 1e-8);
}

#[test]
fn impulses_are_the_same_problem() {
    // Two particles of 1 kg, one behind the other, reach a wall at 1 m/s; e = 0.5 at the wall. Both must leave at 0.5
    // m/s.
    let coupling = [[1.0, -1.0], [-1.0, 2.0]];
    let mut matrix = vec![0.0; 36];
    for (row, column) in (0..6).flat_map(|row| (0..6).map(move |column| (row, column))) {
        if row % 3 == column % 3 {
            matrix[6 * row + column] = coupling[row / 3][column / 3];
        }
    }
    let before = [DVec3::NEG_X * 1.5, DVec3::ZERO];
    let problem = ContactForceProblem::new(&matrix, &before, &[DVec2::ZERO; 2], &[0.0; 2]).unwrap();
    for (name, mut solver) in solvers() {
        let mut impulses = [DVec3::ZERO; 2];
        assert!(solver.solve(&problem, &mut impulses).unwrap().converged, "{name}");
        assert!((impulses[0].x - 3.0).abs() + (impulses[1].x - 1.5).abs() < accuracy(name), "{name}: {impulses:?}");
    }
}

#[test]
fn guesses_settings_and_sizes_are_checked() {
    let body = box_on_plane(0.1, 0.0).with_friction(0.5);
    let problem = body.problem();
    for (name, mut solver) in solvers() {
        let mut wild = [DVec3::new(f64::NAN, 1.0, 0.0), DVec3::splat(-1e9), DVec3::splat(50.0), DVec3::ZERO];
        assert!(solver.solve(&problem, &mut wild).unwrap().converged, "{name}");
        let again = solver.solve(&problem, &mut wild).unwrap();
        assert!(again.converged && (again.iterations <= 1 || name == "Lemke"), "{name}: {again:?}");
        let short = solver.solve(&problem, &mut wild[..2]);
        assert_eq!(short, Err(ContactForceError::Size { contacts: 4, found: 2 }));
        let nothing = ContactForceProblem::new(&[], &[], &[], &[]).unwrap();
        assert!(solver.solve(&nothing, &mut []).unwrap().converged);
    }
    let mut flat = LemkeForces::default();
    flat.directions = 2;
    assert!(matches!(body.solve(&mut flat), Err(ContactForceError::Setting(_))));
    let new =
        |matrix: &[f64], friction| ContactForceProblem::new(matrix, &[DVec3::ZERO], &[DVec2::ZERO], &[friction]).err();
    assert!(new(&[1.0; 9], 0.5).is_none());
    assert!(new(&[0.0; 9], 0.5).is_some() && new(&[1.0; 9], -0.5).is_some());
    assert!(new(&[f64::NAN; 9], 0.5).is_some() && new(&[1.0; 8], 0.5).is_some());
}

#[test]
fn solving_allocates_nothing_once_warm() {
    let resting = box_on_plane(0.5, 0.3).with_friction(0.4);
    let sliding = box_on_plane(0.1, 0.0).with_friction(0.4).moving(DVec3::X, DVec3::ZERO);
    let mut forces = [DVec3::ZERO; 4];
    for (name, mut solver) in solvers() {
        solver.solve(&resting.problem(), &mut forces).unwrap();
        let count = allocation_counter::measure(|| {
            for body in [&resting, &sliding, &resting] {
                forces.fill(DVec3::ZERO);
                solver.solve(&body.problem(), &mut forces).unwrap();
            }
        });
        assert_eq!(count.count_total, 0, "{name}");
    }
}
