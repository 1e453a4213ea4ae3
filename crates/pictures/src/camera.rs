//! The camera of a picture.
//!
//! The direction of view is given; the position of the camera follows from the shapes that must be visible. With x to
//! the right, y up and z towards the eye e, and s the slope of the picture's edge, a point is visible if
//!
//! ```text
//!   |x - e.x| <= s (e.z - z),   that is   e.x + s e.z >= x + s z   and   -e.x + s e.z >= -x + s z
//! ```
//!
//! and likewise for y. The maxima of the right sides are the support of a shape along (1, 0, s) and (-1, 0, s), so four
//! support queries for each convex shape determine the camera exactly.

use burgess_geometry::{Pose, Shape};
use glam::{DVec2, DVec3, IVec2};

/// Slope of half the field of view along the longer side of the picture.
pub(super) const SLOPE: f64 = 0.2;
/// Dots per pixel. Pictures are drawn in dots, so that all coordinates are integers.
pub(super) const DOTS: f64 = 10.0;
/// Distance of the near plane, relative to the distance of the centre.
const NEAR: f64 = 0.02;

/// A perspective view. Lengths in the world are in m, in the picture in dots.
#[derive(Debug, Clone, Copy)]
pub(super) struct Camera {
    pub eye: DVec3,
    pub right: DVec3,
    pub up: DVec3,
    /// Unit vector from the centre of the picture to the eye.
    pub back: DVec3,
    /// Distance from the eye to the centre of the visible bodies.
    pub distance: f64,
    /// Distance of the near plane.
    pub near: f64,
    /// Focal length: dots per unit of slope.
    focal: f64,
    /// Size of the picture, in dots.
    pub size: DVec2,
}

/// Maximum extents along the four directions that determine a camera.
#[derive(Debug, Clone, Copy)]
pub(super) struct Framing {
    right: DVec3,
    up: DVec3,
    back: DVec3,
    slope: DVec2,
    /// Extents along (s, 1), (s, -1) for x, then for y.
    reach: [f64; 4],
    /// Minimum and maximum along `back`.
    depths: [f64; 2],
    size: DVec2,
}

impl Framing {
    /// Creates an empty framing for a direction to the camera (not zero), a size in pixels, and a relative margin.
    pub fn new(from: DVec3, pixels: DVec2, margin: f64) -> Self {
        let back = from.normalize_or(DVec3::Y);
        // If the camera looks straight down, y is up in the picture.
        let right = DVec3::Z.cross(back).try_normalize().unwrap_or(DVec3::X);
        let size = DOTS * pixels;
        let slope = (1.0 - 2.0 * margin) * SLOPE * size / size.max_element();
        Self {
            right,
            up: back.cross(right),
            back,
            slope,
            reach: [f64::NEG_INFINITY; 4],
            depths: [f64::INFINITY, f64::NEG_INFINITY],
            size,
        }
    }

    fn directions(&self) -> [DVec3; 4] {
        let Self { right, up, back, slope, .. } = *self;
        [slope.x * back + right, slope.x * back - right, slope.y * back + up, slope.y * back - up]
    }

    /// Includes a point.
    pub fn add(&mut self, point: DVec3) {
        let directions = self.directions();
        for (reach, direction) in self.reach.iter_mut().zip(directions) {
            *reach = reach.max(direction.dot(point));
        }
        let along = self.back.dot(point);
        self.depths = [self.depths[0].min(along), self.depths[1].max(along)];
    }

    /// Includes a shape, unless it is unbounded.
    pub fn add_shape(&mut self, shape: &Shape, pose: &Pose) {
        match shape {
            Shape::HalfSpace(_) => {}
            Shape::Compound(compound) => {
                compound.parts().iter().for_each(|part| self.add_shape(part.shape(), &pose.compose(part.pose())));
            }
            Shape::Mesh(mesh) => mesh.surface().vertices().iter().for_each(|&v| self.add(pose.transform_point(v))),
            Shape::HeightField(field) => {
                let cells = (0..field.rows()).flat_map(|row| (0..field.columns()).map(move |column| (column, row)));
                cells.for_each(|(column, row)| self.add(pose.transform_point(field.vertex(column, row))));
            }
            _ => {
                for direction in self.directions().into_iter().chain([self.back, -self.back]) {
                    let found = shape.support(pose.inverse_transform_vector(direction));
                    self.add(pose.transform_point(found.unwrap_or_default()));
                }
            }
        }
    }

    /// Returns whether no point was included.
    pub fn is_empty(&self) -> bool {
        self.reach[0] == f64::NEG_INFINITY
    }

    /// Returns the nearest camera that shows everything; `None` if the framing is empty or not finite.
    pub fn camera(&self) -> Option<Camera> {
        let [r, l, u, d] = self.reach;
        let sums = DVec2::new(r + l, u + d);
        // For a single point the distance is zero, so keep the eye in front of it.
        let distance = (0.5 * sums / self.slope).max_element();
        let along = distance.max(self.depths[1] + 1e-3);
        let eye = 0.5 * (r - l) * self.right + 0.5 * (u - d) * self.up + along * self.back;
        let middle = along - 0.5 * (self.depths[0] + self.depths[1]);
        let focal = 0.5 * self.size.max_element() / SLOPE;
        let camera = Camera {
            eye,
            right: self.right,
            up: self.up,
            back: self.back,
            distance: middle,
            near: NEAR * middle,
            focal,
            size: self.size,
        };
        (eye.is_finite() && eye.abs().max_element() < 1e9 && middle.is_finite() && middle > 0.0).then_some(camera)
    }
}

impl Camera {
    /// Returns the depth of a point along the line of sight, in m.
    pub fn depth(&self, point: DVec3) -> f64 {
        self.back.dot(self.eye - point)
    }

    /// Projects a point to dots, from the upper left. The point must not be behind the camera.
    pub fn project(&self, point: DVec3) -> DVec2 {
        let seen = point - self.eye;
        let scale = self.focal / self.depth(point).max(0.1 * self.near);
        0.5 * self.size + scale * DVec2::new(seen.dot(self.right), -seen.dot(self.up))
    }

    /// Projects a point to the nearest dot.
    pub fn dot(&self, point: DVec3) -> IVec2 {
        rounded(self.project(point))
    }

    /// Converts a length at a point to dots.
    pub fn dots(&self, length: f64, at: DVec3) -> f64 {
        length * self.focal / self.depth(at).max(self.near)
    }

    /// Returns the length of a dot at the centre of the visible bodies, in m.
    pub fn dot_length(&self) -> f64 {
        self.distance / self.focal
    }

    /// Returns whether the outer side of a plane through a point is visible.
    pub fn sees(&self, normal: DVec3, point: DVec3) -> bool {
        normal.dot(self.eye - point) > 0.0
    }

    /// Returns the planes of the view frustum with a small margin: outward normals and offsets.
    pub fn frustum(&self) -> [(DVec3, f64); 5] {
        let Self { eye, right, up, back, .. } = *self;
        let slope = 0.55 * self.size / self.focal;
        let side = |normal: DVec3| (normal, normal.dot(eye));
        let near = (back, back.dot(eye) - self.near);
        let across = |direction: DVec3, slope: f64| side((direction + slope * back).normalize());
        [near, across(right, slope.x), across(-right, slope.x), across(up, slope.y), across(-up, slope.y)]
    }
}

/// Rounds to the nearest dot, clamped to the range of integers.
pub(super) fn rounded(place: DVec2) -> IVec2 {
    place.round().clamp(DVec2::splat(-1e8), DVec2::splat(1e8)).as_ivec2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use burgess_geometry::shape::Sphere;

    #[test]
    fn included_points_just_fit() {
        let (size, margin) = (DVec2::new(640.0, 400.0), 0.1);
        let mut framing = Framing::new(DVec3::new(0.4, -1.0, 0.3), size, margin);
        let points: Vec<DVec3> = (0..50)
            .map(|i| {
                let (sin, cos) = libm::sincos(f64::from(i));
                DVec3::new(3.0 * sin + 10.0, cos * sin, f64::from(i % 7) * 0.2)
            })
            .collect();
        points.iter().for_each(|&point| framing.add(point));
        let camera = framing.camera().unwrap();
        let seen: Vec<DVec2> = points.iter().map(|&point| camera.project(point)).collect();
        let low_corner = seen.iter().copied().reduce(DVec2::min).unwrap();
        let high_corner = seen.iter().copied().reduce(DVec2::max).unwrap();
        let (low, high) = (margin * DOTS * size, (1.0 - margin) * DOTS * size);
        assert!(
            low_corner.cmpge(low - 1e-6).all() && high_corner.cmple(high + 1e-6).all(),
            "{low_corner} {high_corner}"
        );
        // One of the two directions is used completely.
        let gaps = (low_corner - low).abs().max((high_corner - high).abs());
        assert!(gaps.min_element() < 1e-6, "{gaps}");
    }

    #[test]
    fn spheres_fit_exactly() {
        let mut framing = Framing::new(DVec3::new(1.0, -1.0, 1.0), DVec2::new(300.0, 500.0), 0.0);
        framing.add_shape(&Shape::Sphere(Sphere::new(2.0).unwrap()), &Pose::from_translation(DVec3::X));
        let camera = framing.camera().unwrap();
        let radius = camera.size.x * 0.5;
        for step in 0..100 {
            let (sin, cos) = libm::sincos(f64::from(step) * 0.0628);
            let on = DVec3::X + 2.0 * (cos * camera.right + sin * camera.up);
            assert!((camera.project(on) - 0.5 * camera.size).length() <= radius);
        }
    }

    #[test]
    fn empty_and_infinite_framings_have_no_camera() {
        let mut framing = Framing::new(DVec3::Z, DVec2::splat(100.0), 0.1);
        assert!(framing.camera().is_none());
        framing.add(DVec3::ZERO);
        assert!(framing.camera().is_some(), "a single point is visible, even from above");
        framing.add(DVec3::new(f64::INFINITY, 0.0, 0.0));
        assert!(framing.camera().is_none());
    }
}
