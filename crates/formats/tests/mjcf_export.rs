//! Tests of the MJCF export. `bench/check_export` checks that MuJoCo reads the files and has the same numbers.

use std::path::Path;

use burgess_formats::mjcf;
use burgess_random_scenes::random_scene;
use burgess_scene::spec::{
    ActuatorSpec, AxisSpec, BodySpec, InertiaBoxFluid, JointKind, JointSpec, MotorSpec, PoseSpec, SceneSpec, ShapeSpec,
    VelocityMotor, WeldJoint,
};
use burgess_scene::{SceneFile, builtin};
use glam::DVec3;

fn export(scene: &SceneSpec) -> burgess_formats::export::Exported {
    mjcf::export(scene, Path::new("")).unwrap()
}

/// The usual cart-pole.
fn cart_pole() -> SceneSpec {
    let mut scene = SceneSpec::new("cart-pole", "A pole on a cart -- it falls.");
    scene.fluid = Some(burgess_scene::spec::FluidSpec::InertiaBox(InertiaBoxFluid {
        density: 1.2,
        viscosity: 2e-5,
        current: DVec3::X,
    }));
    scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()]));
    let slide = AxisSpec { limit: Some([-1.0, 1.0]), damping: 0.1, ..AxisSpec::new(DVec3::X) };
    let cart = BodySpec::jointed(
        "cart",
        JointSpec { in_parent: PoseSpec::at(DVec3::new(0.0, 0.0, 0.5)), ..JointSpec::prismatic(slide) },
        [ShapeSpec::cuboid(DVec3::new(0.4, 0.2, 0.1))],
    );
    let motor = MotorSpec::Velocity(VelocityMotor { target: 0.5, gain: 2.0 });
    let hinge = AxisSpec { motor: Some(motor), max_effort: Some(3.0), position: 0.25, ..AxisSpec::new(DVec3::Y) };
    let hinge = JointSpec::revolute(hinge).on("cart", PoseSpec::at(DVec3::new(0.0, 0.0, 0.0625)));
    let hinge = hinge.in_child(PoseSpec::at(DVec3::new(0.0, 0.0, -0.5)));
    let pole = BodySpec { mass: Some(0.5), inertia: vec![0.04, 0.04, 0.001], ..BodySpec::jointed("pole", hinge, []) };
    scene.bodies.extend([cart, pole]);
    scene.actuators.push(ActuatorSpec { gear: 10.0, control: -0.125, ..ActuatorSpec::motor("drive", "cart", 0) });
    scene
}

#[test]
fn cart_pole_is_written_in_full() {
    let exported = export(&cart_pole());
    let expected = r#"<mujoco model="cart-pole">
  <!-- A pole on a cart -  it falls. -->
  <compiler angle="radian" autolimits="true" inertiafromgeom="false"/>
  <option timestep="0.004166666666666667" gravity="0 0 -9.81" integrator="implicitfast" cone="elliptic" density="1.2" viscosity="0.00002" wind="1 0 0"/>
  <worldbody>
    <body name="ground">
      <geom type="plane" size="0 0 1" friction="0.5"/>
    </body>
    <body name="cart" pos="0 0 0.5">
      <inertial pos="0 0 0" mass="8.000000000000002" diaginertia="0.03333333333333335 0.1133333333333334 0.1333333333333334"/>
      <joint name="cart" type="slide" axis="1 0 0" range="-1 1" damping="0.1"/>
      <geom type="box" size="0.2 0.1 0.05" friction="0.5"/>
      <body name="pole" pos="0 0 0.5625">
        <inertial pos="0 0 0" mass="0.5" diaginertia="0.04 0.04 0.001"/>
        <joint name="pole" type="hinge" pos="0 0 -0.5" axis="0 1 0"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="drive" joint="cart" gear="10"/>
    <velocity name="pole_motor" joint="pole" kv="2" forcerange="-3 3"/>
  </actuator>
  <keyframe>
    <key name="start" qpos="0 0.25" qvel="0 0" ctrl="-0.125 0.5"/>
  </keyframe>
</mujoco>
"#;
    assert_eq!(exported.xml, expected);
    assert_eq!(exported.warnings, []);
}

#[test]
fn unsupported_features_give_one_warning_each() {
    let scene = SceneFile::read("tests/reference/everything.toml").unwrap();
    let messages: Vec<String> = export(scene.spec()).warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        [
            "cones and frustums are approximated by polyhedra with 32 sides: 'piston'",
            "slide constraints are not supported by MuJoCo and are omitted: 'coin' to 'ring'",
            "MuJoCo measures ball joints in the body frame, not in the joint frame: 'wrist'",
            "scripts are not supported by MuJoCo; these bodies become mocap bodies at their start: 'lift'",
            "controllers are not supported by MuJoCo and are omitted: 'impulse'",
        ]
    );
    let messages = export(&builtin::find("marble-machine").unwrap().spec()).warnings;
    assert!(
        messages.iter().any(|warning| warning
            .to_string()
            .contains("restitution is not supported by MuJoCo and is omitted: 'brass'")),
        "{messages:?}"
    );
}

#[test]
fn export_is_deterministic() {
    let builtin = builtin::all().iter().map(|scene| scene.spec());
    for scene in builtin.chain((0..20).map(|seed| random_scene(seed, 12))) {
        let exported = export(&scene);
        assert_eq!(exported, export(&scene), "{}", scene.name);
        for word in ["NaN", "inf\"", "inf "] {
            assert!(!exported.xml.contains(word), "{}: {word}", scene.name);
        }
        let body_count = exported.xml.matches("<body ").count();
        assert_eq!(body_count, scene.bodies.len(), "{}", scene.name);
    }
}

#[test]
fn long_chains_do_not_overflow_the_stack() {
    let mut scene = SceneSpec::new("chain", "");
    scene.self_collision = false;
    for index in 0..2000 {
        let mut joint = match index % 2 {
            0 => JointSpec::revolute(AxisSpec::new(DVec3::Y)),
            _ => JointSpec::new(JointKind::Weld(WeldJoint {})),
        };
        if index > 0 {
            joint = joint.on(&format!("link {}", index - 1), PoseSpec::at(DVec3::X));
        }
        scene.bodies.push(BodySpec::jointed(format!("link {index}"), joint, [ShapeSpec::sphere(0.1)]));
    }
    let exported = export(&scene);
    assert_eq!(exported.xml.matches("</body>").count(), 2000);
    let messages: Vec<String> = exported.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        messages,
        [
            "bodies are nested too deeply for MuJoCo's XML parser: 'link 489'",
            "there are too many bodies to exclude all pairs without self-collision: some bodies of one tree collide",
        ]
    );
}

#[test]
fn invalid_scenes_are_refused() {
    let mut scene = cart_pole();
    scene.bodies[1].shapes.clear();
    let error = mjcf::export(&scene, Path::new("")).unwrap_err().to_string();
    assert!(error.contains("cart"), "{error}");
}
