//! Random pairs of polyhedra, many of them deliberately in positions that are hard for V-Clip.

use burgess_collision::narrow_phase::FeaturePair;
use burgess_geometry::{Feature, Polyhedron, Pose, RelativePose};
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Kinds of pairs, by index.
pub const KINDS: [&str; 12] = [
    "round apart",
    "round nearly touching",
    "round penetrating",
    "boxes with parallel faces and edges",
    "prisms on a common axis",
    "shared vertex",
    "shared edge or face",
    "containment",
    "needles and plates",
    "the same body twice",
    "great ratio of sizes",
    "random points in a ball",
];

/// A pair to be tested.
pub struct Pair {
    pub kind: usize,
    pub a: Polyhedron,
    pub b: Polyhedron,
    pub b_in_a: RelativePose,
    pub start: FeaturePair,
    pub size: f64,
}

pub struct Random(Pcg64Mcg);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Pcg64Mcg::seed_from_u64(seed))
    }

    fn unit(&mut self) -> f64 {
        self.0.random::<f64>()
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.unit() * n as f64) as usize).min(n - 1)
    }

    fn in_cube(&mut self) -> DVec3 {
        DVec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }

    fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.in_cube();
            if v.length_squared() > 0.01 && v.length_squared() < 1.0 {
                return v.normalize();
            }
        }
    }

    fn rotation(&mut self) -> DQuat {
        let angle = self.between(0.0, std::f64::consts::PI);
        DQuat::from_axis_angle(self.direction(), angle)
    }

    /// From 4 to 200 vertices, small numbers more often.
    fn count(&mut self) -> usize {
        (4.0 * libm::pow(50.0, self.unit())) as usize
    }

    fn ten_to(&mut self, low: f64, high: f64) -> f64 {
        libm::pow(10.0, self.between(low, high))
    }

    fn round(&mut self) -> Vec<DVec3> {
        let n = self.count();
        (0..n).map(|_| self.direction()).collect()
    }

    fn in_ball(&mut self) -> Vec<DVec3> {
        let n = self.count();
        (0..n).map(|_| self.direction() * libm::cbrt(self.unit())).collect()
    }

    fn prism(&mut self) -> Vec<DVec3> {
        let sides = 3 + self.below(10);
        let taper = if self.unit() < 0.5 { 1.0 } else { self.unit() };
        (0..2 * sides)
            .map(|i| {
                let angle = std::f64::consts::TAU * (i / 2) as f64 / sides as f64;
                let radius = if i % 2 == 0 { 1.0 } else { taper };
                let z = if i % 2 == 0 { -1.0 } else { 1.0 };
                DVec3::new(radius * libm::cos(angle), radius * libm::sin(angle), z)
            })
            .collect()
    }

    fn cuboid(&mut self) -> Vec<DVec3> {
        let half = [0.5, 1.0, self.between(0.1, 2.0)][self.below(3)] * DVec3::new(1.0, [1.0, 0.7][self.below(2)], 1.0);
        (0..8)
            .map(|i| half * DVec3::new([-1.0, 1.0][i & 1], [-1.0, 1.0][i >> 1 & 1], [-1.0, 1.0][i >> 2 & 1]))
            .collect()
    }

    fn any(&mut self) -> Vec<DVec3> {
        match self.below(4) {
            0 => self.round(),
            1 => self.in_ball(),
            2 => self.prism(),
            _ => self.cuboid(),
        }
    }

    fn flattened(&mut self, points: Vec<DVec3>) -> Vec<DVec3> {
        let thin = self.ten_to(-5.0, 0.0);
        let scale = if self.unit() < 0.5 { DVec3::new(1.0, 1.0, thin) } else { DVec3::new(1.0, thin, thin) };
        points.into_iter().map(|p| p * scale).collect()
    }

    fn feature(&mut self, body: &Polyhedron) -> Feature {
        match self.below(3) {
            0 => Feature::Vertex(self.below(body.vertices().len()) as u32),
            1 => Feature::Edge(self.below(body.edges().len()) as u32),
            _ => Feature::Face(self.below(body.faces().len()) as u32),
        }
    }

    /// Returns the next pair. Points that enclose no volume are drawn again.
    pub fn pair(&mut self, kind: usize) -> Pair {
        loop {
            if let Some(pair) = self.try_pair(kind) {
                return pair;
            }
        }
    }

    fn try_pair(&mut self, kind: usize) -> Option<Pair> {
        let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
        let (points_a, points_b) = match kind {
            0..=2 => (self.round(), self.round()),
            3 => (self.cuboid(), self.cuboid()),
            4 => (self.prism(), self.prism()),
            8 => {
                let (a, b) = (self.any(), self.any());
                (self.flattened(a), self.flattened(b))
            }
            9 => {
                let a = self.any();
                (a.clone(), a)
            }
            11 => (self.in_ball(), self.in_ball()),
            _ => (self.any(), self.any()),
        };
        let scale = self.ten_to(-6.0, 6.0);
        let ratio = match kind {
            7 => self.ten_to(-2.0, -0.5),
            10 => self.ten_to(-4.0, 0.0),
            9 | 3 => 1.0,
            _ => self.ten_to(-1.0, 0.0),
        };
        let (scale_a, scale_b) = if self.unit() < 0.5 { (scale, scale * ratio) } else { (scale * ratio, scale) };
        let scaled = |points: Vec<DVec3>, s: f64| points.into_iter().map(|p| p * s).collect::<Vec<_>>();
        let a = Polyhedron::hull(&scaled(points_a, scale_a)).ok()?;
        let b = Polyhedron::hull(&scaled(points_b, scale_b)).ok()?;
        let (pose_a, mut pose_b) = (Pose::IDENTITY, Pose::new(self.rotation(), DVec3::ZERO));
        if matches!(kind, 3 | 4 | 9) && self.unit() < 0.8 {
            pose_b.rotation = (0..self.below(4)).fold(DQuat::IDENTITY, |q, _| q * quarter);
        }
        let reach = scale_a + scale_b;
        pose_b.translation = match kind {
            2 => self.direction() * reach * self.between(0.0, 0.9),
            3 | 4 => {
                // Often exactly face on face, edge over edge, or aligned.
                let snap = |x: f64| (x * 4.0).round() / 4.0;
                let v = self.in_cube() * 2.0;
                scale * if self.unit() < 0.7 { DVec3::new(snap(v.x), snap(v.y), snap(v.z)) } else { v }
            }
            5 => {
                let (v, w) = (self.below(a.vertices().len()), self.below(b.vertices().len()));
                a.vertices()[v] - pose_b.rotation * b.vertices()[w]
            }
            6 => {
                // b is rotated so that one of its faces lies against one of a's, sharing a vertex.
                let (f, g) = (self.below(a.faces().len()) as u32, self.below(b.faces().len()) as u32);
                let (n, m) = (a.faces()[f as usize].plane.normal, b.faces()[g as usize].plane.normal);
                pose_b.rotation = DQuat::from_rotation_arc(m, -n);
                let (v, w) = (a.sides(f)[0].vertex as usize, b.sides(g)[0].vertex as usize);
                a.vertices()[v] - pose_b.rotation * b.vertices()[w]
            }
            7 => self.direction() * scale * self.between(0.0, 0.3),
            9 => self.direction() * scale * [0.0, 1e-12, 1e-6, 0.1, 1.0, 3.0][self.below(6)],
            1 => DVec3::ZERO,
            _ => self.direction() * reach * self.between(0.3, 2.0),
        };
        if kind == 1 || (kind == 8 || kind == 10 || kind == 11) && self.unit() < 0.4 {
            // Bring them almost into contact along a random direction.
            let n = self.direction();
            let top = a.vertices()[a.support_from(n, 0) as usize].dot(n);
            let low = b.support_from(pose_b.rotation.conjugate() * -n, 0);
            let low = (pose_b.rotation * b.vertices()[low as usize]).dot(n);
            let hair = self.ten_to(-12.0, -1.0) * if self.unit() < 0.5 { -1.0 } else { 1.0 };
            pose_b.translation = n * (top - low + hair * reach);
        }
        let start = if self.unit() < 0.3 {
            FeaturePair::default()
        } else {
            FeaturePair { a: self.feature(&a), b: self.feature(&b) }
        };
        let size = a.bounds().extents().max_element().max(b.bounds().extents().max_element());
        Some(Pair { kind, b_in_a: RelativePose::new(&pose_a, &pose_b), a, b, start, size })
    }
}
