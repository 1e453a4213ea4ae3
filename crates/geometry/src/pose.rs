//! Poses: rotation and translation of a frame.

use glam::{DMat3, DQuat, DVec3};

/// Position and orientation of a frame: `x_world = rotation * x_local + translation`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Orientation, a unit quaternion.
    pub rotation: DQuat,
    /// Origin of the frame, in metres.
    pub translation: DVec3,
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Pose {
    /// Pose of the world frame.
    pub const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// Creates a pose from an orientation and an origin.
    pub fn new(rotation: DQuat, translation: DVec3) -> Self {
        Self { rotation, translation }
    }

    /// Creates a pose with the orientation of the world.
    pub fn from_translation(translation: DVec3) -> Self {
        Self { rotation: DQuat::IDENTITY, translation }
    }

    /// Maps a point from local to outer coordinates.
    pub fn transform_point(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// Maps a direction from local to outer coordinates.
    pub fn transform_vector(&self, vector: DVec3) -> DVec3 {
        self.rotation * vector
    }

    /// Maps a point from outer to local coordinates.
    pub fn inverse_transform_point(&self, point: DVec3) -> DVec3 {
        self.rotation.conjugate() * (point - self.translation)
    }

    /// Maps a direction from outer to local coordinates.
    pub fn inverse_transform_vector(&self, vector: DVec3) -> DVec3 {
        self.rotation.conjugate() * vector
    }

    /// Returns the inverse pose.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// Returns `self * inner`: first `inner`, then `self`.
    pub fn compose(&self, inner: &Self) -> Self {
        Self { rotation: self.rotation * inner.rotation, translation: self.transform_point(inner.translation) }
    }

    /// Returns the rotation matrix. It is orthogonal up to rounding even if the quaternion's length has drifted: V-Clip
    /// is sensitive to frames that are not orthonormal (Fontijne 2000, section 2.8).
    pub fn matrix(&self) -> DMat3 {
        rotation_matrix(self.rotation)
    }
}

/// Returns the rotation matrix of a quaternion of any non-zero length.
fn rotation_matrix(q: DQuat) -> DMat3 {
    let s = 2.0 / q.length_squared();
    let (xs, ys, zs) = (q.x * s, q.y * s, q.z * s);
    let (wx, wy, wz) = (q.w * xs, q.w * ys, q.w * zs);
    let (xx, xy, xz) = (q.x * xs, q.x * ys, q.x * zs);
    let (yy, yz, zz) = (q.y * ys, q.y * zs, q.z * zs);
    DMat3::from_cols(
        DVec3::new(1.0 - (yy + zz), xy + wz, xz - wy),
        DVec3::new(xy - wz, 1.0 - (xx + zz), yz + wx),
        DVec3::new(xz + wy, yz - wx, 1.0 - (xx + yy)),
    )
}

/// Pose of frame b in frame a and its inverse, as matrices. Computed once per query and used many times.
#[derive(Debug, Clone, Copy)]
pub struct RelativePose {
    /// Rotation of b in a.
    pub rotation: DMat3,
    /// Rotation of a in b: the transpose.
    pub rotation_inverse: DMat3,
    /// Origin of b in a.
    pub translation: DVec3,
    /// Origin of a in b.
    pub translation_inverse: DVec3,
}

impl RelativePose {
    /// Computes the pose of `b` relative to `a`.
    pub fn new(a: &Pose, b: &Pose) -> Self {
        // Translate before rotating, which keeps the precision of the inputs far from the world's origin.
        let offset = b.translation - a.translation;
        let rotation = rotation_matrix(a.rotation.conjugate() * b.rotation);
        let translation = a.matrix().transpose() * offset;
        let rotation_inverse = rotation.transpose();
        Self { rotation, rotation_inverse, translation, translation_inverse: -(rotation_inverse * translation) }
    }

    /// Maps a point from b to a.
    pub fn b_to_a(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// Maps a point from a to b.
    pub fn a_to_b(&self, point: DVec3) -> DVec3 {
        self.rotation_inverse * point + self.translation_inverse
    }

    /// Returns the pose of `a` relative to `b`.
    pub fn swapped(&self) -> Self {
        Self {
            rotation: self.rotation_inverse,
            rotation_inverse: self.rotation,
            translation: self.translation_inverse,
            translation_inverse: self.translation,
        }
    }
}
