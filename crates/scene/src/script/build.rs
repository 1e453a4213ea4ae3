//! Builds the simulator's scripts.

use std::sync::Arc;

use burgess_files::{At, Fault};
use burgess_geometry::Pose;
use burgess_simulation::{Oscillation, SharedScript, SteadyMotion};

use super::Keyframes;
use crate::error::FieldError;
use crate::spec::ScriptSpec;

/// Builds the script of a body that starts at `start`.
pub(crate) fn build_script(at: At, script: &ScriptSpec, start: Pose) -> Result<SharedScript, FieldError> {
    Ok(match script {
        ScriptSpec::Steady(steady) => {
            Arc::new(SteadyMotion { start, linear: steady.velocity, angular: steady.angular_velocity })
        }
        ScriptSpec::Oscillation(wave) => Arc::new(Oscillation {
            middle: start,
            amplitude: wave.amplitude,
            angle: wave.angle_degrees * (std::f64::consts::PI / 180.0),
            frequency: wave.frequency,
            phase: wave.phase_degrees.to_radians(),
        }),
        ScriptSpec::Keyframes(keys) => {
            let built = Keyframes::from_spec(keys, &start);
            Arc::new(built.map_err(|error| at.fault(Fault::Conflict(error.to_string())))?)
        }
    })
}
