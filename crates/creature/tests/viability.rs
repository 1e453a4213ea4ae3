//! Unsuitable bodies are refused before simulation, with the reason.

use arrayvec::ArrayVec;
use burgess_creature::{
    Attachment, Body, Drive, JointAxis, Part, PartShape, Unviable, Viability, check_viability as check,
};
use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

fn part(shape: PartShape, on: Option<(usize, Pose)>) -> Part {
    let attachment = on.map(|(parent, in_parent)| Attachment {
        parent,
        in_parent,
        in_child: Pose::from_translation(DVec3::new(0.0, 0.0, -shape.half_length())),
        axes: ArrayVec::from_iter([JointAxis::new(DVec3::Y, [-0.5, 0.5])]),
        area: 0.01,
        drive: Drive::Effort,
    });
    Part { shape, attachment, pose: Pose::IDENTITY, mirrored: false, origin: 0 }
}

/// A trunk with limbs of a shape, each with its position and rotation.
fn body(limb: PartShape, places: &[(DVec3, DQuat)]) -> Body {
    let mut parts = vec![part(PartShape::Box(DVec3::new(0.2, 0.15, 0.1)), None)];
    parts.extend(places.iter().map(|&(place, turn)| part(limb, Some((0, Pose::new(turn, place))))));
    let mut body = Body { parts };
    body.update_rest_poses();
    body
}

const STICK: PartShape = PartShape::Capsule { radius: 0.03, half_length: 0.1 };

fn refusal(body: &Body) -> &'static str {
    check(body, &Viability::default()).map_or_else(|reason| reason.name(), |()| "viable")
}

/// A limb out of the top at a position.
fn up(x: f64, y: f64) -> (DVec3, DQuat) {
    (DVec3::new(x, y, 0.1), DQuat::IDENTITY)
}

#[test]
fn limbs_that_are_apart_or_overlap_a_little_are_accepted() {
    assert_eq!(refusal(&body(STICK, &[up(0.1, 0.0), up(-0.1, 0.0)])), "viable");
    // Half a radius deep, of a thickness of two radii.
    assert_eq!(refusal(&body(STICK, &[up(0.0225, 0.0), up(-0.0225, 0.0)])), "viable");
}

#[test]
fn a_limb_inside_another_is_buried() {
    let found = check(&body(STICK, &[up(0.01, 0.0), up(-0.01, 0.0)]), &Viability::default());
    let Err(Unviable::Buried { part: 2, other: 1, depth }) = found else { panic!("{found:?}") };
    // Parallel capsules 0.02 m apart: 0.06 - 0.02.
    assert!((depth - 0.04).abs() < 1e-12, "{depth}");
    // A thin limb through the middle of a thick one, although it is not deep for the thick one.
    let mut crossed = body(STICK, &[up(0.0, 0.0)]);
    crossed.parts.push(part(PartShape::Box(DVec3::splat(0.12)), Some((0, Pose::from_translation(DVec3::X * 0.01)))));
    crossed.update_rest_poses();
    assert_eq!(refusal(&crossed), "buried");
}

#[test]
fn equal_parts_at_one_place_coincide() {
    let turned = (DVec3::new(0.0, 0.001, 0.1), DQuat::from_rotation_z(1.0));
    assert_eq!(refusal(&body(STICK, &[up(0.0, 0.0), turned])), "coincident");
}

#[test]
fn an_attached_part_may_touch_but_not_be_inside() {
    let trunk = PartShape::Box(DVec3::new(0.2, 0.15, 0.1));
    // From the top inwards: the same space as its parent.
    let inwards = (DVec3::new(0.0, 0.0, 0.1), DQuat::from_rotation_x(std::f64::consts::PI));
    assert_eq!(refusal(&body(trunk, &[inwards])), "coincident");
    let larger = PartShape::Box(DVec3::new(0.24, 0.19, 0.12));
    assert_eq!(refusal(&body(larger, &[inwards])), "buried");
    // Small and entirely inside, near the surface.
    let pip = PartShape::Sphere(0.02);
    assert_eq!(refusal(&body(pip, &[(DVec3::new(0.15, 0.0, 0.1), inwards.1)])), "buried");
    // Leaning over, with a corner in its parent.
    let leaning = (DVec3::new(0.0, 0.0, 0.1), DQuat::from_rotation_y(1.3));
    assert_eq!(refusal(&body(STICK, &[leaning])), "viable");
}

#[test]
fn sizes_and_counts_have_bounds() {
    assert_eq!(refusal(&Body::default()), "too_few_parts");
    assert_eq!(refusal(&body(STICK, &[])), "too_few_parts");
    let ring: Vec<_> = (0..24).map(|index| up(f64::from(index), 0.0)).collect();
    assert_eq!(refusal(&body(STICK, &ring)), "too_many_parts");
    assert_eq!(refusal(&body(PartShape::Sphere(0.01), &[up(0.0, 0.0)])), "part_too_small");
    assert_eq!(refusal(&body(PartShape::Box(DVec3::new(0.2, 0.2, 0.005)), &[up(0.0, 0.0)])), "part_too_thin");
    assert_eq!(refusal(&body(PartShape::Sphere(1.0), &[up(0.0, 0.0)])), "volume");
    assert_eq!(refusal(&body(PartShape::Sphere(f64::NAN), &[up(0.0, 0.0)])), "not_finite");
    assert_eq!(refusal(&body(PartShape::Sphere(-0.1), &[up(0.0, 0.0)])), "part_too_small");
    assert_eq!(refusal(&body(STICK, &[up(f64::INFINITY, 0.0)])), "not_finite");
    let mut askew = body(STICK, &[up(0.0, 0.0)]);
    askew.parts[1].attachment.as_mut().unwrap().axes[0].direction.x = f64::NAN;
    assert_eq!(refusal(&askew), "not_finite");
}
