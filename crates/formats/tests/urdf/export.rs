//! Contents of exported files, and warnings about omitted features.

use burgess_formats::urdf;
use burgess_scene::spec::*;
use glam::DVec3;

use super::specification;
use super::support::export_to;

fn warnings(exported: &urdf::Exported) -> Vec<String> {
    exported.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn pendulum_is_written_in_full() {
    let mut scene = SceneSpec::new("pendulum", "A rod on a hinge.");
    let mut axis = AxisSpec::new(DVec3::Y);
    (axis.limit, axis.damping, axis.max_effort) = (Some([-90.0, 90.0]), 0.25, Some(5.0));
    let mut joint = JointSpec::revolute(axis).in_child(PoseSpec::at(DVec3::new(0.0, 0.0, 0.5)));
    joint.angle_unit = AngleUnit::Degrees;
    let rod = ShapeSpec::cuboid(DVec3::new(0.1, 0.1, 1.0)).colored(DVec3::X);
    scene.bodies.push(BodySpec { mass: Some(12.0), ..BodySpec::jointed("rod", joint, [rod]) });
    scene.actuators.push(ActuatorSpec::motor("drive", "rod", 0));
    let exported = urdf::export(&scene, ".".as_ref(), "meshes").unwrap();
    // m (a^2 + b^2) / 12 = 1.01 and 0.02; the link is at the hinge, 0.5 m above the centre of mass.
    let expected = r#"<robot name="pendulum">
  <!-- A rod on a hinge. -->
  <material name="color_1">
    <color rgba="1 0 0 1"/>
  </material>
  <link name="world"/>
  <link name="rod">
    <inertial>
      <origin xyz="0 0 -0.5" rpy="0 0 0"/>
      <mass value="12"/>
      <inertia ixx="1.01" ixy="0" ixz="0" iyy="1.01" iyz="0" izz="0.020000000000000004"/>
    </inertial>
    <visual>
      <origin xyz="0 0 -0.5" rpy="0 0 0"/>
      <geometry>
        <box size="0.1 0.1 1"/>
      </geometry>
      <material name="color_1"/>
    </visual>
    <collision>
      <origin xyz="0 0 -0.5" rpy="0 0 0"/>
      <geometry>
        <box size="0.1 0.1 1"/>
      </geometry>
    </collision>
  </link>
  <joint name="rod_joint" type="revolute">
    <parent link="world"/>
    <child link="rod"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1.5707963267948966" upper="1.5707963267948966" effort="5" velocity="1000000000"/>
    <dynamics damping="0.25" friction="0"/>
  </joint>
  <transmission name="drive_transmission">
    <type>transmission_interface/SimpleTransmission</type>
    <joint name="rod_joint">
      <hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface>
    </joint>
    <actuator name="drive">
      <mechanicalReduction>1</mechanicalReduction>
    </actuator>
  </transmission>
</robot>
"#;
    assert_eq!(exported.xml, expected);
    assert!(exported.warnings.is_empty() && exported.files.is_empty());
}

#[test]
fn curved_and_hollow_shapes_become_mesh_files() {
    let mut scene = SceneSpec::new("shapes", "");
    let tube = TubeShape { outer_radius: 1.0, inner_radius: 0.8, length: 1.0, sides: 8 };
    let shapes = [
        ShapeSpec::capsule(0.1, 1.0),
        ShapeSpec::capsule(0.1, 1.0).at(DVec3::X),
        ShapeSpec::new(ShapeKind::Tube(tube)),
        ShapeSpec { mask: 0, ..ShapeSpec::sphere(0.2) },
    ];
    scene.bodies.push(BodySpec::new("a b/c", DVec3::ZERO, shapes));
    let (_, exported) = export_to("shapes", &scene);
    // One file for both capsules, and eight wedges of the tube.
    assert_eq!(exported.files.len(), 9);
    assert_eq!(exported.files[0].path, "robot_meshes/a_b_c.obj");
    let body = &specification::read(&exported.xml).links[1];
    assert_eq!((body.visuals, body.collisions), (11, 10));
    for file in &exported.files {
        let mesh = burgess_geometry::mesh_file::parse_obj(&file.bytes, &file.path).unwrap();
        assert!(mesh.volume() > 0.0);
    }
    let capsule = burgess_geometry::mesh_file::parse_obj(&exported.files[0].bytes, "capsule").unwrap();
    let volume = std::f64::consts::PI * 0.01 * (1.0 + 4.0 / 3.0 * 0.1);
    // The flat faces are inside the curved surface; the volume is within 1 %.
    assert!(capsule.volume() < volume && capsule.volume() > 0.99 * volume);
    assert_eq!(
        warnings(&exported),
        ["capsules, ellipsoids, cones and frustums are approximated by meshes with flat faces: 'a b/c'"]
    );
}

#[test]
fn unsupported_features_give_one_warning_each() {
    let mut scene = SceneSpec::new("everything", "");
    scene.gravity = DVec3::ZERO;
    scene.self_collision = false;
    scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()]));
    let mut axis = AxisSpec::new(DVec3::X);
    (axis.stiffness, axis.armature, axis.position, axis.velocity) = (1.0, 1.0, 0.5, 0.5);
    scene.bodies.push(BodySpec::jointed("arm", JointSpec::revolute(axis), [ShapeSpec::sphere(1.0)]));
    let mut axis = AxisSpec::new(DVec3::X);
    axis.motor = Some(MotorSpec::Effort(EffortMotor { effort: 1.0 }));
    scene.bodies.push(BodySpec::jointed("wheel", JointSpec::revolute(axis), [ShapeSpec::sphere(1.0)]));
    let free = BodySpec::new("ball", DVec3::Z, [ShapeSpec { group: 2, margin: 0.1, ..ShapeSpec::sphere(1.0) }]);
    scene.bodies.push(BodySpec { velocity: DVec3::X, ..free });
    scene.exclusions.push(["arm".to_string(), "ball".to_string()]);
    scene.materials.insert("ice".to_string(), MaterialSpec::new(0.0, 0.0));
    scene.actuators.push(ActuatorSpec::position("servo", "arm", 0, 1.0, 1.0));
    let tendon = TendonJoint { joint: "arm".to_string(), axis: 0, coefficient: 1.0 };
    let joints = vec![tendon];
    scene.tendons.push(TendonSpec { name: "t".to_string(), joints, stiffness: 1.0, damping: 0.0, rest: [0.0; 2] });
    let kind = TieKind::Pin(NoNumbers {});
    scene.constraints.push(ConstraintSpec { kind, a: AnchorSpec::on("arm", DVec3::ZERO), b: AnchorSpec::default() });
    let exported = urdf::export(&scene, ".".as_ref(), "meshes").unwrap();
    let expected = [
        "half-spaces and height fields are omitted: 'ground'",
        "gravity is not part of URDF and is omitted; set it in the program that reads the file",
        "springs of joints are omitted: 'arm'",
        "armature inertias of joints are omitted: 'arm'",
        "initial joint positions are omitted: the joints start at zero: 'arm'",
        "initial velocities are omitted: 'arm', 'ball'",
        "motors with fixed targets are omitted: 'wheel'",
        "contact margins of shapes are omitted: 'ball'",
        "contact groups and masks of shapes are omitted: 'ball'",
        "gears, gains and biases of actuators are omitted: the control is the joint effort: 'servo'",
        "friction and restitution of surfaces are omitted",
        "disabled self-collision is omitted: links of one tree may collide",
        "exclusions are omitted: excluded pairs of bodies may collide",
        "constraints other than joints are omitted",
        "tendons are omitted",
    ];
    assert_eq!(warnings(&exported), expected);
}

#[test]
fn ball_joints_are_refused() {
    let mut scene = SceneSpec::new("ball", "");
    let joint = JointSpec::new(JointKind::Spherical(Box::default()));
    scene.bodies.push(BodySpec::jointed("shoulder", joint, [ShapeSpec::sphere(1.0)]));
    let error = urdf::export(&scene, ".".as_ref(), "meshes").unwrap_err().to_string();
    assert!(error.starts_with("scene: bodies[0].joint: 'shoulder' has a ball joint"), "{error}");
}

#[test]
fn names_are_unique() {
    let mut scene = SceneSpec::new("<names> & \"more\"", "");
    let pair = UniversalJoint { first: AxisSpec::new(DVec3::X), second: AxisSpec::new(DVec3::Y) };
    let joint = JointSpec::new(JointKind::Universal(pair));
    scene.bodies.push(BodySpec::new("world", DVec3::ZERO, [ShapeSpec::sphere(1.0)]));
    scene.bodies.push(BodySpec::new("<a>_axis_1", DVec3::ZERO, [ShapeSpec::sphere(1.0)]));
    scene.bodies.push(BodySpec::jointed("<a>", joint, [ShapeSpec::sphere(1.0)]));
    let (_, exported) = export_to("names", &scene);
    let robot = specification::read(&exported.xml);
    let names: Vec<&str> = robot.links.iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names, ["world", "world_2", "<a>_axis_1", "<a>", "<a>_axis_1_2"]);
    assert_eq!(robot.name, scene.name);
}

#[test]
fn axes_have_length_one() {
    let mut scene = SceneSpec::new("long axis", "");
    let joint = JointSpec::new(JointKind::Revolute(AxisSpec::new(DVec3::new(0.0, 0.0, 2.0))));
    scene.bodies.push(BodySpec::jointed("arm", joint, [ShapeSpec::sphere(1.0)]));
    let (_, exported) = export_to("long-axis", &scene);
    specification::read(&exported.xml);
    assert!(exported.xml.contains("xyz=\"0 0 1\""), "{}", exported.xml);
}
