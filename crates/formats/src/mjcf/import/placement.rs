//! Positions and orientations as MJCF writes them, and as poses.

use burgess_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};

use super::compiler::Compiler;
use crate::import::ImportError;
use crate::xml::Element;

/// Shorter vectors give no direction.
const SHORTEST: f64 = 1e-14;

/// An orientation in one of five ways.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Turn {
    /// w, x, y, z of any length.
    Quaternion([f64; 4]),
    /// An axis and an angle in the model's unit.
    AxisAngle([f64; 4]),
    /// Angles in the model's unit about axes in the model's order.
    Euler([f64; 3]),
    /// The x axis, and y up to what is along x.
    XyAxes([f64; 6]),
    /// The z axis; the smallest rotation that takes z there.
    ZAxis([f64; 3]),
}

/// Where something is on its body. What an element says replaces what its class says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placement {
    pub position: DVec3,
    pub turn: Turn,
}

impl Default for Placement {
    fn default() -> Self {
        Self { position: DVec3::ZERO, turn: Turn::Quaternion([1.0, 0.0, 0.0, 0.0]) }
    }
}

impl Placement {
    pub fn apply(&mut self, element: &Element) -> Result<(), ImportError> {
        if let Some(position) = element.vector("pos")? {
            self.position = position;
        }
        let turns = [
            element.array("quat")?.map(Turn::Quaternion),
            element.array("axisangle")?.map(Turn::AxisAngle),
            element.array("euler")?.map(Turn::Euler),
            element.array("xyaxes")?.map(Turn::XyAxes),
            element.array("zaxis")?.map(Turn::ZAxis),
        ];
        let mut given = turns.into_iter().flatten();
        if let Some(turn) = given.next() {
            self.turn = turn;
        }
        match given.next() {
            Some(_) => Err(element.conflict("has several of quat, axisangle, euler, xyaxes and zaxis; give one")),
            None => Ok(()),
        }
    }

    /// The step from one copy to the next of a `<replicate>`.
    pub fn read_step(element: &Element) -> Result<Self, ImportError> {
        let turn = element.array("euler")?.map_or(Self::default().turn, Turn::Euler);
        Ok(Self { position: element.vector("offset")?.unwrap_or_default(), turn })
    }

    pub fn pose(&self, compiler: &Compiler, element: &Element) -> Result<Pose, ImportError> {
        let rotation =
            self.turn.rotation(compiler).ok_or_else(|| element.conflict("has an orientation of no length"))?;
        Ok(Pose::new(rotation, self.position))
    }
}

impl Turn {
    fn rotation(&self, compiler: &Compiler) -> Option<DQuat> {
        let unit = |vector: DVec3| (vector.length() > SHORTEST).then(|| vector.normalize());
        let rotation = match *self {
            Self::Quaternion(wxyz) => quaternion(wxyz)?,
            Self::AxisAngle([x, y, z, angle]) => turn_about(unit(DVec3::new(x, y, z))?, compiler.radians(angle)),
            Self::Euler(angles) => {
                let mut rotation = DQuat::IDENTITY;
                for (axis, angle) in compiler.euler_sequence.into_iter().zip(angles) {
                    let turn = turn_about(axis.direction, compiler.radians(angle));
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

/// Of unit length, from w, x, y, z of any length.
pub(super) fn quaternion([w, x, y, z]: [f64; 4]) -> Option<DQuat> {
    let raw = DQuat::from_xyzw(x, y, z, w);
    let length = raw.length();
    // One of unit length keeps its bits.
    if (length - 1.0).abs() < 1e-15 { Some(raw) } else { (length > SHORTEST).then(|| raw / length) }
}

fn turn_about(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = libm::sincos(0.5 * angle);
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// The smallest rotation that takes z to a unit vector; about x if that is straight down.
pub(super) fn z_to(direction: DVec3) -> DQuat {
    let axis = DVec3::Z.cross(direction);
    let sine = axis.length();
    if sine < 1e-10 {
        return if direction.z < 0.0 { DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0) } else { DQuat::IDENTITY };
    }
    turn_about(axis / sine, libm::atan2(sine, direction.z))
}
