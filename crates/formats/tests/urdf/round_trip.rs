//! Exporting to URDF and importing again keeps masses, inertias, frames and limits.
//!
//! Every frame is computed from a few products of rotations and sums of positions, each with a relative error of 1e-16;
//! 1e-12 is enough for trees of about ten links and lengths of some metres.

use burgess_formats::import::ImportOptions;
use burgess_formats::import_file;
use burgess_formats::urdf;
use burgess_geometry::Pose;
use burgess_random_scenes::random_scene;
use burgess_scene::builtin;
use burgess_scene::spec::*;
use glam::{DQuat, DVec3};
use proptest::prelude::*;

use super::specification;
use super::support::{axes, export_to, observe, set_positions};

const TOLERANCE: f64 = 1e-12;

/// Exports and imports a scene, and compares all features that URDF supports, at nonzero joint positions.
fn check(name: &str, scene: &SceneSpec) {
    let mut scene = scene.clone();
    let (path, exported) = export_to(name, &scene);
    let robot = specification::read(&exported.xml);
    let imported = import_file(&path, &ImportOptions::default()).unwrap();
    let mut back = imported.scene;
    // The kinds of joints are the same after the round trip, so the axes are in the same order.
    for (index, body) in scene.bodies.iter_mut().enumerate() {
        let Some(other) = back.body_index(&body.name) else {
            // Unbounded ground is not exported, so its link is an empty frame.
            let is_ground =
                |shape: &ShapeSpec| matches!(shape.kind, ShapeKind::HalfSpace(_) | ShapeKind::HeightField(_));
            assert!(body.shapes.iter().all(is_ground), "{}", body.name);
            assert!(back.sites.iter().any(|site| site.name == body.name), "{}", body.name);
            continue;
        };
        let positions: Vec<f64> =
            (0..axes(body).len()).map(|axis| 0.1 + 0.3 * ((index + 2 * axis) % 7) as f64).collect();
        set_positions(body, &positions);
        set_positions(&mut back.bodies[other], &positions);
        compare_axes(body, &back.bodies[other]);
    }
    let (before, after) = (observe(&scene), observe(&back));
    for (name, observed) in &before {
        let Some(again) = after.get(name) else { continue };
        let size = 1.0 + observed.center_of_mass.length();
        assert!((observed.mass - again.mass).abs() <= TOLERANCE * observed.mass, "{name}");
        let gap = observed.center_of_mass.distance(again.center_of_mass);
        assert!(gap < TOLERANCE * size, "{name}: {gap:e}");
        let largest = observed.inertia.to_cols_array().into_iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        for (a, b) in observed.inertia.to_cols_array().into_iter().zip(again.inertia.to_cols_array()) {
            assert!((a - b).abs() <= 2.0 * TOLERANCE * largest, "{name}: {} and {}", observed.inertia, again.inertia);
        }
        if observed.shapes.len() == again.shapes.len() {
            for (a, b) in observed.shapes.iter().zip(&again.shapes) {
                assert!(a.translation.distance(b.translation) < TOLERANCE * size, "{name}");
                assert!((a.rotation.conjugate() * b.rotation).xyz().length() < TOLERANCE, "{name}");
            }
        }
    }
    let total: f64 = before.values().map(|observed| observed.mass).sum();
    let exported_mass: f64 = robot.links.iter().map(|link| link.mass).sum();
    assert!((total - exported_mass).abs() <= TOLERANCE * total, "{total} and {exported_mass}");
}

fn compare_axes(body: &BodySpec, other: &BodySpec) {
    let unit = match body.joint.as_ref().map(|joint| joint.angle_unit) {
        Some(AngleUnit::Degrees) => std::f64::consts::PI / 180.0,
        _ => 1.0,
    };
    let (before, after) = (axes(body), axes(other));
    assert_eq!(before.len(), after.len(), "{}", body.name);
    for (place, (before, after)) in before.into_iter().zip(after).enumerate() {
        let unit = if body.joint.as_ref().unwrap().target_unit(place) == 1.0 { 1.0 } else { unit };
        assert_eq!(before.limit.map(|limit| limit.map(|end| end * unit)), after.limit, "{}", body.name);
        assert_eq!((before.damping, before.friction), (after.damping, after.friction), "{}", body.name);
        assert_eq!(before.max_effort, after.max_effort, "{}", body.name);
    }
}

#[test]
fn built_in_scenes() {
    let mut supported = 0;
    for scene in builtin::all() {
        let spec = scene.spec();
        match urdf::export(&spec, ".".as_ref(), "meshes") {
            Ok(_) => {
                check(&format!("builtin_{}", scene.name), &spec);
                supported += 1;
            }
            Err(error) => assert!(error.to_string().contains("ball joint"), "{}: {error}", scene.name),
        }
    }
    assert!(supported >= 15, "{supported}");
}

#[test]
fn random_scenes() {
    for seed in 0..20 {
        let mut scene = random_scene(seed, 12);
        for body in &mut scene.bodies {
            // Convex decomposition of meshes is slow, and URDF does not support ball joints.
            body.shapes.retain(|shape| !matches!(shape.kind, ShapeKind::Mesh(_)));
            if body.shapes.is_empty() {
                body.shapes.push(ShapeSpec::sphere(0.1));
            }
            if let Some(joint) = &mut body.joint
                && let JointKind::Spherical(_) = joint.kind
            {
                joint.kind = JointKind::Revolute(AxisSpec::new(DVec3::new(0.6, 0.0, -0.8)));
            }
        }
        check(&format!("random_{seed}"), &scene);
    }
}

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-size..size).prop_map(DVec3::from_array)
}

/// Half of all rotations are products of quarter turns: gimbal lock, and the usual rotations in models.
fn rotation() -> impl Strategy<Value = DQuat> {
    let any = prop::array::uniform4(-1.0..1.0f64)
        .prop_map(DQuat::from_array)
        .prop_filter_map("length", |raw| (raw.length() > 0.1).then(|| raw.normalize()));
    let quarter = (0..3usize, 0..3usize, 1..4i32, 0..4i32).prop_map(|(first, second, a, b)| {
        let turn = |axis: usize, quarters: i32| {
            DQuat::from_axis_angle(DVec3::AXES[axis], f64::from(quarters) * std::f64::consts::FRAC_PI_2)
        };
        turn(first, a) * turn(second, b)
    });
    prop_oneof![any, quarter]
}

fn pose() -> impl Strategy<Value = PoseSpec> {
    (rotation(), vector(1.0)).prop_map(|(rotation, position)| Pose::new(rotation, position).into())
}

fn axis() -> impl Strategy<Value = AxisSpec> {
    let direction = vector(1.0).prop_filter("length", |axis| axis.length() > 0.1);
    let limit = prop_oneof![
        Just(None),
        (-3.0..0.0, 0.0..3.0).prop_map(|(low, high)| Some([low, high])),
        (0.0..3.0).prop_map(|high| Some([f64::NEG_INFINITY, high])),
    ];
    (direction, vector(0.5), limit, 0.0..2.0, 0.0..2.0, prop::option::of(0.1..50.0)).prop_map(
        |(axis, anchor, limit, damping, friction, max_effort)| AxisSpec {
            anchor,
            limit,
            damping,
            friction,
            max_effort,
            ..AxisSpec::new(axis)
        },
    )
}

fn joint() -> impl Strategy<Value = JointSpec> {
    // At most three slides are independent.
    let stack = |axes: Vec<(AxisSpec, bool)>| {
        let mut slides = 0;
        let mut list = Vec::new();
        for (axis, wants_slide) in axes {
            let is_slide = wants_slide && slides < 3;
            slides += usize::from(is_slide);
            list.push(match is_slide {
                true => StackAxisSpec::Slide(AxisSpec { anchor: DVec3::ZERO, ..axis }),
                false => StackAxisSpec::Hinge(axis),
            });
        }
        JointKind::Stack(StackJoint { axes: list })
    };
    let kind = prop_oneof![
        Just(JointKind::Weld(WeldJoint {})),
        axis().prop_map(JointKind::Revolute),
        axis().prop_map(JointKind::Prismatic),
        (axis(), axis()).prop_map(|(first, second)| JointKind::Universal(UniversalJoint { first, second })),
        prop::collection::vec((axis(), any::<bool>()), 3..=6).prop_map(stack),
    ];
    (kind, pose(), pose(), any::<bool>()).prop_map(|(kind, in_parent, in_child, degrees)| JointSpec {
        kind,
        parent: None,
        in_parent,
        in_child,
        angle_unit: if degrees { AngleUnit::Degrees } else { AngleUnit::Radians },
    })
}

fn shapes() -> impl Strategy<Value = Vec<ShapeSpec>> {
    let size = 0.05..0.5;
    let kind = prop_oneof![
        (size.clone(), size.clone(), size.clone()).prop_map(|(x, y, z)| ShapeSpec::cuboid(DVec3::new(x, y, z))),
        size.clone().prop_map(ShapeSpec::sphere),
        (size.clone(), size).prop_map(|(radius, length)| ShapeSpec::cylinder(radius, length)),
    ];
    let placed = (kind, pose()).prop_map(|(shape, pose)| shape.at(pose.position).turned(pose.orientation));
    prop::collection::vec(placed, 1..3)
}

/// Random trees: every body is attached to an earlier body or the world, or is free.
fn forest() -> impl Strategy<Value = SceneSpec> {
    let body = (joint(), shapes(), pose(), 0..8usize, any::<prop::sample::Index>());
    prop::collection::vec(body, 1..12).prop_map(|list| {
        let mut scene = SceneSpec::new("forest", "Random trees.");
        for (place, (joint, shapes, start, kind, parent)) in list.into_iter().enumerate() {
            let name = format!("body {place}");
            let body = BodySpec::new(name, start.position, shapes);
            scene.bodies.push(match kind {
                0 => BodySpec { orientation: start.orientation, ..body },
                1 => BodySpec { orientation: start.orientation, fixed: true, ..body },
                _ => {
                    let parent = (kind > 2 && place > 0).then(|| format!("body {}", parent.index(place.max(1))));
                    let joint = JointSpec { parent, ..joint };
                    BodySpec { position: DVec3::ZERO, joint: Some(joint), ..body }
                }
            });
        }
        scene.sites.push(SiteSpec {
            name: "tip".to_string(),
            body: Some("body 0".to_string()),
            position: DVec3::new(0.1, 0.2, 0.3),
            orientation: Orientation::Straight,
        });
        scene
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_trees(scene in forest()) {
        check("trees", &scene);
    }
}
