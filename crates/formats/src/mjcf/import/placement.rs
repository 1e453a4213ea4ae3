//! Positions and orientations in the notations of MJCF, and their conversion to poses.

use burgess_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};

use super::compiler::Compiler;
use crate::import::ImportError;
use crate::xml::Element;

/// Minimum length of a vector that defines a direction (MuJoCo's mjEPS).
const MIN_LENGTH: f64 = 1e-14;

/// An orientation in one of MJCF's five notations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum OrientationNotation {
    /// A quaternion w, x, y, z of any length.
    Quaternion([f64; 4]),
    /// An axis and an angle in the model's unit.
    AxisAngle([f64; 4]),
    /// Euler angles in the model's unit and axis sequence.
    Euler([f64; 3]),
    /// The x axis and the y axis, which is orthogonalized against x.
    XyAxes([f64; 6]),
    /// The z axis; the orientation is the smallest rotation that maps z to it.
    ZAxis([f64; 3]),
}

/// Position and orientation: the attributes of an element over those of its default class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placement {
    pub position: DVec3,
    pub turn: OrientationNotation,
}

impl Default for Placement {
    fn default() -> Self {
        Self { position: DVec3::ZERO, turn: OrientationNotation::Quaternion([1.0, 0.0, 0.0, 0.0]) }
    }
}

impl Placement {
    pub fn apply(&mut self, element: &Element) -> Result<(), ImportError> {
        if let Some(position) = element.vector("pos")? {
            self.position = position;
        }
        let turns = [
            element.array("quat")?.map(OrientationNotation::Quaternion),
            element.array("axisangle")?.map(OrientationNotation::AxisAngle),
            element.array("euler")?.map(OrientationNotation::Euler),
            element.array("xyaxes")?.map(OrientationNotation::XyAxes),
            element.array("zaxis")?.map(OrientationNotation::ZAxis),
        ];
        let mut given = turns.into_iter().flatten();
        if let Some(turn) = given.next() {
            self.turn = turn;
        }
        match given.next() {
            Some(_) => {
                Err(element.conflict("has several of quat, axisangle, euler, xyaxes and zaxis; expected at most one"))
            }
            None => Ok(()),
        }
    }

    /// Reads the step from one copy of a `<replicate>` to the next.
    pub fn read_step(element: &Element) -> Result<Self, ImportError> {
        let turn = element.array("euler")?.map_or(Self::default().turn, OrientationNotation::Euler);
        Ok(Self { position: element.vector("offset")?.unwrap_or_default(), turn })
    }

    pub fn pose(&self, compiler: &Compiler, element: &Element) -> Result<Pose, ImportError> {
        let rotation = self
            .turn
            .rotation(compiler)
            .ok_or_else(|| element.conflict("has an orientation from a zero vector or quaternion"))?;
        Ok(Pose::new(rotation, self.position))
    }
}

impl OrientationNotation {
    fn rotation(&self, compiler: &Compiler) -> Option<DQuat> {
        let unit = |vector: DVec3| (vector.length() > MIN_LENGTH).then(|| vector.normalize());
        let rotation = match *self {
            Self::Quaternion(wxyz) => quaternion(wxyz)?,
            Self::AxisAngle([x, y, z, angle]) => axis_rotation(unit(DVec3::new(x, y, z))?, compiler.radians(angle)),
            Self::Euler(angles) => {
                let mut rotation = DQuat::IDENTITY;
                for (axis, angle) in compiler.euler_sequence.into_iter().zip(angles) {
                    let turn = axis_rotation(axis.direction, compiler.radians(angle));
                    rotation = if axis.fixed { turn * rotation } else { rotation * turn };
                }
                rotation
            }
            Self::XyAxes([x0, x1, x2, y0, y1, y2]) => {
                let x = unit(DVec3::new(x0, x1, x2))?;
                let y = DVec3::new(y0, y1, y2);
                let y = unit(y - x * x.dot(y))?;
                DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)))
            }
            Self::ZAxis(z) => z_to(unit(DVec3::from_array(z))?),
        };
        rotation.is_finite().then_some(rotation)
    }
}

/// Normalizes a quaternion w, x, y, z; returns `None` if it is zero.
pub(super) fn quaternion([w, x, y, z]: [f64; 4]) -> Option<DQuat> {
    let raw = DQuat::from_xyzw(x, y, z, w);
    let length = raw.length();
    // Unit quaternions keep their bits.
    if (length - 1.0).abs() < 1e-15 { Some(raw) } else { (length > MIN_LENGTH).then(|| raw / length) }
}

fn axis_rotation(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = libm::sincos(0.5 * angle);
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// Returns the smallest rotation that maps z to a unit vector; for -z the rotation is about x.
pub(super) fn z_to(direction: DVec3) -> DQuat {
    let axis = DVec3::Z.cross(direction);
    let sine = axis.length();
    if sine < 1e-10 {
        return if direction.z < 0.0 { DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0) } else { DQuat::IDENTITY };
    }
    axis_rotation(axis / sine, libm::atan2(sine, direction.z))
}
