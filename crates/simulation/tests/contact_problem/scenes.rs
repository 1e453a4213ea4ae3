//! Builds problems from bodies and contact points: `G = J M^-1 J^T`, `b = J v`.

use burgess_simulation::constraint_solver::contact_problem::{DenseProblem, Law};
use glam::{DMat3, DVec3};
use rand::RngExt as _;
use rand_pcg::Pcg64;

/// A rigid body: inverse mass, inverse inertia, centre, velocity, spin.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub inverse_mass: f64,
    pub inverse_inertia: DMat3,
    pub centre: DVec3,
    pub velocity: DVec3,
    pub spin: DVec3,
}

impl Body {
    /// Returns a box at rest.
    pub fn cuboid(mass: f64, half: DVec3, centre: DVec3) -> Self {
        let (x, y, z) = (half.x * half.x, half.y * half.y, half.z * half.z);
        let inertia = DVec3::new(y + z, x + z, x + y) * (mass / 3.0);
        Self {
            inverse_mass: 1.0 / mass,
            inverse_inertia: DMat3::from_diagonal(inertia.recip()),
            centre,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
        }
    }
}

/// A point on body `a` that meets body `b` (or the ground) with the normal pointing towards `a`.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub a: usize,
    pub b: Option<usize>,
    pub place: DVec3,
    pub normal: DVec3,
    pub friction: f64,
    /// Added to the normal velocity: restitution or position bias.
    pub bias: f64,
}

/// A row: its law, direction and point.
#[derive(Clone, Copy, Debug)]
struct Row {
    a: usize,
    b: Option<usize>,
    place: DVec3,
    direction: DVec3,
}

/// Bodies, contacts and extra rows (a law, the two bodies, the point, the direction).
#[derive(Clone, Debug, Default)]
pub struct Scene {
    pub bodies: Vec<Body>,
    pub points: Vec<Point>,
    pub extra: Vec<(Law, usize, Option<usize>, DVec3, DVec3)>,
}

impl Scene {
    /// Returns the problem: contacts first, extra rows after them.
    pub fn problem(&self) -> DenseProblem {
        let mut problem = DenseProblem::default();
        let mut rows = Vec::new();
        for point in &self.points {
            problem.push_block(Law::Contact { friction: point.friction });
            let (t1, t2) = point.normal.any_orthonormal_pair();
            rows.extend([point.normal, t1, t2].map(|direction| Row {
                a: point.a,
                b: point.b,
                place: point.place,
                direction,
            }));
        }
        for &(law, a, b, place, direction) in &self.extra {
            problem.push_block(law);
            rows.push(Row { a, b, place, direction });
        }
        for (i, left) in rows.iter().enumerate() {
            for (j, right) in rows.iter().enumerate() {
                problem.row_mut(i)[j] = self.coupling(left, right);
            }
            problem.velocities_mut()[i] = self.velocity(left);
        }
        for (i, point) in self.points.iter().enumerate() {
            problem.velocities_mut()[3 * i] += point.bias;
        }
        problem
    }

    fn sides(row: &Row) -> impl Iterator<Item = (usize, f64)> {
        [(Some(row.a), 1.0), (row.b, -1.0)].into_iter().filter_map(|(body, sign)| Some((body?, sign)))
    }

    fn coupling(&self, left: &Row, right: &Row) -> f64 {
        let mut sum = 0.0;
        for (body, sign) in Self::sides(left) {
            for (other, other_sign) in Self::sides(right) {
                if body == other {
                    let body = &self.bodies[body];
                    let arm = (left.place - body.centre).cross(left.direction);
                    let other_arm = (right.place - body.centre).cross(right.direction);
                    let angular = arm.dot(body.inverse_inertia * other_arm);
                    sum += sign * other_sign * (body.inverse_mass * left.direction.dot(right.direction) + angular);
                }
            }
        }
        sum
    }

    fn velocity(&self, row: &Row) -> f64 {
        let speed = |(body, sign): (usize, f64)| {
            let body = &self.bodies[body];
            sign * row.direction.dot(body.velocity + body.spin.cross(row.place - body.centre))
        };
        Self::sides(row).map(speed).sum()
    }
}

/// Adds the four lower corners of a box as contacts.
pub fn stand(scene: &mut Scene, a: usize, b: Option<usize>, half: DVec3, friction: f64) {
    let centre = scene.bodies[a].centre;
    for (x, y) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
        let place = centre + DVec3::new(x * half.x, y * half.y, -half.z);
        scene.points.push(Point { a, b, place, normal: DVec3::Z, friction, bias: 0.0 });
    }
}

/// Returns a random number in a range.
pub fn uniform(random: &mut Pcg64, low: f64, high: f64) -> f64 {
    low + (high - low) * random.random::<f64>()
}

/// Returns a random vector in a cube.
pub fn vector(random: &mut Pcg64, size: f64) -> DVec3 {
    DVec3::new(uniform(random, -size, size), uniform(random, -size, size), uniform(random, -size, size))
}

/// Returns a random unit vector.
pub fn direction(random: &mut Pcg64) -> DVec3 {
    vector(random, 1.0).normalize_or(DVec3::Z)
}

/// Returns a random moving box on the ground with random corners in contact.
pub fn random_box(random: &mut Pcg64, bias: f64) -> Scene {
    let half = DVec3::new(uniform(random, 0.1, 1.0), uniform(random, 0.1, 1.0), uniform(random, 0.1, 1.0));
    let mass = uniform(random, 0.5, 5.0);
    let mut body = Body::cuboid(mass, half, DVec3::Z * half.z);
    body.velocity = vector(random, 1.0) - DVec3::Z * 0.5;
    body.spin = vector(random, 1.0);
    let mut scene = Scene { bodies: vec![body], ..Scene::default() };
    let friction = uniform(random, 0.0, 1.2);
    stand(&mut scene, 0, None, half, friction);
    for point in &mut scene.points {
        point.bias = uniform(random, -bias, bias);
    }
    scene
}

/// Returns a stack of boxes with masses over a range of `ratio`, pushed sideways.
pub fn random_stack(random: &mut Pcg64, height: usize, ratio: f64, push: f64) -> Scene {
    let mut scene = Scene::default();
    let half = DVec3::new(0.5, 0.4, 0.3);
    for level in 0..height {
        let mass = libm::pow(ratio, random.random::<f64>());
        let mut body = Body::cuboid(mass, half, DVec3::Z * (0.3 + 0.6 * level as f64));
        body.velocity = DVec3::Z * -0.04 + vector(random, push);
        body.spin = vector(random, push);
        scene.bodies.push(body);
        let friction = uniform(random, 0.2, 1.0);
        stand(&mut scene, level, level.checked_sub(1), half, friction);
    }
    scene
}

/// Returns bodies connected by random contacts, bilateral rows, limits and dry friction.
pub fn random_mixture(random: &mut Pcg64) -> Scene {
    let mut scene = Scene::default();
    for level in 0..3 {
        let mut body = Body::cuboid(uniform(random, 0.5, 5.0), DVec3::new(0.5, 0.4, 0.3), DVec3::Z * level as f64);
        body.velocity = vector(random, 1.0) - DVec3::Z * 0.5;
        body.spin = vector(random, 1.0);
        scene.bodies.push(body);
    }
    let contacts = random.random_range(1..5);
    for _ in 0..contacts {
        let a = random.random_range(0..3);
        let place = scene.bodies[a].centre + vector(random, 0.5) - DVec3::Z * 0.4;
        let friction = uniform(random, 0.0, 0.8);
        let normal = (DVec3::Z + vector(random, 0.3)).normalize();
        scene.points.push(Point { a, b: a.checked_sub(1), place, normal, friction, bias: 0.0 });
    }
    for law in [Law::Bilateral, Law::Unilateral, Law::Bounded { limit: 0.1 }, Law::Bounded { limit: 10.0 }] {
        let a = random.random_range(0..3);
        let place = scene.bodies[a].centre + vector(random, 0.5);
        let along = direction(random);
        scene.extra.push((law, a, a.checked_sub(1), place, along));
    }
    scene
}
