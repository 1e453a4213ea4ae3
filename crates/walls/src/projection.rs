//! Off-axis projection: the picture that a wall must show so that an eye at any place in front of it sees the world
//! behind the wall in its true perspective. `web/src/walls/projection.ts` has the same function; both are tested with
//! `tests/projection.json`.
//!
//! The wall's own basis is `right`, `up` and `normal`, which points to the viewer. From an eye at the distance `d` from
//! the wall's plane, the frustum at the distance `near` is the wall seen from there, scaled by `near / d` (Kooima 2009).
//! Axes, edges and seams of adjacent walls agree exactly, because all walls share one eye.

use glam::{DMat4, DQuat, DVec2, DVec3, DVec4};

/// Minimum distance of an eye from a wall, in m. A nearer eye, or one behind the wall, is moved to this distance.
pub const MIN_EYE_DISTANCE: f64 = 0.01;

/// A rectangle in the room. Lengths are in m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rectangle {
    /// Lower left corner, seen from the viewer.
    pub lower_left: DVec3,
    /// Lower right corner.
    pub lower_right: DVec3,
    /// Upper left corner.
    pub upper_left: DVec3,
}

impl Rectangle {
    /// Width, in m.
    pub fn width(&self) -> f64 {
        (self.lower_right - self.lower_left).length()
    }

    /// Height, in m.
    pub fn height(&self) -> f64 {
        (self.upper_left - self.lower_left).length()
    }

    /// Cosine of the angle between the sides; 1 if a side has no length.
    pub fn cosine(&self) -> f64 {
        let sides = self.width() * self.height();
        let product = (self.lower_right - self.lower_left).dot(self.upper_left - self.lower_left);
        if sides > 0.0 { (product / sides).clamp(-1.0, 1.0) } else { 1.0 }
    }

    /// Unit vectors to the right, up, and from the wall to the viewer.
    pub fn basis(&self) -> [DVec3; 3] {
        let right = (self.lower_right - self.lower_left).normalize_or_zero();
        let normal = right.cross(self.upper_left - self.lower_left).normalize_or_zero();
        [right, normal.cross(right), normal]
    }

    /// Distance of a point in front of the wall's plane, in m; negative behind it.
    pub fn distance_in_front(&self, point: DVec3) -> f64 {
        (point - self.lower_left).dot(self.basis()[2])
    }
}

/// What a wall shows to an eye.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WallProjection {
    /// From the room to the eye: the eye is the origin, the wall's basis gives the axes.
    pub view: DMat4,
    /// From the eye to clip coordinates, with depths from -1 to 1.
    pub projection: DMat4,
}

impl WallProjection {
    /// The projection of a wall for an eye in the room. `near` and `far` are distances from the eye along the wall's
    /// normal, in m.
    pub fn new(wall: &Rectangle, eye: DVec3, near: f64, far: f64) -> Self {
        let [right, up, normal] = wall.basis();
        let found = (eye - wall.lower_left).dot(normal);
        let distance = found.max(MIN_EYE_DISTANCE);
        let eye = eye + (distance - found) * normal;
        let corner = wall.lower_left - eye;
        let scale = near / distance;
        let (left, bottom) = (corner.dot(right) * scale, corner.dot(up) * scale);
        let (width, height) = (wall.width() * scale, wall.height() * scale);
        let projection = frustum(left, left + width, bottom, bottom + height, near, far);
        let rotation = DMat4::from_cols(right.extend(0.0), up.extend(0.0), normal.extend(0.0), DVec4::W).transpose();
        Self { view: rotation * DMat4::from_translation(-eye), projection }
    }

    /// Where a point of the room is in the picture: -1 to 1 from left to right and from bottom to top, and its depth.
    pub fn to_picture(&self, point: DVec3) -> DVec3 {
        let clip = self.projection * self.view * point.extend(1.0);
        clip.truncate() / clip.w
    }

    /// The place in the picture, without the depth.
    pub fn place(&self, point: DVec3) -> DVec2 {
        self.to_picture(point).truncate()
    }
}

/// The matrix of a frustum, with depths from -1 to 1.
fn frustum(left: f64, right: f64, bottom: f64, top: f64, near: f64, far: f64) -> DMat4 {
    let (width, height, depth) = (right - left, top - bottom, far - near);
    DMat4::from_cols(
        DVec4::new(2.0 * near / width, 0.0, 0.0, 0.0),
        DVec4::new(0.0, 2.0 * near / height, 0.0, 0.0),
        DVec4::new((right + left) / width, (top + bottom) / height, -(far + near) / depth, -1.0),
        DVec4::new(0.0, 0.0, -2.0 * far * near / depth, 0.0),
    )
}

/// The places of the left and the right eye, in m. The head's own axes are x to the right, y forward and z up.
pub fn eyes(head: DVec3, orientation: DQuat, separation: f64) -> [DVec3; 2] {
    let offset = orientation * (0.5 * separation * DVec3::X);
    [head - offset, head + offset]
}
