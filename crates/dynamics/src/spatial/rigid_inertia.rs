//! The inertia of one rigid body about a point.

use glam::{DMat3, DVec3};

use super::{ArticulatedInertia, Force, Motion, Symmetric3};

/// Mass, centre of mass and inertia. The axes are those of the frame that the caller works in.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RigidInertia {
    /// Mass, in kg.
    pub mass: f64,
    /// Vector from the reference point to the centre of mass, in m.
    pub center: DVec3,
    /// Inertia about the *reference point*, in kg m^2.
    pub about_point: Symmetric3,
}

impl RigidInertia {
    /// Creates the inertia from that about the centre of mass.
    pub fn from_center(mass: f64, center: DVec3, about_center: Symmetric3) -> Self {
        Self { mass, center, about_point: about_center + Symmetric3::parallel_axis(center) * mass }
    }

    /// Returns the inertia of the body in a frame rotated by `rotation`, about the same point.
    #[inline]
    pub fn rotated(&self, rotation: &DMat3) -> Self {
        Self { mass: self.mass, center: *rotation * self.center, about_point: self.about_point.rotated(rotation) }
    }

    /// Returns the momentum of a velocity, or the force part of an acceleration.
    #[inline]
    pub fn times(&self, motion: &Motion) -> Force {
        let first_moment = self.mass * self.center;
        Force {
            moment: self.about_point * motion.angular + first_moment.cross(motion.linear),
            force: self.mass * motion.linear - first_moment.cross(motion.angular),
        }
    }

    /// Returns the force due to spin alone when the accelerations are those of the body's point: `[w x I w; m w x (w x
    /// d)]`.
    #[inline]
    pub fn bias(&self, angular: DVec3) -> Force {
        Force {
            moment: angular.cross(self.about_point * angular),
            force: self.mass * angular.cross(angular.cross(self.center)),
        }
    }

    /// Returns the articulated inertia of a tree of one link.
    #[inline]
    pub fn articulated(&self) -> ArticulatedInertia {
        let h = self.mass * self.center;
        ArticulatedInertia {
            angular: self.about_point,
            // [h], so that the moment gains h x a.
            coupling: DMat3::from_cols(
                DVec3::new(0.0, h.z, -h.y),
                DVec3::new(-h.z, 0.0, h.x),
                DVec3::new(h.y, -h.x, 0.0),
            ),
            linear: Symmetric3::scalar(self.mass),
        }
    }
}
