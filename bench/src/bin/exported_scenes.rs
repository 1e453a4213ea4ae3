//! Exports scenes as MJCF with their properties at the start, one JSON object per line, for `bench/check_export`.
//!
//! Usage: `exported_scenes RANDOM SEED [FILE...]`: all built-in scenes, RANDOM random scenes, and the scenes of the
//! files. Features that MuJoCo does not support are removed first, so that the numbers must agree: scripts do not move,
//! springs and servos of ball joints have the reference orientation as target, and free bodies are damped only if
//! linear and angular damping are equal. Accelerations are due to gravity, springs, dampers, actuators and drag,
//! without contacts, limits, constraints and dry friction, in MuJoCo's coordinates.

use std::path::Path;

use anyhow::{Context, Result};
use burgess_collision::broad_phase::TreeLink;
use burgess_dynamics::{Workspace, forward_dynamics, joint_efforts, update_kinematics};
use burgess_formats::mjcf;
use burgess_geometry::Pose;
use burgess_random_scenes::random_scene;
use burgess_scene::spec::{
    AnchorSpec, BallMotorSpec, ControllerSpec, FreeJoint, JointKind, Orientation, SceneSpec, ScriptSpec, SpringTie,
    SteadyScript, TieKind,
};
use burgess_scene::{BuiltScene, FluidDrag, RunOptions, SceneFile, builtin};
use burgess_simulation::Collider;
use glam::DVec3;
use serde::Serialize;

/// Maximum number of moving bodies of a random scene.
const MAX_BODIES: u64 = 24;

/// A line of output.
#[derive(Serialize)]
struct Line {
    scene: String,
    xml: String,
    warnings: Vec<String>,
    /// Whether bodies also overlap at the start in Burgess.
    overlaps: bool,
    /// Pairs of bodies that may collide, as indices into `bodies`.
    touching: Vec<[usize; 2]>,
    bodies: Vec<Body>,
}

#[derive(Serialize)]
struct Body {
    name: String,
    /// Position in the world.
    position: [f64; 3],
    /// Quaternion x, y, z, w.
    orientation: [f64; 4],
    /// Mass of a dynamic body.
    mass: Option<Mass>,
    /// Accelerations of its joints in MuJoCo's coordinates.
    accelerations: Vec<f64>,
}

#[derive(Serialize)]
struct Mass {
    mass: f64,
    center: [f64; 3],
    /// Inertia about the centre of mass in body coordinates, row by row.
    inertia: [f64; 9],
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |what: &str| -> Result<u64> {
        let argument = arguments.next().with_context(|| format!("expected {what}"))?;
        argument.parse().with_context(|| format!("{what} '{argument}': expected a number"))
    };
    let (random, seed) = (number("RANDOM")?, number("SEED")?);
    for scene in builtin::all() {
        print(scene.spec())?;
    }
    for index in 0..random {
        print(random_scene(seed.wrapping_mul(1 << 20).wrapping_add(index), (1 + index % MAX_BODIES) as usize))?;
    }
    for file in arguments {
        print(SceneFile::read(&file)?.spec().clone())?;
    }
    Ok(())
}

fn print(mut scene: SceneSpec) -> Result<()> {
    let name = scene.name.clone();
    let line = remove_unsupported(&mut scene).and_then(|()| line(&scene)).with_context(|| format!("scene '{name}'"))?;
    println!("{}", serde_json::to_string(&line)?);
    Ok(())
}

/// Removes features that MuJoCo does not support.
fn remove_unsupported(scene: &mut SceneSpec) -> Result<()> {
    let built = scene.build("")?;
    let mut workspace = Workspace::new(built.world.model());
    built.world.run_scripts(0.0, &mut workspace);
    update_kinematics(built.world.model(), &built.state, &mut workspace);
    for (index, body) in scene.bodies.iter_mut().enumerate() {
        if body.script.is_some()
            && let Some(link) = built.link_index(index)
        {
            let start = workspace.pose(built.world.model(), link);
            (body.position, body.orientation) = (start.translation, Orientation::from_quaternion(start.rotation));
            body.script = Some(ScriptSpec::Steady(SteadyScript::default()));
        }
        match body.joint.as_mut().map(|joint| &mut joint.kind) {
            Some(JointKind::Free(free)) if free.linear_damping != free.angular_damping => *free = FreeJoint::default(),
            Some(JointKind::Spherical(ball)) => {
                ball.rest = DVec3::ZERO;
                if let Some(BallMotorSpec::Position(motor)) = &mut ball.motor {
                    motor.target = DVec3::ZERO;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn line(scene: &SceneSpec) -> Result<Line> {
    let folder = Path::new("");
    let exported = mjcf::export(scene, folder)?;
    let built = scene.build(folder)?;
    let (model, state) = (built.world.model(), &built.state);
    let mut workspace = Workspace::new(model);
    built.world.run_scripts(0.0, &mut workspace);
    update_kinematics(model, state, &mut workspace);
    apply_springs(scene, &built, &mut workspace);
    if let Some(FluidDrag::InertiaBoxes(drag)) = &built.drag {
        drag.apply(&mut workspace);
    }
    let mut efforts = vec![0.0; model.dofs()];
    joint_efforts(model, &state.motors, &state.q, &state.v, &mut efforts);
    add_tendons(scene, &built, &mut efforts);
    forward_dynamics(model, state, &efforts, &mut workspace);
    let bodies = (0..scene.bodies.len()).map(|body| describe(scene, &built, &workspace, body)).collect();
    Ok(Line {
        scene: scene.name.clone(),
        xml: exported.xml,
        warnings: exported.warnings.iter().map(ToString::to_string).collect(),
        overlaps: scene.simulation.allow_overlap || scene.run(folder, &RunOptions::default()).is_err(),
        touching: touching(scene, &built),
        bodies,
    })
}

/// Returns the pairs of bodies with shapes that may collide, including pairs without relative motion.
fn touching(scene: &SceneSpec, built: &BuiltScene) -> Vec<[usize; 2]> {
    let colliders = |body: usize| &built.world.colliders()[built.bodies[body].colliders.clone()];
    let may_touch = |a: &Collider, b: &Collider| {
        let (a, b) = (&a.filter, &b.filter);
        let groups = a.group & b.mask != 0 && b.group & a.mask != 0;
        let apart = |a: TreeLink, b: TreeLink| {
            a.tree == b.tree
                && (!scene.self_collision || a.link == b.link || a.parent == Some(b.link) || b.parent == Some(a.link))
        };
        groups && !matches!((a.link, b.link), (Some(a), Some(b)) if apart(a, b))
    };
    let mut pairs = Vec::new();
    for b in 0..scene.bodies.len() {
        for a in 0..b {
            let names = [&scene.bodies[a].name, &scene.bodies[b].name];
            let excluded = scene.exclusions.iter().any(|pair| pair.iter().all(|name| names.contains(&name)));
            let any = || colliders(a).iter().any(|own| colliders(b).iter().any(|other| may_touch(own, other)));
            if !excluded && any() {
                pairs.push([a, b]);
            }
        }
    }
    pairs
}

fn describe(scene: &SceneSpec, built: &BuiltScene, workspace: &Workspace, index: usize) -> Body {
    let spec = &scene.bodies[index];
    let link = built.link_index(index);
    let made = &built.bodies[index];
    let pose = made.frame(&built.world, workspace);
    let mass = made.mass.map(|mass| mass.transformed(&made.in_link.inverse())).map(|mass| Mass {
        mass: mass.mass,
        center: mass.center_of_mass.to_array(),
        inertia: mass.inertia.transpose().to_cols_array(),
    });
    // Welded bodies have no joint accelerations.
    let own = link.filter(|_| !matches!(spec.joint.as_ref().map(|joint| &joint.kind), Some(JointKind::Weld(_))));
    let accelerations = own.map_or(Vec::new(), |link| accelerations(scene, built, workspace, index, link, &pose));
    let (position, orientation) = (pose.translation.to_array(), pose.rotation.to_array());
    Body { name: spec.name.clone(), position, orientation, mass, accelerations }
}

/// Converts joint accelerations to MuJoCo's axes and reference points.
fn accelerations(
    scene: &SceneSpec,
    built: &BuiltScene,
    workspace: &Workspace,
    body: usize,
    link: usize,
    pose: &Pose,
) -> Vec<f64> {
    let model = built.world.model();
    let (first, count) = (model.links()[link].v, model.links()[link].dofs as usize);
    let own = &workspace.joint_acceleration()[first..first + count];
    match scene.bodies[body].joint.as_ref().map(|joint| (&joint.kind, joint)) {
        Some((JointKind::Spherical(_), joint)) => {
            (joint.in_child.pose().rotation * DVec3::from_slice(own)).to_array().to_vec()
        }
        None | Some((JointKind::Free(_), _)) if count == 6 => {
            // Vector from the centre of mass to the origin of the link frame.
            let to_origin = -(pose.rotation * model.links()[link].frame.translation);
            let spin = DVec3::from_slice(&built.state.v[first..first + 3]);
            let (angular, linear) = (DVec3::from_slice(own), DVec3::from_slice(&own[3..]));
            let origin = linear + angular.cross(to_origin) + spin.cross(spin.cross(to_origin));
            let local = pose.rotation.conjugate() * angular;
            [origin.to_array(), local.to_array()].concat()
        }
        _ => own.to_vec(),
    }
}

/// Applies springs between bodies as forces, as MuJoCo does; in Burgess some of them are constraints.
fn apply_springs(scene: &SceneSpec, built: &BuiltScene, workspace: &mut Workspace) {
    let ties = scene.constraints.iter().filter_map(|tie| match &tie.kind {
        TieKind::Spring(spring) => Some((*spring, &tie.a, &tie.b)),
        _ => None,
    });
    let controllers = scene.controllers.iter().filter_map(|controller| match controller {
        ControllerSpec::Spring(spring) if spring.when == Default::default() => {
            let tie = SpringTie { length: spring.length, stiffness: spring.stiffness, damping: spring.damping };
            Some((tie, &spring.a, &spring.b))
        }
        _ => None,
    });
    for (spring, a, b) in ties.chain(controllers) {
        let ends = [a, b].map(|anchor| end(scene, built, workspace, anchor));
        let [(_, at_a, velocity_a), (_, at_b, velocity_b)] = ends;
        let Some(direction) = (at_b - at_a).try_normalize() else { continue };
        let (length, rate) = (at_a.distance(at_b), (velocity_b - velocity_a).dot(direction));
        let pull = spring.stiffness * (length - spring.length) + spring.damping * rate;
        for ((link, point, _), sign) in ends.into_iter().zip([1.0, -1.0]) {
            if let Some(link) = link {
                workspace.apply_force(link, direction * (pull * sign), DVec3::ZERO, point);
            }
        }
    }
}

/// Returns link, position and velocity of an end of a spring.
fn end(
    scene: &SceneSpec,
    built: &BuiltScene,
    workspace: &Workspace,
    anchor: &AnchorSpec,
) -> (Option<usize>, DVec3, DVec3) {
    let body = anchor.body.as_deref().and_then(|name| scene.body_index(name));
    let Some(body) = body else { return (None, anchor.position, DVec3::ZERO) };
    match built.link_index(body) {
        None => (None, built.bodies[body].pose.transform_point(anchor.position), DVec3::ZERO),
        Some(link) => {
            let point = built.bodies[body].frame(&built.world, workspace).transform_point(anchor.position);
            (Some(link), point, workspace.velocity_at(link, point).linear)
        }
    }
}

/// Applies tendons as forces, as MuJoCo does; in Burgess they are constraints.
fn add_tendons(scene: &SceneSpec, built: &BuiltScene, efforts: &mut [f64]) {
    let model = built.world.model();
    let axis_of = |joint: &str, axis: usize| -> Option<(f64, f64, usize)> {
        let link = &model.links()[built.link_index(scene.body_index(joint)?)?];
        Some((built.state.q[link.q + axis], built.state.v[link.v + axis], link.v + axis))
    };
    for tendon in &scene.tendons {
        let parts: Vec<_> = (tendon.joints.iter())
            .filter_map(|part| Some((axis_of(&part.joint, part.axis)?, part.coefficient)))
            .collect();
        let length: f64 = parts.iter().map(|((position, _, _), coefficient)| coefficient * position).sum();
        let rate: f64 = parts.iter().map(|((_, velocity, _), coefficient)| coefficient * velocity).sum();
        let beyond = length - length.clamp(tendon.rest[0], tendon.rest[1]);
        let force = -tendon.stiffness * beyond - tendon.damping * rate;
        for ((_, _, dof), coefficient) in parts {
            efforts[dof] += coefficient * force;
        }
    }
}
