//! Compares imported models with MuJoCo. `bench/peers/mjcf_reference.py` writes the `.toml` files beside the models.

use std::collections::BTreeSet;

use burgess_dynamics::{State, Workspace, update_kinematics};
use burgess_formats::import::ImportOptions;
use burgess_formats::mjcf::{self, MappedKind, MjcfModel};
use burgess_geometry::Pose;
use burgess_scene::RunOptions;
use burgess_scene::spec::{BodySpec, SceneSpec, ShapeKind, ShapeSpec};
use glam::{DMat3, DVec3};
use serde::Deserialize;

use super::model_path;

#[derive(Deserialize)]
struct Reference {
    bodies: Vec<Body>,
    #[serde(default)]
    shapes: Vec<Shape>,
    #[serde(default)]
    contacts: Vec<Contact>,
    #[serde(default)]
    drives: Vec<Drive>,
    moments: Vec<Moment>,
}

#[derive(Deserialize)]
struct Body {
    name: String,
    mass: f64,
    center: DVec3,
    inertia: [f64; 6],
}

#[derive(Deserialize)]
struct Shape {
    body: usize,
    margin: f64,
    position: Option<DVec3>,
    rotation: Option<[f64; 9]>,
    #[serde(default)]
    size: Vec<f64>,
    low: Option<DVec3>,
    high: Option<DVec3>,
}

#[derive(Deserialize)]
struct Contact {
    shapes: [usize; 2],
    friction: f64,
}

#[derive(Deserialize)]
struct Drive {
    index: usize,
    gear: [f64; 3],
    gain: f64,
    bias: [f64; 3],
    control_range: Option<[f64; 2]>,
    force_range: Option<[f64; 2]>,
}

#[derive(Deserialize)]
struct Moment {
    keyframe: Option<String>,
    qpos: Vec<f64>,
    qvel: Vec<f64>,
    ctrl: Vec<f64>,
    positions: Vec<DVec3>,
    rotations: Vec<[f64; 9]>,
    centers: Vec<DVec3>,
    velocities: Vec<[f64; 6]>,
    acceleration: Vec<f64>,
}

fn near(what: &str, ours: f64, theirs: f64, tolerance: f64) {
    assert!((ours - theirs).abs() <= tolerance * theirs.abs().max(1.0), "{what}: found {ours}, expected {theirs}");
}

fn near_vector(what: &str, ours: DVec3, theirs: DVec3, tolerance: f64) {
    assert!(
        (ours - theirs).length() <= tolerance * theirs.length().max(1.0),
        "{what}: found {ours}, expected {theirs}"
    );
}

fn near_rotation(what: &str, ours: DMat3, theirs: &[f64; 9], tolerance: f64) {
    let theirs = DMat3::from_cols_array(theirs).transpose();
    let apart = (ours - theirs).to_cols_array().into_iter().fold(0.0, |most: f64, part| most.max(part.abs()));
    assert!(apart <= tolerance, "{what}: found {ours}, expected {theirs}");
}

fn load(name: &str) -> (MjcfModel, Reference) {
    let model = mjcf::import_file(model_path(&format!("{name}.xml")), &ImportOptions::default());
    let text = std::fs::read_to_string(model_path(&format!("{name}.toml"))).unwrap();
    (model.unwrap_or_else(|error| panic!("{error}")), toml::from_str(&text).unwrap())
}

/// Compares all properties of a model. Meshes have single precision in MuJoCo.
fn compare(name: &str, tolerance: f64) {
    let (model, reference) = load(name);
    assert_eq!(model.warnings, []);
    compare_masses(&model.scene, &reference, tolerance);
    let shapes = compare_shapes(&model.scene, &reference, tolerance);
    compare_contacts(&model.scene, &shapes, &reference);
    compare_drives(&model, &reference);
    compare_motion(&model, &reference, tolerance);
    // The scene survives a round trip through its file format.
    let text = model.scene.to_toml().unwrap();
    assert_eq!(SceneSpec::from_toml(&text, "scene.toml").unwrap(), model.scene);
}

/// Compares the bodies in MuJoCo's order, without the world.
fn bodies(scene: &SceneSpec) -> impl Iterator<Item = &BodySpec> {
    scene.bodies.iter().filter(|body| body.name != "world")
}

fn compare_masses(scene: &SceneSpec, reference: &Reference, tolerance: f64) {
    assert_eq!(bodies(scene).count(), reference.bodies.len());
    for (ours, theirs) in bodies(scene).zip(&reference.bodies) {
        if !theirs.name.is_empty() {
            assert_eq!(ours.name, theirs.name);
        }
        if ours.fixed {
            continue;
        }
        near(&ours.name, ours.mass.unwrap(), theirs.mass, tolerance);
        if theirs.mass > 0.0 {
            near_vector(&ours.name, ours.center_of_mass.unwrap(), theirs.center, tolerance);
            let six = ours.inertia.iter().copied().chain([0.0; 3]);
            for (ours, theirs) in six.zip(theirs.inertia) {
                near("inertia", ours, theirs, tolerance);
            }
        }
    }
}

fn compare_shapes<'a>(scene: &'a SceneSpec, reference: &Reference, tolerance: f64) -> Vec<&'a ShapeSpec> {
    let has_world = scene.bodies.iter().any(|body| body.name == "world");
    let place = |index: usize| index + usize::from(!has_world);
    let all = scene.bodies.iter().enumerate().flat_map(|(index, body)| body.shapes.iter().map(move |s| (index, s)));
    let shapes: Vec<_> = all.collect();
    assert_eq!(shapes.len(), reference.shapes.len());
    for ((body, ours), theirs) in shapes.iter().zip(&reference.shapes) {
        assert_eq!(place(*body), theirs.body);
        if ours.mask != 0 {
            near("margin", ours.margin, theirs.margin, tolerance);
        }
        let pose = Pose::new(ours.orientation.rotation().unwrap(), ours.position);
        if let (Some(position), Some(rotation)) = (theirs.position, &theirs.rotation) {
            near_vector("position", ours.position, position, tolerance);
            near_rotation("rotation", pose.matrix(), rotation, tolerance);
        }
        let size = match &ours.kind {
            ShapeKind::Sphere(ball) => vec![ball.radius],
            ShapeKind::Capsule(round) | ShapeKind::Cylinder(round) => vec![round.radius, 0.5 * round.length],
            ShapeKind::Ellipsoid(ellipsoid) => ellipsoid.semi_axes.to_array().to_vec(),
            ShapeKind::Box(block) => (0.5 * block.size).to_array().to_vec(),
            ShapeKind::HeightField(field) => {
                let half = 0.5 * field.size;
                [half.x, half.y, field.depth.unwrap()].into_iter().chain(field.heights.iter().copied()).collect()
            }
            ShapeKind::Hull(hull) => {
                let points = || hull.points.iter().map(|&point| pose.transform_point(point));
                near_vector("low", points().reduce(DVec3::min).unwrap(), theirs.low.unwrap(), tolerance);
                near_vector("high", points().reduce(DVec3::max).unwrap(), theirs.high.unwrap(), tolerance);
                continue;
            }
            _ => continue,
        };
        for (ours, theirs) in size.iter().zip(&theirs.size) {
            near("size", *ours, *theirs, tolerance);
        }
    }
    shapes.into_iter().map(|(_, shape)| shape).collect()
}

/// Compares which geoms collide, by groups and by exclusions, and their friction.
fn compare_contacts(scene: &SceneSpec, shapes: &[&ShapeSpec], reference: &Reference) {
    let owners: Vec<&str> =
        scene.bodies.iter().flat_map(|body| body.shapes.iter().map(|_| body.name.as_str())).collect();
    let excluded: BTreeSet<[&str; 2]> = scene.exclusions.iter().map(|[a, b]| [a.as_str(), b.as_str()]).collect();
    let friction = |shape: &ShapeSpec| {
        let name = shape.material.clone().unwrap_or("default".to_string());
        (scene.materials[&name].friction, name)
    };
    let mut pairs = Vec::new();
    for (place, a) in shapes.iter().enumerate() {
        for (other, b) in shapes[..=place].iter().enumerate() {
            let [x, y] = [owners[place], owners[other]];
            let by_group = a.group & b.mask != 0 && b.group & a.mask != 0;
            if by_group && !excluded.contains(&[x, y]) && !excluded.contains(&[y, x]) {
                let ((first, first_name), (second, second_name)) = (friction(a), friction(b));
                let surface = scene.surfaces.iter().find(|surface| {
                    let [one, two] = &surface.between;
                    (one, two) == (&first_name, &second_name) || (one, two) == (&second_name, &first_name)
                });
                pairs.push(([other, place], surface.map_or((first * second).sqrt(), |surface| surface.friction)));
            }
        }
    }
    assert_eq!(pairs.len(), reference.contacts.len());
    for ((ours, friction), theirs) in pairs.iter().zip(&reference.contacts) {
        assert_eq!(*ours, theirs.shapes);
        // The geometric mean of equal numbers has a rounding error.
        near("friction", *friction, theirs.friction, 1e-15);
    }
}

fn compare_drives(model: &MjcfModel, reference: &Reference) {
    let order: Vec<_> = model.states.actuators().iter().map(|name| name.as_deref()).collect();
    assert_eq!(order.iter().flatten().count(), reference.drives.len());
    for theirs in &reference.drives {
        let ours = model.scene.actuators.iter().find(|ours| Some(ours.name.as_str()) == order[theirs.index]).unwrap();
        let mapped: Vec<_> = model.states.joints().iter().filter(|joint| joint.body == ours.joint).collect();
        let (gear, reference) = match mapped[if mapped.len() > 1 { ours.axis } else { 0 }].kind {
            MappedKind::Axis { reference, .. } => (theirs.gear[0], reference),
            _ => (theirs.gear[ours.axis], 0.0),
        };
        near("gear", ours.gear, gear, 0.0);
        near("gain", ours.gain, theirs.gain, 0.0);
        near("bias", ours.bias[0], theirs.bias[0] + theirs.bias[1] * gear * reference, 1e-15);
        assert_eq!(ours.bias[1..], theirs.bias[1..]);
        assert_eq!(ours.control_range.is_some(), theirs.control_range.is_some(), "{}", ours.name);
        for (ours, theirs) in ours.control_range.iter().flatten().zip(theirs.control_range.iter().flatten()) {
            near("control range", *ours, *theirs, 1e-15);
        }
        // The force range of the joint is applied to the actuator.
        if let Some(theirs) = theirs.force_range
            && ours.name != "servo with ref"
        {
            assert_eq!(ours.force_range, Some(theirs));
        }
    }
}

/// Compares poses, velocities and accelerations without contacts and limits.
fn compare_motion(model: &MjcfModel, reference: &Reference, tolerance: f64) {
    let mut run = model.scene.run(".", &RunOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let first = usize::from(model.scene.bodies[0].name == "world");
    for moment in &reference.moments {
        let world = run.simulation.data().world.model().clone();
        let (q, v) = model.states.to_state(&world, &moment.qpos, &moment.qvel).unwrap();
        let data = run.simulation.data_mut();
        (data.state.q, data.state.v) = (q, v);
        let controls: Vec<f64> = model
            .states
            .actuators()
            .iter()
            .zip(&moment.ctrl)
            .filter_map(|(name, &c)| name.as_ref().map(|_| c))
            .collect();
        run.set_controls(&controls);
        run.simulation.data_mut().accelerate();
        let data = run.simulation.data();
        let mut workspace = Workspace::new(&world);
        update_kinematics(&world, &data.state, &mut workspace);
        for (place, position) in moment.positions.iter().enumerate() {
            let pose = run.body_pose(place + first).unwrap();
            let name = &model.scene.bodies[place + first].name;
            near_vector(name, pose.translation, *position, tolerance);
            near_rotation(name, pose.matrix(), &moment.rotations[place], tolerance);
            if let Some(link) = (0..world.links().len()).find(|&link| world.name(link) == name) {
                let velocity = workspace.velocity_at(link, moment.centers[place]);
                let [x, y, z, linear @ ..] = moment.velocities[place];
                near_vector(name, velocity.angular, DVec3::new(x, y, z), tolerance);
                near_vector(name, velocity.linear, DVec3::from_array(linear), tolerance);
            }
        }
        let (qpos, qvel) = model.states.from_state(&world, &data.state.q, &data.state.v).unwrap();
        qpos.iter().zip(&moment.qpos).for_each(|(ours, theirs)| near("qpos", *ours, *theirs, 1e-13));
        qvel.iter().zip(&moment.qvel).for_each(|(ours, theirs)| near("qvel", *ours, *theirs, 1e-12));
        compare_acceleration(model, moment, &data.state, data.workspace.joint_acceleration(), tolerance);
        if let Some(name) = &moment.keyframe {
            compare_keyframe(model, moment, name);
        }
    }
}

/// In MuJoCo the acceleration of a free joint is that of the origin, and the angular acceleration is in body
/// coordinates.
fn compare_acceleration(model: &MjcfModel, moment: &Moment, state: &State, ours: &[f64], tolerance: f64) {
    let run = model.scene.build(".").unwrap();
    let world = run.world.model();
    // An ill-conditioned inertia loses some digits.
    let scale = 1e3 * tolerance * moment.acceleration.iter().fold(1.0, |most: f64, a| most.max(a.abs()));
    let same = |what: &str, ours: f64, theirs: f64| {
        assert!(
            (ours - theirs).abs() <= scale,
            "{what}: found {ours}, expected {theirs} ({:e})",
            (ours - theirs).abs() / scale
        );
    };
    for joint in model.states.joints() {
        let link = (0..world.links().len()).find(|&link| world.name(link) == joint.body).unwrap();
        let link = &world.links()[link];
        let theirs = &moment.acceleration[joint.qvel..];
        let own = &ours[link.v..];
        match joint.kind {
            MappedKind::Axis { axis, .. } => same(&joint.body, own[axis], theirs[0]),
            MappedKind::Ball => (0..3).for_each(|axis| same(&joint.body, own[axis], theirs[axis])),
            MappedKind::Free => {
                let q = &moment.qpos[joint.qpos..];
                let spin = DVec3::from_slice(&state.v[link.v..]);
                let arm = DVec3::from_slice(&state.q[link.q..]) - DVec3::from_slice(q);
                let (turn, push) = (DVec3::from_slice(own), DVec3::from_slice(&own[3..]));
                let origin = push - turn.cross(arm) - spin.cross(spin.cross(arm));
                let rotation = glam::DQuat::from_xyzw(q[4], q[5], q[6], q[3]);
                let local = rotation.inverse() * turn;
                for axis in 0..3 {
                    same(&joint.body, origin[axis], theirs[axis]);
                    same(&joint.body, local[axis], theirs[axis + 3]);
                }
            }
        }
    }
}

/// Compares the state of a scene that starts from a keyframe.
fn compare_keyframe(model: &MjcfModel, moment: &Moment, name: &str) {
    let name = if name.is_empty() { "key1" } else { name };
    let options = ImportOptions { keyframe: Some(name.to_string()), ..ImportOptions::default() };
    let path = model_path(&format!("{}.xml", model.scene.name));
    let started = mjcf::import_file(path, &options).unwrap();
    let built = started.scene.build(".").unwrap();
    let (qpos, qvel) = model.states.from_state(built.world.model(), &built.state.q, &built.state.v).unwrap();
    qpos.iter().zip(&moment.qpos).for_each(|(ours, theirs)| near("qpos", *ours, *theirs, 1e-12));
    qvel.iter().zip(&moment.qvel).for_each(|(ours, theirs)| near("qvel", *ours, *theirs, 1e-12));
    let ours: Vec<f64> = started.scene.actuators.iter().map(|actuator| actuator.control).collect();
    assert_eq!(ours, moment.ctrl);
}

#[test]
fn frames_and_orientations_are_mujocos() {
    compare("frames", 1e-12);
}

#[test]
fn masses_and_inertias_are_mujocos() {
    compare("masses", 1e-12);
}

#[test]
fn joints_and_states_are_mujocos() {
    compare("joints", 1e-12);
}

#[test]
fn drives_are_mujocos() {
    compare("drives", 1e-12);
}

#[test]
fn contacts_are_mujocos() {
    compare("contacts", 1e-12);
}

/// MuJoCo stores the vertices of meshes in single precision.
#[test]
fn meshes_and_height_fields_are_mujocos() {
    compare("meshes", 1e-6);
}

#[test]
fn copies_are_mujocos() {
    compare("copies", 1e-12);
}
