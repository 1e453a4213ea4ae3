//! The simplex of GJK: up to four points of the Minkowski difference, and its point nearest to the origin.

use glam::DVec3;

/// A point of the difference a - b and the points it is computed from, all in the frame of a.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SimplexPoint {
    pub difference: DVec3,
    pub on_a: DVec3,
}

/// Points with the weights of the point nearest to the origin.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Simplex {
    points: [SimplexPoint; 4],
    weights: [f64; 4],
    count: usize,
}

/// The nearest point of a face of the simplex: the points that span the face, and their weights.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foot {
    corners: [usize; 4],
    weights: [f64; 4],
    count: usize,
    pub nearest: DVec3,
}

impl Simplex {
    /// Creates a simplex of one point.
    pub fn new(point: SimplexPoint) -> Self {
        let mut simplex = Self { weights: [1.0, 0.0, 0.0, 0.0], ..Self::default() };
        simplex.push(point);
        simplex
    }

    pub fn push(&mut self, point: SimplexPoint) {
        self.points[self.count] = point;
        self.count += 1;
    }

    /// Removes the last point.
    pub fn pop(&mut self) {
        self.count -= 1;
    }

    pub fn points(&self) -> &[SimplexPoint] {
        &self.points[..self.count]
    }

    /// Returns the point on a that corresponds to the nearest point.
    pub fn point_on_a(&self) -> DVec3 {
        (0..self.count).map(|i| self.weights[i] * self.points[i].on_a).sum()
    }

    /// Returns the smallest face that contains the point nearest to the origin; `None` when the origin is inside a
    /// tetrahedron. With `apart`, the origin is known to be outside, whatever rounding makes of a flat tetrahedron.
    pub fn foot(&self, apart: bool) -> Option<Foot> {
        match self.count {
            1 => Some(self.vertex(0)),
            2 => Some(self.segment(0, 1)),
            3 => Some(self.triangle([0, 1, 2], self.normal(0, 1, 2))),
            _ => self.tetrahedron(apart),
        }
    }

    /// Reduces the simplex to one of its faces.
    pub fn reduce_to(&mut self, foot: &Foot) {
        let points = self.points;
        for i in 0..foot.count {
            self.points[i] = points[foot.corners[i]];
            self.weights[i] = foot.weights[i];
        }
        self.count = foot.count;
    }

    fn at(&self, corner: usize) -> DVec3 {
        self.points[corner].difference
    }

    fn vertex(&self, i: usize) -> Foot {
        Foot { corners: [i, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0], count: 1, nearest: self.at(i) }
    }

    fn segment(&self, i: usize, j: usize) -> Foot {
        let (a, b) = (self.at(i), self.at(j));
        let along = b - a;
        let squared = along.length_squared();
        let t = if squared > 0.0 { -a.dot(along) / squared } else { 0.0 };
        if t >= 1.0 {
            return self.vertex(j);
        }
        if t <= 0.0 {
            return self.vertex(i);
        }
        // Measured from the nearer end, and perpendicular to the segment: any component along it is rounding.
        let nearest = if t <= 0.5 { a + t * along } else { b - (1.0 - t) * along };
        Foot { corners: [i, j, 0, 0], weights: [1.0 - t, t, 0.0, 0.0], count: 2, nearest }
    }

    fn normal(&self, i: usize, j: usize, k: usize) -> DVec3 {
        triangle_normal(self.at(i), self.at(j), self.at(k))
    }

    fn triangle(&self, [i, j, k]: [usize; 3], normal: DVec3) -> Foot {
        let (a, b, c) = (self.at(i), self.at(j), self.at(k));
        let squared = normal.length_squared();
        // Signed areas of the triangles that the origin's projection forms with the sides.
        let (u, v, w) = (b.cross(c).dot(normal), c.cross(a).dot(normal), a.cross(b).dot(normal));
        if squared > 0.0 && u > 0.0 && v > 0.0 && w > 0.0 {
            let total = u + v + w;
            let nearest_corner = nearest_to_origin(a, b, c);
            let nearest = normal * (nearest_corner.dot(normal) / squared);
            return Foot { corners: [i, j, k, 0], weights: [u / total, v / total, w / total, 0.0], count: 3, nearest };
        }
        let mut best = self.segment(i, j);
        for (p, q) in [(j, k), (k, i)] {
            let other = self.segment(p, q);
            if other.nearest.length_squared() < best.nearest.length_squared() {
                best = other;
            }
        }
        best
    }

    fn tetrahedron(&self, apart: bool) -> Option<Foot> {
        const FACES: [[usize; 4]; 4] = [[0, 1, 2, 3], [0, 3, 1, 2], [0, 2, 3, 1], [1, 3, 2, 0]];
        let normals = FACES.map(|[i, j, k, _]| self.normal(i, j, k));
        // A flat tetrahedron has no interior.
        let looks_at_origin: [bool; 4] = std::array::from_fn(|face| {
            let [i, _, _, opposite] = FACES[face];
            let (a, normal) = (self.at(i), normals[face]);
            normal.dot(self.at(opposite) - a) * normal.dot(-a) <= 0.0
        });
        let all = apart && looks_at_origin == [false; 4];
        let mut best: Option<Foot> = None;
        for face in (0..FACES.len()).filter(|&face| all || looks_at_origin[face]) {
            let [i, j, k, _] = FACES[face];
            let foot = self.triangle([i, j, k], normals[face]);
            if best.is_none_or(|best| foot.nearest.length_squared() < best.nearest.length_squared()) {
                best = Some(foot);
            }
        }
        best
    }
}

/// Returns the normal from the two shorter sides: the product of long, nearly parallel sides cancels.
fn triangle_normal(a: DVec3, b: DVec3, c: DVec3) -> DVec3 {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let (x, y, z) = (ab.length_squared(), bc.length_squared(), ca.length_squared());
    if z >= x && z >= y {
        ab.cross(bc)
    } else if x >= y {
        bc.cross(ca)
    } else {
        ca.cross(ab)
    }
}

fn nearest_to_origin(a: DVec3, b: DVec3, c: DVec3) -> DVec3 {
    let mut best = a;
    for p in [b, c] {
        if p.length_squared() < best.length_squared() {
            best = p;
        }
    }
    best
}
