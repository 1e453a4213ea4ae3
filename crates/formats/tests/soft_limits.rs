//! Joint limits that springs hold, in MJCF and URDF.

use std::path::Path;

use burgess_formats::{mjcf, urdf};
use burgess_scene::spec::{AxisSpec, BodySpec, JointSpec, PoseSpec, SceneSpec, ShapeSpec};
use glam::DVec3;

#[test]
fn mjcf_scales_them_by_the_inertia_and_urdf_omits_them() {
    let axis = |direction| AxisSpec {
        limit: Some([-0.5, 0.25]),
        limit_stiffness: 12.0,
        limit_damping: 0.5,
        armature: 0.02,
        ..AxisSpec::new(direction)
    };
    let mut scene = SceneSpec::new("soft", "An arm.");
    let joint = JointSpec::revolute(axis(DVec3::Y)).in_child(PoseSpec::at(DVec3::new(-0.5, 0.0, 0.0)));
    let arm = BodySpec { mass: Some(2.0), inertia: vec![0.1, 0.2, 0.2], ..BodySpec::jointed("arm", joint, []) };
    scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()]));
    scene.bodies.push(arm);
    let exported = mjcf::export(&scene, Path::new(".")).unwrap();
    // 0.2 + 2 * 0.5^2 + 0.02 kg m^2 about the hinge.
    let (stiffness, damping) = (0.99 * 12.0 / 0.72, 0.99 * 0.5 / 0.72);
    let value = |name: &str| {
        let start = exported.xml.find(&format!("{name}=\"")).expect("is there") + name.len() + 2;
        let text = exported.xml[start..].split('"').next().unwrap();
        text.split(' ').map(|number| number.parse().unwrap()).collect::<Vec<f64>>()
    };
    let found = value("solreflimit");
    assert!((found[0] + stiffness).abs() < 1e-12 && (found[1] + damping).abs() < 1e-12, "{found:?}");
    assert_eq!(value("solimplimit"), [0.01, 0.01, 0.001]);
    assert_eq!(exported.warnings, []);

    let warnings: Vec<String> =
        urdf::export(&scene, Path::new("."), "").unwrap().warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.iter().any(|warning| warning.contains("springs of joint limits are omitted")), "{warnings:?}");
}
