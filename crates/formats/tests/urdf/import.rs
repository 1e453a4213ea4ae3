//! Small files with numbers that can be checked by hand.

use std::f64::consts::FRAC_PI_2;

use burgess_formats::import::{ImportOptions, Imported};
use burgess_formats::urdf;
use burgess_scene::spec::*;
use glam::{DQuat, DVec3};

use super::support::{self, axes, import_floating, observe};

const MASS: &str = "<inertial><mass value='2'/><inertia ixx='0.1' iyy='0.2' izz='0.25'/></inertial>";

fn link(name: &str) -> String {
    format!("<link name='{name}'>{MASS}</link>")
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, rest: &str) -> String {
    format!("<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>{rest}</joint>")
}

fn robot(parts: &[String]) -> String {
    format!("<robot name='r'>\n{}\n</robot>", parts.join("\n"))
}

fn import(parts: &[String]) -> Imported {
    support::import(&robot(parts)).unwrap()
}

fn import_error(parts: &[String]) -> String {
    support::import(&robot(parts)).unwrap_err().to_string()
}

fn body<'a>(imported: &'a Imported, name: &str) -> &'a BodySpec {
    &imported.scene.bodies[imported.scene.body_index(name).unwrap()]
}

fn kinds(imported: &Imported) -> Vec<&str> {
    imported.warnings.iter().map(|warning| warning.kind.as_str()).collect()
}

#[test]
fn hinge_with_all_attributes() {
    let hinge = "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><axis xyz='0 0 2'/>
        <limit lower='-1' upper='0.5' effort='30' velocity='4'/><dynamics damping='0.7' friction='0.2'/>";
    let imported = import(&[link("base"), link("arm"), joint("j", "revolute", "base", "arm", hinge)]);
    let base = body(&imported, "base");
    assert!(base.fixed && base.mass.is_none());
    let arm = body(&imported, "arm");
    assert_eq!((arm.mass, arm.center_of_mass, &arm.inertia[..]), (Some(2.0), None, &[0.1, 0.2, 0.25][..]));
    let spec = arm.joint.as_ref().unwrap();
    assert_eq!((spec.parent.as_deref(), spec.in_child), (Some("base"), PoseSpec::default()));
    assert_eq!(spec.in_parent.position, DVec3::new(1.0, 2.0, 3.0));
    let turn = DQuat::from_rotation_z(FRAC_PI_2);
    assert!((spec.in_parent.pose().rotation - turn).length() < 1e-15);
    let JointKind::Revolute(axis) = &spec.kind else { panic!("{spec:?}") };
    let expected = AxisSpec {
        limit: Some([-1.0, 0.5]),
        max_effort: Some(30.0),
        damping: 0.7,
        friction: 0.2,
        ..AxisSpec::new(DVec3::new(0.0, 0.0, 2.0))
    };
    assert_eq!(*axis, expected);
    assert_eq!(kinds(&imported), ["velocity limits (velocity)"]);
    assert!(imported.warnings[0].to_string().contains("robot.urdf:5"), "{}", imported.warnings[0]);
}

#[test]
fn inertias_are_rotated_to_link_axes() {
    // A quarter turn about z exchanges x and y: I = R diag(1, 2, 2.5) R^T.
    let text = "<link name='a'><inertial><origin xyz='0.1 0 0' rpy='0 0 1.5707963267948966'/><mass value='3'/>
        <inertia ixx='1' ixy='0.5' ixz='0' iyy='2' iyz='0' izz='2.5'/></inertial></link>";
    let imported = import_floating(&robot(&[text.to_string()])).unwrap();
    let body = body(&imported, "a");
    assert!(!body.fixed && body.joint.is_none());
    assert_eq!(body.center_of_mass, Some(DVec3::new(0.1, 0.0, 0.0)));
    for (found, expected) in body.inertia.iter().zip([2.0, 1.0, 2.5, -0.5, 0.0, 0.0]) {
        assert!((found - expected).abs() < 1e-15, "{:?}", body.inertia);
    }
}

#[test]
fn joints_of_every_kind() {
    let names = ["continuous", "prismatic", "fixed", "floating", "planar", "spherical"];
    let mut parts = vec![link("base")];
    for name in names {
        parts.push(link(name));
        let rest = if name == "prismatic" { "<limit lower='0.1' upper='2' effort='1' velocity='1e9'/>" } else { "" };
        parts.push(joint(&format!("to {name}"), name, "base", name, &format!("<origin xyz='0 0 1'/>{rest}")));
    }
    let imported = import(&parts);
    let kind = |name: &str| body(&imported, name).joint.as_ref().map(|joint| joint.kind.clone());
    assert_eq!(kind("continuous"), Some(JointKind::Revolute(AxisSpec::new(DVec3::X))));
    let Some(JointKind::Prismatic(slide)) = kind("prismatic") else { panic!() };
    // Zero is outside the limits, so the joint starts at the nearest limit.
    assert_eq!((slide.limit, slide.position), (Some([0.1, 2.0]), 0.1));
    assert_eq!(kind("fixed"), Some(JointKind::Weld(WeldJoint {})));
    assert_eq!((kind("floating"), body(&imported, "floating").position), (None, DVec3::Z));
    let Some(JointKind::Stack(planar)) = kind("planar") else { panic!() };
    let slide = |axis| StackAxisSpec::Slide(AxisSpec::new(axis));
    assert_eq!(planar.axes, [slide(DVec3::Y), slide(DVec3::Z), StackAxisSpec::Hinge(AxisSpec::new(DVec3::X))]);
    assert!(matches!(kind("spherical"), Some(JointKind::Spherical(_))));
    imported.scene.build(".").unwrap();
}

#[test]
fn shapes_and_colours() {
    let text = "<material name='red'><color rgba='1 0 0 1'/></material>
        <link name='a'>
          <visual><geometry><box size='1 2 3'/></geometry><material name='red'/></visual>
          <visual><origin xyz='1 0 0'/><geometry><sphere radius='0.5'/></geometry>
            <material name='blue'><color rgba='0 0 1 0.5'/></material></visual>
          <collision><geometry><box size='1 2 3'/></geometry></collision>
          <collision><origin xyz='1 0 0'/><geometry><sphere radius='0.5'/></geometry></collision>
          <collision><origin rpy='1.5707963267948966 0 0'/><geometry><cylinder radius='0.1' length='4'/></geometry></collision>
        </link>
        <link name='observed'><visual><geometry><sphere radius='1'/></geometry><material name='blue'/></visual></link>";
    let imported = import(&[text.to_string(), joint("j", "fixed", "a", "observed", "<origin xyz='0 0 9'/>")]);
    let a = body(&imported, "a");
    assert_eq!(a.color, Some(DVec3::X));
    assert_eq!(a.shapes.len(), 3);
    assert_eq!(a.shapes[0], ShapeSpec::cuboid(DVec3::new(1.0, 2.0, 3.0)));
    assert_eq!(a.shapes[1], ShapeSpec::sphere(0.5).at(DVec3::X).colored(DVec3::Z));
    let ShapeKind::Cylinder(cylinder) = &a.shapes[2].kind else { panic!() };
    assert_eq!((cylinder.radius, cylinder.length), (0.1, 4.0));
    let observed = body(&imported, "observed");
    assert_eq!((observed.color, observed.shapes[0].mask), (Some(DVec3::Z), 0));
    assert!(imported.warnings.is_empty(), "{:?}", imported.warnings);
}

#[test]
fn massless_frames_belong_to_the_body_they_are_fixed_to() {
    // base_link and imu are massless, body has the mass, tool is a frame at the tip of the arm.
    let parts = [
        "<link name='base_link'/>".to_string(),
        link("body"),
        "<link name='imu'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>".to_string(),
        link("arm"),
        "<link name='tool'/>".to_string(),
        joint("a", "fixed", "base_link", "body", "<origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/>"),
        joint("b", "fixed", "base_link", "imu", "<origin xyz='1 0 1'/>"),
        joint("c", "continuous", "imu", "arm", "<origin xyz='0 0 1'/>"),
        joint("d", "fixed", "arm", "tool", "<origin xyz='0 0 0.5'/>"),
    ];
    let imported = import_floating(&robot(&parts)).unwrap();
    let names: Vec<&str> = imported.scene.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["body", "arm"]);
    let body = &imported.scene.bodies[0];
    assert_eq!(body.position, DVec3::Z);
    // The sphere is at 1 m along x of base_link, which is -y of the body.
    assert!((body.shapes[0].position - DVec3::NEG_Y).length() < 1e-15);
    let sites: Vec<(&str, Option<&str>)> =
        imported.scene.sites.iter().map(|site| (site.name.as_str(), site.body.as_deref())).collect();
    assert_eq!(sites, [("base_link", Some("body")), ("imu", Some("body")), ("tool", Some("arm"))]);
    let observed = observe(&imported.scene);
    assert!((observed["arm"].center_of_mass - DVec3::new(1.0, 0.0, 2.0)).length() < 1e-15);
}

#[test]
fn massless_links_between_joints_become_axes() {
    let parts = [
        link("base"),
        "<link name='between'/>".to_string(),
        link("arm"),
        joint("a", "continuous", "base", "between", "<origin xyz='0 0 1'/><axis xyz='0 0 1'/>"),
        joint("b", "continuous", "between", "arm", "<origin xyz='0.5 0 0'/><axis xyz='0 1 0'/>"),
    ];
    let imported = import(&parts);
    let joint = body(&imported, "arm").joint.as_ref().unwrap();
    let JointKind::Universal(pair) = &joint.kind else { panic!("{joint:?}") };
    assert_eq!((pair.first.axis, pair.first.anchor), (DVec3::Z, DVec3::ZERO));
    assert_eq!((pair.second.axis, pair.second.anchor), (DVec3::Y, DVec3::new(0.5, 0.0, 0.0)));
    assert_eq!(joint.in_parent.position, DVec3::Z);
    assert_eq!(joint.in_child.position, DVec3::new(-0.5, 0.0, 0.0));
}

#[test]
fn point_masses_are_added_to_the_body_they_are_fixed_to() {
    let point = "<link name='p'><inertial><origin xyz='0 0 1'/><mass value='2'/>
        <inertia ixx='0' iyy='0' izz='0'/></inertial></link>";
    let parts = [
        link("base"),
        link("arm"),
        point.to_string(),
        joint("a", "continuous", "base", "arm", ""),
        joint("b", "fixed", "arm", "p", ""),
    ];
    let imported = import(&parts);
    let arm = body(&imported, "arm");
    assert_eq!((arm.mass, arm.center_of_mass), (Some(4.0), Some(DVec3::new(0.0, 0.0, 0.5))));
    // Each of the two masses of 2 kg is 0.5 m from the centre of mass: 2 * 2 * 0.25 = 1 about x and y.
    assert_eq!(arm.inertia, [1.1, 1.2, 0.25]);
}

#[test]
fn impossible_inertias_are_repaired() {
    let text = |moments: &str, shapes: &str| {
        format!("<link name='a'><inertial><mass value='2'/><inertia {moments}/></inertial>{shapes}</link>")
    };
    let ball = "<collision><geometry><sphere radius='0.5'/></geometry></collision>";
    // A plate with rounded numbers: the largest moment is the sum of the others.
    let plate = import_floating(&robot(&[text("ixx='1' iyy='1' izz='2.001'", "")])).unwrap();
    let inertia = &body(&plate, "a").inertia;
    assert!((inertia[2] - inertia[0] - inertia[1]).abs() < 1e-12 && (inertia[2] - 2.001).abs() < 1e-3, "{inertia:?}");
    // Far from possible: the inertia of a sphere of 2 kg, 0.4 m r^2, is used.
    let replaced = import_floating(&robot(&[text("ixx='1' iyy='1' izz='0'", ball)])).unwrap();
    let observed = &observe(&replaced.scene)["a"];
    assert!((observed.mass - 2.0).abs() < 1e-12 && (observed.inertia.x_axis.x - 0.2).abs() < 1e-12);
    assert_eq!((plate.warnings.len(), replaced.warnings.len()), (1, 1));
}

#[test]
fn transmissions_become_actuators() {
    let transmission = "<transmission name='t'><type>x</type><joint name='j'/><actuator name='m'>
        <mechanicalReduction>50</mechanicalReduction></actuator></transmission>";
    let limit = "<limit lower='-1' upper='1' effort='7' velocity='1e9'/>";
    let parts = [link("base"), link("arm"), joint("j", "revolute", "base", "arm", limit), transmission.to_string()];
    let imported = import(&parts);
    let expected = ActuatorSpec { force_range: Some([-7.0, 7.0]), ..ActuatorSpec::motor("m", "arm", 0) };
    assert_eq!(imported.scene.actuators, [expected]);
    assert!(imported.warnings.is_empty(), "{:?}", imported.warnings);
}

#[test]
fn connected_links_never_collide() {
    let ball = |name: &str| {
        format!("<link name='{name}'>{MASS}<collision><geometry><sphere radius='1'/></geometry></collision></link>")
    };
    let parts = [
        ball("base"),
        ball("mount"),
        ball("arm"),
        ball("hand"),
        joint("a", "fixed", "base", "mount", "<origin xyz='0 0 0.5'/>"),
        joint("b", "continuous", "mount", "arm", "<origin xyz='0 0 0.5'/>"),
        joint("c", "continuous", "arm", "hand", "<origin xyz='0 0 3'/>"),
    ];
    let imported = import(&parts);
    let pair = |a: &str, b: &str| [a.to_string(), b.to_string()];
    assert_eq!(imported.scene.exclusions, [pair("base", "arm"), pair("mount", "arm")]);
    let mut run = imported.scene.run(".", &Default::default()).unwrap();
    run.simulation.run(0.01).unwrap();
    // Contacts between a hand and a mount that overlap at the start are excluded with a warning.
    let mut parts = parts.to_vec();
    parts[6] = joint("c", "continuous", "arm", "hand", "<origin xyz='0 0 0.1'/>");
    let imported = import(&parts);
    assert_eq!(imported.scene.exclusions[2..], [pair("base", "hand"), pair("mount", "hand")]);
    assert_eq!(kinds(&imported), ["links that overlap at the start; contacts between them are excluded"]);
    imported.scene.run(".", &Default::default()).unwrap();
}

#[test]
fn unsupported_elements_give_one_warning_each() {
    let extra = "<gazebo/><gazebo reference='a'/><ros2_control/><whatever/><mujoco/>";
    let rest = "<safety_controller k_velocity='1'/><calibration/><limit effort='0' velocity='2' lower='1' upper='-1'/>";
    let parts = [link("a"), link("b"), joint("j", "revolute", "a", "b", rest), extra.to_string()];
    let imported = import(&parts);
    assert_eq!(
        kinds(&imported),
        [
            "extensions for Gazebo (gazebo)",
            "<ros2_control>",
            "<whatever>, which is not an element of URDF",
            "safety controllers (safety_controller)",
            "calibrations of joints (calibration)",
            "empty ranges of <limit>; the joint is unlimited",
            "an effort limit of 0; the effort is unlimited",
            "velocity limits (velocity)",
        ]
    );
    assert_eq!(axes(body(&imported, "b"))[0].limit, None);
    let strict = ImportOptions { strict: true, ..ImportOptions::default() };
    assert!(urdf::import_text(&robot(&parts), "robot.urdf", &strict).is_err());
}

#[test]
fn a_root_called_world_is_the_world() {
    let parts = ["<link name='world'/>".to_string(), link("a"), joint("j", "continuous", "world", "a", "")];
    let imported = import(&parts);
    assert_eq!((imported.scene.bodies.len(), imported.scene.sites.len()), (1, 0));
    assert_eq!(imported.scene.bodies[0].joint.as_ref().unwrap().parent, None);
}

#[test]
fn errors_name_their_line() {
    let two = |rest: &str| vec![link("a"), link("b"), rest.to_string()];
    let mimic = joint("j", "continuous", "a", "b", "\n<mimic joint='k'/>");
    let message = import_error(&two(&mimic));
    assert!(message.starts_with("robot.urdf:5: <mimic>: joint 'j' mimics 'k'"), "{message}");
    let cases = [
        (two(""), "robot.urdf:3: <link>: there are two root links, 'a' (line 2) and 'b'"),
        (two(&joint("j", "hinge", "a", "b", "")), "robot.urdf:4: <joint>: type must be one of revolute"),
        (two(&joint("j", "fixed", "a", "c", "")), "robot.urdf:4: <child>: there is no link called 'c'"),
        (two("<joint name='j' type='fixed'/>"), "robot.urdf:4: <joint>: has no <parent>"),
        (vec![link("a"), link("a")], "robot.urdf:3: <link>: there is another link called 'a'"),
        (vec!["<link/>".to_string()], "robot.urdf:2: <link>: has no attribute 'name'"),
        (vec![], "robot.urdf:1: <robot>: has no links"),
        (
            two(&joint("j", "continuous", "a", "b", "<axis xyz='0 0 0'/>")),
            "robot.urdf:4: <axis>: xyz must be a vector that is not zero",
        ),
        (
            two(&(joint("j", "fixed", "a", "b", "") + &joint("k", "fixed", "b", "b", ""))),
            "robot.urdf:4: <joint>: link 'b' is the child of joint 'k' and of joint 'j'",
        ),
        (
            vec![link("a"), "<link name='b'/>".to_string(), joint("j", "continuous", "a", "b", "")],
            "robot.urdf:3: <link>: link 'b' has no inertia, but moves on joint 'j' without another link",
        ),
    ];
    for (parts, expected) in cases {
        let message = import_error(&parts);
        assert!(message.starts_with(expected), "{message}");
    }
    let cycle = [link("a"), link("b"), link("c"), joint("j", "fixed", "b", "c", ""), joint("k", "fixed", "c", "b", "")];
    let message = import_error(&cycle);
    assert!(message.starts_with("robot.urdf:5: <joint>: the joints above link 'c' form a cycle"), "{message}");
    // One joint has at most six axes.
    let mut chain = vec![link("l0")];
    for index in 1..=8 {
        chain.push(if index == 8 { link("l8") } else { format!("<link name='l{index}'/>") });
        let (above, below) = (format!("l{}", index - 1), format!("l{index}"));
        chain.push(joint(&format!("j{index}"), "continuous", &above, &below, ""));
    }
    let message = import_error(&chain);
    assert!(message.contains("more than six axes"), "{message}");
}
