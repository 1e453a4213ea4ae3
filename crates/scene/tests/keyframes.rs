//! Motion through keyframes: it passes through all keys, and velocities and accelerations are its derivatives.

use burgess_geometry::Pose;
use burgess_scene::{Keyframes, KeyframesError};
use burgess_simulation::Script;
use glam::{DQuat, DVec3};

fn places() -> Vec<(f64, Pose)> {
    let turn = |axis: DVec3, angle: f64| DQuat::from_axis_angle(axis.normalize(), angle);
    vec![
        (0.5, Pose::new(turn(DVec3::new(1.0, 2.0, -1.0), 0.4), DVec3::new(0.0, 1.0, 0.0))),
        (1.2, Pose::new(turn(DVec3::new(0.0, 1.0, 1.0), 1.4), DVec3::new(1.0, 1.5, -0.5))),
        (1.5, Pose::new(turn(DVec3::new(-1.0, 0.3, 0.2), 2.0), DVec3::new(1.5, 0.0, 0.3))),
        (3.0, Pose::new(turn(DVec3::new(0.5, 0.0, 1.0), 0.9), DVec3::new(-1.0, 0.2, 0.1))),
        (3.7, Pose::new(turn(DVec3::new(1.0, 2.0, -1.0), 0.4), DVec3::new(0.0, 1.0, 0.0))),
    ]
}

/// The angle between two rotations, in rad.
fn angle(a: DQuat, b: DQuat) -> f64 {
    2.0 * (a.conjugate() * b).xyz().length()
}

#[test]
fn every_key_is_reached_at_its_time() {
    for repeat in [false, true] {
        let motion = Keyframes::new(&places(), repeat).unwrap();
        for (time, pose) in places() {
            let found = motion.motion(time).pose;
            assert!(
                (found.translation - pose.translation).length() < 1e-14 && angle(found.rotation, pose.rotation) < 1e-14
            );
        }
    }
}

#[test]
fn velocities_and_accelerations_are_derivatives() {
    // Central differences have errors of h^2 times a third derivative of a few hundred, and of rounding over h.
    const H: f64 = 1e-5;
    for repeat in [false, true] {
        let motion = Keyframes::new(&places(), repeat).unwrap();
        let mut time = 0.513;
        while time < 3.69 {
            let near_a_key = places().iter().any(|(key, _)| (key - time).abs() < 2.0 * H);
            let (before, here, after) = (motion.motion(time - H), motion.motion(time), motion.motion(time + H));
            if !near_a_key {
                let linear = (after.pose.translation - before.pose.translation) / (2.0 * H);
                let turn = (after.pose.rotation * before.pose.rotation.conjugate()).to_scaled_axis();
                assert!((linear - here.velocity.linear).length() < 1e-7, "at {time}");
                assert!((turn / (2.0 * H) - here.velocity.angular).length() < 1e-7, "at {time}");
                let linear = (after.velocity.linear - before.velocity.linear) / (2.0 * H);
                let angular = (after.velocity.angular - before.velocity.angular) / (2.0 * H);
                assert!((linear - here.acceleration.linear).length() < 1e-5, "at {time}");
                assert!((angular - here.acceleration.angular).length() < 1e-5, "at {time}");
            }
            time += 0.0173;
        }
    }
}

#[test]
fn velocities_do_not_jump_at_keys() {
    let motion = Keyframes::new(&places(), true).unwrap();
    for (time, _) in places() {
        let (before, after) = (motion.motion(time - 1e-9), motion.motion(time + 1e-9));
        // Accelerations here are below 100, so 2e-9 s change a velocity by less than 2e-7.
        assert!((before.velocity.linear - after.velocity.linear).length() < 2e-7, "at {time}");
        assert!((before.velocity.angular - after.velocity.angular).length() < 2e-7, "at {time}");
    }
    let once = Keyframes::new(&places(), false).unwrap();
    for time in [-3.0, 0.5, 3.7, 9.0] {
        let rest = once.motion(time);
        assert!(rest.velocity.linear.length() < 1e-14 && rest.velocity.angular.length() < 1e-14, "at {time}");
    }
}

#[test]
fn a_uniform_rotation_stays_uniform() {
    // Keys on a uniform rotation by half a turn each second, through a whole number of turns.
    let rate = std::f64::consts::PI;
    let key = |i: usize| (i as f64 * 0.5, Pose::new(DQuat::from_rotation_y(rate * i as f64 * 0.5), DVec3::ZERO));
    let keys: Vec<_> = (0..=8).map(key).collect();
    let motion = Keyframes::new(&keys, true).unwrap();
    for i in 0..100 {
        let time = 0.09 * i as f64 - 2.0;
        let found = motion.motion(time);
        assert!((found.velocity.angular - DVec3::Y * rate).length() < 1e-12, "at {time}: {}", found.velocity.angular);
        assert!(found.acceleration.angular.length() < 1e-11);
        assert!(angle(found.pose.rotation, DQuat::from_rotation_y(rate * time)) < 1e-12);
    }
}

#[test]
fn invalid_keys_are_refused() {
    let at = |time: f64| (time, Pose::IDENTITY);
    assert_eq!(Keyframes::new(&[at(0.0)], false), Err(KeyframesError::TooFew(1)));
    assert_eq!(Keyframes::new(&[at(0.0), at(1.0), at(1.0)], false), Err(KeyframesError::Order(2)));
    assert_eq!(Keyframes::new(&[at(0.0), at(f64::NAN)], false), Err(KeyframesError::Order(1)));
    let away = (1.0, Pose::from_translation(DVec3::X));
    assert_eq!(Keyframes::new(&[at(0.0), away], true), Err(KeyframesError::NotClosed));
}
