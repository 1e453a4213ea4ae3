//! The builder rejects links that are not physical and gives their names. When links are added and removed, the others
//! keep their state.

use burgess_dynamics::{
    Axis, AxisKind, AxisProperties, JointSpec, LinkSpec, Model, ModelBuilder, ModelError, Motor, State, Workspace,
    update_kinematics,
};
use burgess_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};

fn good(name: &str) -> LinkSpec {
    LinkSpec::new(name, 1.0, DVec3::new(0.1, 0.0, 0.0), DMat3::from_diagonal(DVec3::new(1.0, 1.2, 0.9)))
}

fn one(joint: JointSpec, link: LinkSpec) -> Result<Model, ModelError> {
    let mut builder = ModelBuilder::new();
    builder.add_link(None, joint, link);
    builder.build()
}

/// Asserts that the message contains the link's name and this word.
fn refused(result: Result<Model, ModelError>, word: &str) {
    let message = result.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(message.contains("leg") && message.contains(word), "'{message}' should speak of the leg and of '{word}'");
}

#[test]
fn masses_and_inertias_that_no_body_has_are_refused() {
    let with = |change: fn(&mut LinkSpec)| {
        let mut link = good("leg");
        change(&mut link);
        one(JointSpec::weld(), link)
    };
    assert!(with(|_| ()).is_ok());
    refused(with(|l| l.mass = 0.0), "mass");
    refused(with(|l| l.mass = -1.0), "mass");
    refused(with(|l| l.mass = f64::NAN), "mass");
    refused(with(|l| l.center_of_mass.y = f64::INFINITY), "centre of mass");
    refused(with(|l| l.inertia.x_axis.x = f64::NAN), "inertia");
    refused(with(|l| l.inertia.x_axis.x = -1.0), "inertia");
    refused(with(|l| l.inertia.x_axis.y = 0.5), "symmetric");
    refused(with(|l| l.inertia.x_axis.x = 2.2), "triangle");
    // A needle is just allowed: two equal moments, and one of nearly zero.
    assert!(with(|l| l.inertia = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 1e-9))).is_ok());
}

#[test]
fn joints_that_make_no_sense_are_refused() {
    let with = |properties| one(JointSpec::revolute(DVec3::X).with(properties), good("leg"));
    let default = AxisProperties::default();
    assert!(with(default).is_ok());
    refused(with(AxisProperties { limit: Some((1.0, -1.0)), ..default }), "wrong order");
    refused(with(AxisProperties { limit: Some((f64::NAN, 1.0)), ..default }), "wrong order");
    refused(with(AxisProperties { damping: -1.0, ..default }), "damping");
    refused(with(AxisProperties { armature: f64::NAN, ..default }), "armature");
    refused(with(AxisProperties { motor: Motor::Velocity { target: 0.0, gain: -1.0 }, ..default }), "gain");
    refused(with(AxisProperties { motor: Motor::Effort(f64::NAN), ..default }), "motor");
    refused(with(AxisProperties { stiffness: f64::INFINITY, ..default }), "not finite");
    assert!(with(AxisProperties { limit: Some((-20.0, 30.0)), ..default }).is_ok(), "limits past full turns are fine");
    refused(one(JointSpec::revolute(DVec3::ZERO), good("leg")), "length zero");
    refused(one(JointSpec::prismatic(DVec3::new(f64::NAN, 0.0, 1.0)), good("leg")), "not finite");
    refused(one(JointSpec::stack(Vec::new()), good("leg")), "one to six");
    let axis = Axis { kind: AxisKind::Hinge, direction: DVec3::X, anchor: DVec3::ZERO, properties: default };
    refused(one(JointSpec::stack(vec![axis; 7]), good("leg")), "one to six");
    refused(one(JointSpec::universal(DVec3::X, DVec3::X), good("leg")), "independent");
    let slides = [(AxisKind::Slide, DVec3::X), (AxisKind::Slide, DVec3::NEG_X)];
    refused(one(JointSpec::compound(slides), good("leg")), "independent");
    // Axes that are dependent at zero only, like Euler angles about z, y and z, are allowed. Four hinges are allowed
    // only with armature.
    let hinges = |axes: &[DVec3]| JointSpec::compound(axes.iter().map(|a| (AxisKind::Hinge, *a)));
    assert!(one(hinges(&[DVec3::Z, DVec3::Y, DVec3::Z]), good("leg")).is_ok());
    let four = hinges(&[DVec3::Z, DVec3::Y, DVec3::Z, DVec3::X]);
    refused(one(four.clone(), good("leg")), "independent");
    assert!(one(four.with(AxisProperties { armature: 0.1, ..default }), good("leg")).is_ok());
    let broken = Pose::new(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DVec3::ZERO);
    refused(one(JointSpec::weld().in_parent(broken), good("leg")), "frame");
    let mut builder = ModelBuilder::new();
    let trunk = builder.add_link(None, JointSpec::free(), good("trunk"));
    builder.add_link(Some(trunk), JointSpec::free(), good("leg"));
    refused(builder.build(), "roots only");
}

#[test]
fn cycles_and_missing_parents_are_refused() {
    let mut builder = ModelBuilder::new();
    let trunk = builder.add_link(None, JointSpec::free(), good("trunk"));
    let leg = builder.add_link(Some(trunk), JointSpec::revolute(DVec3::X), good("leg"));
    let foot = builder.add_link(Some(leg), JointSpec::revolute(DVec3::X), good("foot"));
    let mut cyclic = builder.clone();
    cyclic.set_parent(leg, Some(foot)).unwrap();
    refused(cyclic.build(), "cycle");
    let mut orphaned = builder.clone();
    let stranger = orphaned.add_link(None, JointSpec::weld(), good("stranger"));
    orphaned.remove(stranger).unwrap();
    orphaned.set_parent(leg, Some(stranger)).unwrap();
    refused(orphaned.build(), "parent");
    assert_eq!(builder.remove(stranger), Err(ModelError::UnknownLink));
}

#[test]
fn other_links_keep_state_and_id_when_links_are_added_and_removed() {
    let mut builder = ModelBuilder::new();
    let trunk = builder.add_link(None, JointSpec::free(), good("trunk"));
    let left = builder.add_link(Some(trunk), JointSpec::spherical(), good("left"));
    let foot = builder.add_link(Some(left), JointSpec::revolute(DVec3::X), good("foot"));
    let mut hip = JointSpec::universal(DVec3::X, DVec3::Y);
    hip.properties_mut()[0].stiffness = 7.0;
    let right = builder.add_link(Some(trunk), hip, good("right"));
    builder.gravity(DVec3::new(0.0, 0.0, -1.62));
    let old = builder.build().unwrap();
    let mut state = State::new(&old);
    for (k, q) in state.q.iter_mut().enumerate() {
        *q += 0.1 * k as f64;
    }
    for (k, v) in state.v.iter_mut().enumerate() {
        *v = 1.0 + k as f64;
    }
    state.time = 2.5;

    // The left leg is removed, with its foot; a ball is added, and takes a free slot.
    builder.remove(left).unwrap();
    let ball = builder.add_link(None, JointSpec::free(), good("ball"));
    let new = builder.build().unwrap();
    assert_eq!((old.links().len(), old.name(old.index(left).unwrap())), (4, "left"), "a built model does not change");
    assert!(new.index(left).is_err() && new.index(foot).is_err(), "ids of removed links must not refer to new links");
    assert_eq!(new.links().len(), 3);
    let carried = new.carry_over(&old, &state);
    for id in [trunk, right] {
        let (a, b) = (&old.links()[old.index(id).unwrap()], &new.links()[new.index(id).unwrap()]);
        assert_eq!(state.v[a.v..a.v + a.dofs as usize], carried.v[b.v..b.v + b.dofs as usize]);
        assert_eq!(state.q[a.q], carried.q[b.q]);
    }
    assert_eq!(carried.time, 2.5);
    assert_eq!(new.gravity, DVec3::new(0.0, 0.0, -1.62), "the builder keeps gravity and properties");
    assert_eq!(new.properties()[new.links()[new.index(right).unwrap()].v].stiffness, 7.0);
    let ball = new.index(ball).unwrap();
    assert_eq!(new.name(ball), "ball");
    let mut workspace = Workspace::new(&new);
    update_kinematics(&new, &carried, &mut workspace);
    assert!(workspace.pose(&new, ball).translation.length() < 1e-15, "a new link starts at the origin");
}

#[test]
fn the_pose_of_a_free_link_is_that_of_its_own_frame() {
    let model = one(JointSpec::free(), good("body")).unwrap();
    let mut state = State::new(&model);
    let pose = Pose::new(DQuat::from_scaled_axis(DVec3::new(0.3, -0.4, 1.2)), DVec3::new(3.0, -2.0, 1.0));
    state.set_free_pose(&model, 0, &pose);
    let mut workspace = Workspace::new(&model);
    update_kinematics(&model, &state, &mut workspace);
    let found = workspace.pose(&model, 0);
    assert!((found.translation - pose.translation).length() < 1e-14);
    assert!((found.rotation.dot(pose.rotation).abs() - 1.0).abs() < 1e-14);
}
