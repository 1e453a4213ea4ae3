//! Controllers of a scene that is included in another one.

use burgess_files::Fault;
use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

use crate::spec::{ControllerSpec, FrameSpec};

impl ControllerSpec {
    /// Puts a prefix before the names of its bodies.
    pub(crate) fn add_prefix(&mut self, prefix: &str) {
        let add = |name: &mut String| name.insert_str(0, prefix);
        match self {
            Self::ForceField(field) => field.bodies.iter_mut().for_each(add),
            Self::Spring(spring) => [&mut spring.a, &mut spring.b].into_iter().for_each(|end| end.add_prefix(prefix)),
            Self::ConstantForce(force) => add(&mut force.body),
            Self::MotorSchedule(schedule) => add(&mut schedule.joint),
            Self::SpeedLimiter(limiter) => limiter.joints.iter_mut().for_each(add),
            Self::Impulse(blow) => add(&mut blow.body),
            Self::Flock(flock) => flock.names_mut().for_each(add),
            Self::Crowd(crowd) => crowd.names_mut().for_each(add),
        }
    }

    /// Moves and turns what it has in the world's coordinates. An error names the field of the include.
    pub(crate) fn displace(&mut self, offset: &Pose) -> Result<(), (&'static str, Fault)> {
        let turn = |vector: &mut DVec3| *vector = offset.transform_vector(*vector);
        match self {
            Self::ForceField(field) => {
                field.acceleration.iter_mut().chain(&mut field.force).for_each(turn);
                if let Some(region) = &mut field.region {
                    if offset.rotation != DQuat::IDENTITY {
                        let why = "a scene with a force field in a region can be moved but not turned";
                        return Err(("orientation", Fault::Conflict(why.to_string())));
                    }
                    region.min += offset.translation;
                    region.max += offset.translation;
                }
            }
            Self::Spring(spring) => [&mut spring.a, &mut spring.b].into_iter().for_each(|end| end.displace(offset)),
            Self::ConstantForce(force) if force.frame == FrameSpec::World => {
                turn(&mut force.force);
                turn(&mut force.torque);
            }
            Self::Flock(flock) => flock.settings.center = offset.transform_point(flock.settings.center),
            Self::Crowd(_) if *offset != Pose::IDENTITY => {
                let why = "a scene with a crowd cannot be moved or turned: its floor is in the world's coordinates";
                return Err(("position", Fault::Conflict(why.to_string())));
            }
            Self::Impulse(blow) if blow.frame == FrameSpec::World => turn(&mut blow.impulse),
            _ => {}
        }
        Ok(())
    }
}
