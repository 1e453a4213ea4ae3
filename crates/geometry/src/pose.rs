//! Where a body is: rotation and translation.

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
    /// The frame of the world.
    pub const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// A frame with the given orientation and origin.
    pub fn new(rotation: DQuat, translation: DVec3) -> Self {
        Self { rotation, translation }
    }

    /// A frame parallel to the world's.
    pub fn from_translation(translation: DVec3) -> Self {
        Self { rotation: DQuat::IDENTITY, translation }
    }

    /// Local coordinates to outer coordinates.
    pub fn transform_point(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// Local direction to outer direction.
    pub fn transform_vector(&self, vector: DVec3) -> DVec3 {
        self.rotation * vector
    }

    /// Outer coordinates to local coordinates.
    pub fn inverse_transform_point(&self, point: DVec3) -> DVec3 {
        self.rotation.conjugate() * (point - self.translation)
    }

    /// Outer direction to local direction.
    pub fn inverse_transform_vector(&self, vector: DVec3) -> DVec3 {
        self.rotation.conjugate() * vector
    }

    /// The pose that undoes this one.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// `self * inner`: first `inner`, then `self`.
    pub fn compose(&self, inner: &Self) -> Self {
        Self { rotation: self.rotation * inner.rotation, translation: self.transform_point(inner.translation) }
    }

    /// The rotation matrix. Exactly orthogonal up to rounding even when the quaternion's length has drifted:
    /// V-Clip is sensitive to frames that are not orthonormal (000 section 2.8).
    pub fn matrix(&self) -> DMat3 {
        rotation_matrix(self.rotation)
    }
}

/// The matrix of a quaternion of any non-zero length.
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

/// How frame b stands in frame a, and back, as matrices: made once a query, used many times in it.
#[derive(Debug, Clone, Copy)]
pub struct RelativePose {
    /// Directions of b in a.
    pub rotation: DMat3,
    /// Directions of a in b: the transpose.
    pub rotation_inverse: DMat3,
    /// Origin of b in a.
    pub translation: DVec3,
    /// Origin of a in b.
    pub translation_inverse: DVec3,
}

impl RelativePose {
    /// The pose of `b` seen from `a`.
    pub fn new(a: &Pose, b: &Pose) -> Self {
        // Translate before rotating: far from the world's origin this loses nothing but what the inputs have lost.
        let offset = b.translation - a.translation;
        let rotation = rotation_matrix(a.rotation.conjugate() * b.rotation);
        let translation = a.matrix().transpose() * offset;
        let rotation_inverse = rotation.transpose();
        Self { rotation, rotation_inverse, translation, translation_inverse: -(rotation_inverse * translation) }
    }

    /// Coordinates in b to coordinates in a.
    pub fn b_to_a(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// Coordinates in a to coordinates in b.
    pub fn a_to_b(&self, point: DVec3) -> DVec3 {
        self.rotation_inverse * point + self.translation_inverse
    }

    /// The same relation with the roles exchanged.
    pub fn swapped(&self) -> Self {
        Self {
            rotation: self.rotation_inverse,
            rotation_inverse: self.rotation,
            translation: self.translation_inverse,
            translation_inverse: self.translation,
        }
    }
}
