//! Reports of trackers, the datagrams of OpenTrack, and calibration.

use burgess_walls::Cave;
use burgess_walls::objects::User;
use burgess_walls::tracking::{CalibrationPoint, TrackedPose, Tracking, calibrate};
use glam::{DMat4, DQuat, DVec3, DVec4};
use proptest::prelude::*;

fn opentrack(numbers: [f64; 6]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn head_of(numbers: [f64; 6]) -> (DVec3, DQuat) {
    let head = Tracking::from_opentrack(&opentrack(numbers)).expect("a report").head.expect("a head");
    (DVec3::from_array(head.position), DQuat::from_array(head.orientation))
}

#[test]
fn opentrack_is_in_centimetres_and_degrees() {
    let (position, orientation) = head_of([10.0, 20.0, 30.0, 0.0, 0.0, 0.0]);
    assert!(position.distance(DVec3::new(0.1, -0.3, 0.2)) < 1e-12);
    assert!(orientation.abs_diff_eq(DQuat::IDENTITY, 1e-12));
    let forward = |yaw: f64, pitch: f64| head_of([0.0, 0.0, 0.0, yaw, pitch, 0.0]).1 * DVec3::Y;
    assert!(forward(90.0, 0.0).distance(DVec3::NEG_X) < 1e-12);
    assert!(forward(0.0, 90.0).distance(DVec3::Z) < 1e-12);
    assert!(forward(90.0, 45.0).distance(DVec3::new(-1.0, 0.0, 1.0).normalize()) < 1e-12);
    // A head that leans to the left has its right side up.
    let right = head_of([0.0, 0.0, 0.0, 0.0, 0.0, 90.0]).1 * DVec3::X;
    assert!(right.distance(DVec3::Z) < 1e-12, "{right}");
}

#[test]
fn bad_reports_are_refused_in_words() {
    assert!(Tracking::from_opentrack(&[0; 47]).is_err_and(|why| why.contains("47 bytes, expected 48")));
    assert!(Tracking::from_opentrack(&opentrack([f64::NAN; 6])).is_err());
    assert!(Tracking::from_opentrack(&opentrack([1e9, 0.0, 0.0, 0.0, 0.0, 0.0])).is_err());
    let head = Some(TrackedPose { position: [0.0; 3], orientation: [0.0; 4] });
    let why = Tracking { head, hands: None }.check().expect_err("no rotation");
    assert!(why.contains("a quaternion of length 1, found length 0"), "{why}");
}

#[test]
fn the_tracker_matrix_maps_reports_to_the_room() {
    let mut cave = Cave::preset("cube").expect("a preset");
    cave.tracker = Some([[0.0, -1.0, 0.0, 0.5], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.25]]);
    let head = Some(TrackedPose { position: [1.0, 2.0, 3.0], orientation: [0.0, 0.0, 0.0, 1.0] });
    let mut user = User::default();
    Tracking { head, hands: None }.apply(&cave, &mut user);
    assert!(user.head.position.distance(DVec3::new(-1.5, 1.0, 3.25)) < 1e-12);
    assert!((user.head.orientation * DVec3::Y).distance(DVec3::NEG_X) < 1e-12);
}

fn vector(limit: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-limit..limit).prop_map(DVec3::from_array)
}

proptest! {
    #[test]
    fn calibration_inverts_any_placement_of_the_tracker(
        axis in vector(1.0).prop_filter("a direction", |axis| axis.length() > 0.1),
        angle in -3.0_f64..3.0,
        shift in vector(5.0),
        room in prop::array::uniform3(vector(2.0)),
    ) {
        let rotation = DQuat::from_axis_angle(axis.normalize(), angle);
        let place = |point: DVec3| CalibrationPoint {
            tracker: (rotation.inverse() * (point - shift)).to_array(),
            room: point.to_array(),
        };
        let [a, b, c] = room;
        let aside = (b - a).cross(c - a).length() / (b - a).length();
        prop_assume!(aside > 0.11 && (b - a).length() > 0.11);
        let rows = calibrate(&room.map(place)).map_err(TestCaseError::fail)?;
        let matrix = DMat4::from_cols(
            DVec4::from_array(rows[0]), DVec4::from_array(rows[1]), DVec4::from_array(rows[2]), DVec4::W,
        ).transpose();
        let point = DVec3::new(0.3, -1.2, 2.5);
        // Errors of the axes grow with the flatness of the triangle, here at most tenfold.
        prop_assert!(matrix.transform_point3(point).distance(rotation * point + shift) < 1e-10);
    }

    #[test]
    fn garbage_never_panics(bytes in prop::collection::vec(any::<u8>(), 48), text in "\\PC{0,100}") {
        let _ = Tracking::from_opentrack(&bytes);
        if let Ok(tracking) = serde_json::from_str::<Tracking>(&text) {
            let _ = tracking.check();
        }
    }
}

#[test]
fn a_calibration_with_swapped_points_is_refused() {
    let point = |tracker: [f64; 3], room: [f64; 3]| CalibrationPoint { tracker, room };
    let (origin, right, ahead) = ([0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]);
    assert!(calibrate(&[point(origin, origin), point(right, right), point(ahead, ahead)]).is_ok());
    let why = calibrate(&[point(origin, origin), point(ahead, right), point(right, ahead)]).expect_err("swapped");
    assert!(why.contains("points 1 and 2 are 2.000 m apart for the tracker and 1.000 m in the room"), "{why}");
    let line = [point(origin, origin), point(right, right), point([0.5, 0.0, 0.0], [0.5, 0.0, 0.0])];
    assert!(calibrate(&line).is_err_and(|why| why.contains("in line")));
}
