//! Small files, written by hand, with numbers that can be checked by hand.

use std::f64::consts::FRAC_PI_2;

use burgess_formats::import::{ImportOptions, Imported};
use burgess_formats::urdf;
use burgess_scene::spec::*;
use glam::{DQuat, DVec3};

use super::support::{self, axes, import_floating, look};

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

fn refuse(parts: &[String]) -> String {
    support::import(&robot(parts)).unwrap_err().to_string()
}

fn body<'a>(imported: &'a Imported, name: &str) -> &'a BodySpec {
    &imported.scene.bodies[imported.scene.body_index(name).unwrap()]
}

fn kinds(imported: &Imported) -> Vec<&str> {
    imported.warnings.iter().map(|warning| warning.kind.as_str()).collect()
}

#[test]
fn a_hinge_with_everything() {
    let hinge = "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><axis xyz='0 0 2'/>
        <limit lower='-1' upper='0.5' effort='30' velocity='4'/><dynamics damping='0.7' friction='0.2'/>";
    let made = import(&[link("base"), link("arm"), joint("j", "revolute", "base", "arm", hinge)]);
    let base = body(&made, "base");
    assert!(base.fixed && base.mass.is_none());
    let arm = body(&made, "arm");
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
    assert_eq!(kinds(&made), ["limits of velocity"]);
    assert!(made.warnings[0].to_string().contains("robot.urdf:5"), "{}", made.warnings[0]);
}

#[test]
fn inertias_are_turned_into_the_links_axes() {
    // Turned by a quarter about z, x and y change places: I = R diag(1, 2, 2.5) R^T.
    let text = "<link name='a'><inertial><origin xyz='0.1 0 0' rpy='0 0 1.5707963267948966'/><mass value='3'/>
        <inertia ixx='1' ixy='0.5' ixz='0' iyy='2' iyz='0' izz='2.5'/></inertial></link>";
    let made = import_floating(&robot(&[text.to_string()])).unwrap();
    let body = body(&made, "a");
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
    let made = import(&parts);
    let kind = |name: &str| body(&made, name).joint.as_ref().map(|joint| joint.kind.clone());
    assert_eq!(kind("continuous"), Some(JointKind::Revolute(AxisSpec::new(DVec3::X))));
    let Some(JointKind::Prismatic(slide)) = kind("prismatic") else { panic!() };
    // Zero is out of reach, so it starts as near as it can.
    assert_eq!((slide.limit, slide.position), (Some([0.1, 2.0]), 0.1));
    assert_eq!(kind("fixed"), Some(JointKind::Weld(WeldJoint {})));
    assert_eq!((kind("floating"), body(&made, "floating").position), (None, DVec3::Z));
    let Some(JointKind::Stack(planar)) = kind("planar") else { panic!() };
    let slide = |axis| StackAxisSpec::Slide(AxisSpec::new(axis));
    assert_eq!(planar.axes, [slide(DVec3::Y), slide(DVec3::Z), StackAxisSpec::Hinge(AxisSpec::new(DVec3::X))]);
    assert!(matches!(kind("spherical"), Some(JointKind::Spherical(_))));
    made.scene.build(".").unwrap();
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
        <link name='seen'><visual><geometry><sphere radius='1'/></geometry><material name='blue'/></visual></link>";
    let made = import(&[text.to_string(), joint("j", "fixed", "a", "seen", "<origin xyz='0 0 9'/>")]);
    let a = body(&made, "a");
    assert_eq!(a.color, Some(DVec3::X));
    assert_eq!(a.shapes.len(), 3);
    assert_eq!(a.shapes[0], ShapeSpec::cuboid(DVec3::new(1.0, 2.0, 3.0)));
    assert_eq!(a.shapes[1], ShapeSpec::sphere(0.5).at(DVec3::X).colored(DVec3::Z));
    let ShapeKind::Cylinder(cylinder) = &a.shapes[2].kind else { panic!() };
    assert_eq!((cylinder.radius, cylinder.length), (0.1, 4.0));
    let seen = body(&made, "seen");
    assert_eq!((seen.color, seen.shapes[0].mask), (Some(DVec3::Z), 0));
    assert!(made.warnings.is_empty(), "{:?}", made.warnings);
}

#[test]
fn frames_without_mass_belong_to_the_body_that_carries_them() {
    // base_link and imu have no mass; body is where the mass is. tool is a frame on the arm's tip.
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
    let made = import_floating(&robot(&parts)).unwrap();
    let names: Vec<&str> = made.scene.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["body", "arm"]);
    let body = &made.scene.bodies[0];
    assert_eq!(body.position, DVec3::Z);
    // The ball is 1 m along x of base_link, which is -y of the body.
    assert!((body.shapes[0].position - DVec3::NEG_Y).length() < 1e-15);
    let sites: Vec<(&str, Option<&str>)> =
        made.scene.sites.iter().map(|site| (site.name.as_str(), site.body.as_deref())).collect();
    assert_eq!(sites, [("base_link", Some("body")), ("imu", Some("body")), ("tool", Some("arm"))]);
    let seen = look(&made.scene);
    assert!((seen["arm"].center_of_mass - DVec3::new(1.0, 0.0, 2.0)).length() < 1e-15);
}

#[test]
fn links_without_mass_between_joints_become_axes() {
    let parts = [
        link("base"),
        "<link name='between'/>".to_string(),
        link("arm"),
        joint("a", "continuous", "base", "between", "<origin xyz='0 0 1'/><axis xyz='0 0 1'/>"),
        joint("b", "continuous", "between", "arm", "<origin xyz='0.5 0 0'/><axis xyz='0 1 0'/>"),
    ];
    let made = import(&parts);
    let joint = body(&made, "arm").joint.as_ref().unwrap();
    let JointKind::Universal(pair) = &joint.kind else { panic!("{joint:?}") };
    assert_eq!((pair.first.axis, pair.first.anchor), (DVec3::Z, DVec3::ZERO));
    assert_eq!((pair.second.axis, pair.second.anchor), (DVec3::Y, DVec3::new(0.5, 0.0, 0.0)));
    assert_eq!(joint.in_parent.position, DVec3::Z);
    assert_eq!(joint.in_child.position, DVec3::new(-0.5, 0.0, 0.0));
}

#[test]
fn points_of_mass_are_added_to_what_they_are_fixed_to() {
    let point = "<link name='p'><inertial><origin xyz='0 0 1'/><mass value='2'/>
        <inertia ixx='0' iyy='0' izz='0'/></inertial></link>";
    let parts = [
        link("base"),
        link("arm"),
        point.to_string(),
        joint("a", "continuous", "base", "arm", ""),
        joint("b", "fixed", "arm", "p", ""),
    ];
    let made = import(&parts);
    let arm = body(&made, "arm");
    assert_eq!((arm.mass, arm.center_of_mass), (Some(4.0), Some(DVec3::new(0.0, 0.0, 0.5))));
    // Each of the two masses of 2 kg is 0.5 m from the middle: 2 * 2 * 0.25 = 1 about x and y.
    assert_eq!(arm.inertia, [1.1, 1.2, 0.25]);
}

#[test]
fn inertias_that_no_body_has_are_mended() {
    let text = |moments: &str, shapes: &str| {
        format!("<link name='a'><inertial><mass value='2'/><inertia {moments}/></inertial>{shapes}</link>")
    };
    let ball = "<collision><geometry><sphere radius='0.5'/></geometry></collision>";
    // A plate, rounded: the largest moment is the sum of the others.
    let plate = import_floating(&robot(&[text("ixx='1' iyy='1' izz='2.001'", "")])).unwrap();
    let inertia = &body(&plate, "a").inertia;
    assert!((inertia[2] - inertia[0] - inertia[1]).abs() < 1e-12 && (inertia[2] - 2.001).abs() < 1e-3, "{inertia:?}");
    // Nonsense: a ball of 2 kg has 0.4 m r^2 instead.
    let nonsense = import_floating(&robot(&[text("ixx='1' iyy='1' izz='0'", ball)])).unwrap();
    let seen = &look(&nonsense.scene)["a"];
    assert!((seen.mass - 2.0).abs() < 1e-12 && (seen.inertia.x_axis.x - 0.2).abs() < 1e-12);
    assert_eq!((plate.warnings.len(), nonsense.warnings.len()), (1, 1));
}

#[test]
fn transmissions_become_motors() {
    let drive = "<transmission name='t'><type>x</type><joint name='j'/><actuator name='m'>
        <mechanicalReduction>50</mechanicalReduction></actuator></transmission>";
    let limit = "<limit lower='-1' upper='1' effort='7' velocity='1e9'/>";
    let parts = [link("base"), link("arm"), joint("j", "revolute", "base", "arm", limit), drive.to_string()];
    let made = import(&parts);
    let expected = ActuatorSpec { force_range: Some([-7.0, 7.0]), ..ActuatorSpec::motor("m", "arm", 0) };
    assert_eq!(made.scene.actuators, [expected]);
    assert!(made.warnings.is_empty(), "{:?}", made.warnings);
}

#[test]
fn neighbours_never_touch() {
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
    let made = import(&parts);
    let pair = |a: &str, b: &str| [a.to_string(), b.to_string()];
    assert_eq!(made.scene.exclusions, [pair("base", "arm"), pair("mount", "arm")]);
    let mut run = made.scene.run(".", &Default::default()).unwrap();
    run.simulation.run(0.01).unwrap();
    // A hand that starts inside the mount passes through it, and somebody is told.
    let mut parts = parts.to_vec();
    parts[6] = joint("c", "continuous", "arm", "hand", "<origin xyz='0 0 0.1'/>");
    let made = import(&parts);
    assert_eq!(made.scene.exclusions[2..], [pair("base", "hand"), pair("mount", "hand")]);
    assert_eq!(kinds(&made), ["links that start inside others: those pairs pass through each other"]);
    made.scene.run(".", &Default::default()).unwrap();
}

#[test]
fn what_other_programs_need_is_told_once() {
    let extra = "<gazebo/><gazebo reference='a'/><ros2_control/><whatever/><mujoco/>";
    let rest = "<safety_controller k_velocity='1'/><calibration/><limit effort='0' velocity='2' lower='1' upper='-1'/>";
    let parts = [link("a"), link("b"), joint("j", "revolute", "a", "b", rest), extra.to_string()];
    let made = import(&parts);
    assert_eq!(
        kinds(&made),
        [
            "extensions for Gazebo",
            "<ros2_control>",
            "<whatever>, which is no element of URDF",
            "safety controllers",
            "calibration",
            "limits that leave no room: the joint moves without limits",
            "an effort of 0: the joint's drive is not limited",
            "limits of velocity",
        ]
    );
    assert_eq!(axes(body(&made, "b"))[0].limit, None);
    let strict = ImportOptions { strict: true, ..ImportOptions::default() };
    assert!(urdf::import_text(&robot(&parts), "robot.urdf", &strict).is_err());
}

#[test]
fn a_root_called_world_is_the_world() {
    let parts = ["<link name='world'/>".to_string(), link("a"), joint("j", "continuous", "world", "a", "")];
    let made = import(&parts);
    assert_eq!((made.scene.bodies.len(), made.scene.sites.len()), (1, 0));
    assert_eq!(made.scene.bodies[0].joint.as_ref().unwrap().parent, None);
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let two = |rest: &str| vec![link("a"), link("b"), rest.to_string()];
    let mimic = joint("j", "continuous", "a", "b", "\n<mimic joint='k'/>");
    let sentence = refuse(&two(&mimic));
    assert!(sentence.starts_with("robot.urdf:5: <mimic>: joint 'j' mimics 'k'"), "{sentence}");
    let cases = [
        (two(""), "robot.urdf:3: <link>: there are two roots, 'a' (line 2) and 'b'"),
        (two(&joint("j", "hinge", "a", "b", "")), "robot.urdf:4: <joint>: type must be one of revolute"),
        (two(&joint("j", "fixed", "a", "c", "")), "robot.urdf:4: <child>: there is no link called 'c'"),
        (two("<joint name='j' type='fixed'/>"), "robot.urdf:4: <joint>: has no <parent>"),
        (vec![link("a"), link("a")], "robot.urdf:3: <link>: there is another link called 'a'"),
        (vec!["<link/>".to_string()], "robot.urdf:2: <link>: has no attribute 'name'"),
        (vec![], "robot.urdf:1: <robot>: there are no links"),
        (
            two(&joint("j", "continuous", "a", "b", "<axis xyz='0 0 0'/>")),
            "robot.urdf:4: <axis>: xyz must be a direction",
        ),
        (
            two(&(joint("j", "fixed", "a", "b", "") + &joint("k", "fixed", "b", "b", ""))),
            "robot.urdf:4: <joint>: 'b' is the child of joint 'k', but of joint 'j' already",
        ),
        (
            vec![link("a"), "<link name='b'/>".to_string(), joint("j", "continuous", "a", "b", "")],
            "robot.urdf:3: <link>: link 'b' has no inertia, but would move alone on joint 'j'",
        ),
    ];
    for (parts, expected) in cases {
        let sentence = refuse(&parts);
        assert!(sentence.starts_with(expected), "{sentence}");
    }
    let circle =
        [link("a"), link("b"), link("c"), joint("j", "fixed", "b", "c", ""), joint("k", "fixed", "c", "b", "")];
    let sentence = refuse(&circle);
    assert!(sentence.starts_with("robot.urdf:5: <joint>: link 'c' hangs on itself"), "{sentence}");
    // Six axes are the most that are one joint.
    let mut chain = vec![link("l0")];
    for index in 1..=8 {
        chain.push(if index == 8 { link("l8") } else { format!("<link name='l{index}'/>") });
        let (above, below) = (format!("l{}", index - 1), format!("l{index}"));
        chain.push(joint(&format!("j{index}"), "continuous", &above, &below, ""));
    }
    let sentence = refuse(&chain);
    assert!(sentence.contains("more than six axes"), "{sentence}");
}
