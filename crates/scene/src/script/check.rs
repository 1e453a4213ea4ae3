//! Checks of scripts.

use burgess_files::At;
use burgess_geometry::Pose;

use super::Keyframes;
use crate::rules::{Checked, check_pose, conflict, finite, finite_vector, not_negative};
use crate::spec::{PoseSpec, ScriptSpec};

pub(crate) fn check_script(at: At, script: &ScriptSpec) -> Checked {
    match script {
        ScriptSpec::Steady(steady) => {
            finite_vector(at.field("velocity"), steady.velocity)?;
            finite_vector(at.field("angular_velocity"), steady.angular_velocity)
        }
        ScriptSpec::Oscillation(wave) => {
            finite_vector(at.field("amplitude"), wave.amplitude)?;
            finite_vector(at.field("angle_degrees"), wave.angle_degrees)?;
            not_negative(at.field("frequency"), wave.frequency)?;
            finite(at.field("phase_degrees"), wave.phase_degrees)
        }
        ScriptSpec::Keyframes(script) => {
            let list = at.field("keys");
            for (index, key) in script.keys.iter().enumerate() {
                let at = list.index(index);
                finite(at.field("time"), key.time)?;
                check_pose(at, &PoseSpec { position: key.position, orientation: key.orientation })?;
            }
            Keyframes::from_spec(script, &Pose::IDENTITY)
                .map(|_| ())
                .or_else(|error| conflict(list, &error.to_string()))
        }
    }
}
