//! A pose in 20 bytes; see the head of the module.

use std::f64::consts::FRAC_1_SQRT_2;

use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

pub(super) const BYTES: usize = 20;

const BITS: u32 = 20;
/// The largest code. Even, so that zero has a code of its own and bodies that are not turned stay so exactly.
const STEPS: u64 = (1 << BITS) - 2;

/// Nothing if the pose is not finite, or too far away for an f32.
pub(super) fn pack(pose: &Pose) -> Option<[u8; BYTES]> {
    let mut bytes = [0; BYTES];
    for (slot, value) in bytes.chunks_exact_mut(4).zip(pose.translation.to_array()) {
        let value = value as f32;
        if !value.is_finite() {
            return None;
        }
        slot.copy_from_slice(&value.to_le_bytes());
    }
    let rotation = pose.rotation.normalize();
    if !rotation.is_finite() {
        return None;
    }
    bytes[12..].copy_from_slice(&pack_rotation(rotation).to_le_bytes());
    Some(bytes)
}

fn pack_rotation(rotation: DQuat) -> u64 {
    let parts = rotation.to_array();
    let mut largest = 0;
    for index in 1..4 {
        if parts[index].abs() > parts[largest].abs() {
            largest = index;
        }
    }
    // q and -q are the same rotation: the largest component is taken as positive.
    let sign = if parts[largest] < 0.0 { -1.0 } else { 1.0 };
    let mut packed = largest as u64;
    for (index, part) in parts.into_iter().enumerate() {
        if index != largest {
            let unit = (0.5 * (sign * part / FRAC_1_SQRT_2 + 1.0)).clamp(0.0, 1.0);
            packed = packed << BITS | (unit * STEPS as f64).round() as u64;
        }
    }
    packed
}

/// Any bytes give a pose, though not all give a finite position.
pub(super) fn unpack(bytes: &[u8; BYTES]) -> Pose {
    let number = |at: usize| f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as f64;
    let mut code = [0; 8];
    code.copy_from_slice(&bytes[12..]);
    let translation = DVec3::new(number(0), number(4), number(8));
    Pose::new(unpack_rotation(u64::from_le_bytes(code)), translation)
}

fn unpack_rotation(packed: u64) -> DQuat {
    let largest = (packed >> (3 * BITS)) as usize & 3;
    let mut parts = [0.0; 4];
    let mut shift = 3 * BITS;
    let mut rest: f64 = 1.0;
    for (index, part) in parts.iter_mut().enumerate() {
        if index != largest {
            shift -= BITS;
            let code = packed >> shift & ((1 << BITS) - 1);
            *part = (2.0 * (code as f64 / STEPS as f64) - 1.0) * FRAC_1_SQRT_2;
            rest -= *part * *part;
        }
    }
    parts[largest] = rest.max(0.0).sqrt();
    DQuat::from_array(parts).normalize()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn a_pose_survives_to_the_stated_precision(
            axis in prop::array::uniform3(-1.0..1.0f64), angle in -10.0..10.0f64, place in prop::array::uniform3(-1e3..1e3f64),
        ) {
            let axis = DVec3::from_array(axis).try_normalize().unwrap_or(DVec3::X);
            let pose = Pose::new(DQuat::from_axis_angle(axis, angle), DVec3::from_array(place));
            let back = unpack(&pack(&pose).unwrap());
            // Half a step in each of three components, twice that in the angle, up to twice that in the fourth
            // component.
            prop_assert!(2.0 * (back.rotation.conjugate() * pose.rotation).xyz().length() < 5e-6);
            prop_assert!((back.translation - pose.translation).abs().max_element() < 1e3 * 6.0e-8);
        }
    }

    #[test]
    fn what_is_not_turned_stays_so() {
        let pose = Pose::from_translation(DVec3::new(0.5, -2.0, 0.0));
        assert_eq!(unpack(&pack(&pose).unwrap()), pose);
    }
}
