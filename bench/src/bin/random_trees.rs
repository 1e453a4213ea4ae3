//! Writes random trees with states and their accelerations in Burgess, one JSON object per line, for
//! `bench/compare_dynamics`.
//!
//! Usage: `random_trees MODELS SEED`. Links have the indices of their first position and velocity; frames are
//! translation and quaternion (x, y, z, w); matrices are row by row; all other conventions are those of
//! `burgess_dynamics`.

use anyhow::{Context, Result};
use burgess_dynamics::{
    Axis, AxisKind, AxisProperties, JointSpec, LinkId, LinkSpec, Model, ModelBuilder, State, Workspace,
    forward_dynamics,
};
use burgess_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

/// Number of random states of each model.
const STATES_PER_MODEL: usize = 5;
const MAX_LINKS: usize = 30;

/// A line of output.
#[derive(Serialize)]
struct Sample {
    gravity: [f64; 3],
    /// Links in model order.
    links: Vec<Link>,
    states: Vec<Moment>,
}

#[derive(Serialize, Clone)]
struct Link {
    parent: Option<usize>,
    joint: Joint,
    /// The joint's frame in the parent link.
    parent_frame: [f64; 7],
    /// The joint's frame in the link.
    child_frame: [f64; 7],
    mass: f64,
    center_of_mass: [f64; 3],
    inertia: [f64; 9],
    /// Index of its first position.
    q: usize,
    /// Index of its first velocity.
    v: usize,
}

#[derive(Serialize, Clone)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Joint {
    Weld,
    Free,
    Spherical { armature: f64 },
    Stack { axes: Vec<StackAxis> },
}

#[derive(Serialize, Clone)]
struct StackAxis {
    hinge: bool,
    /// Unit vector.
    direction: [f64; 3],
    anchor: [f64; 3],
    armature: f64,
}

#[derive(Serialize)]
struct Moment {
    q: Vec<f64>,
    v: Vec<f64>,
    efforts: Vec<f64>,
    accelerations: Vec<f64>,
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |what| -> Result<u64> {
        let argument = arguments.next().with_context(|| format!("expected {what}"))?;
        argument.parse().with_context(|| format!("{what} '{argument}': expected a number"))
    };
    let (models, seed) = (number("MODELS")?, number("SEED")?);
    for index in 0..models {
        let mut random = Pcg64Mcg::seed_from_u64(seed.wrapping_mul(1 << 20).wrapping_add(index));
        println!("{}", serde_json::to_string(&sample(index, &mut random)?)?);
    }
    Ok(())
}

/// Creates a model. Fixed and floating trees alternate. The first models have one link each, so that every kind of
/// joint is also tested alone.
fn sample(index: u64, random: &mut Pcg64Mcg) -> Result<Sample> {
    let links = if index < 10 { 1 } else { random.random_range(2..=MAX_LINKS) };
    let gravity = vector(random, 10.0);
    let mut builder = ModelBuilder::new();
    builder.gravity(gravity);
    let mut added: Vec<(LinkId, Option<usize>, Link)> = Vec::new();
    for number in 0..links {
        // Sometimes start another tree; make deep trees and wide ones.
        let is_root = number == 0 || random.random_bool(0.05);
        let reach = if random.random_bool(0.7) { 2 } else { number };
        let parent = (!is_root).then(|| random.random_range(number.saturating_sub(reach)..number));
        let joint = match index {
            0 => Joint::Free,
            1..10 => random_joint(random, (index - 1) as usize),
            _ if is_root && index.is_multiple_of(2) => Joint::Free,
            _ => {
                let kind = random.random_range(0..9);
                random_joint(random, kind)
            }
        };
        let is_free = matches!(joint, Joint::Free);
        let mut frame = || if is_free { Pose::IDENTITY } else { Pose::new(rotation(random), vector(random, 0.5)) };
        let (parent_frame, child_frame) = (frame(), frame());
        let spec = random_link(random, number);
        let id = builder.add_link(
            parent.map(|parent: usize| added[parent].0),
            joint_spec(&joint).in_parent(parent_frame).in_child(child_frame),
            spec.clone(),
        );
        let link = Link {
            parent: None,
            joint,
            parent_frame: numbers(&parent_frame),
            child_frame: numbers(&child_frame),
            mass: spec.mass,
            center_of_mass: spec.center_of_mass.to_array(),
            inertia: spec.inertia.transpose().to_cols_array(),
            q: 0,
            v: 0,
        };
        added.push((id, parent, link));
    }
    let model = builder.build()?;
    let mut ordered = Vec::with_capacity(links);
    for (id, parent, link) in &added {
        let index = model.index(*id)?;
        let parent = parent.map(|parent| model.index(added[parent].0)).transpose()?;
        let place = &model.links()[index];
        ordered.push((index, Link { parent, q: place.q, v: place.v, ..link.clone() }));
    }
    ordered.sort_by_key(|(index, _)| *index);
    let mut workspace = Workspace::new(&model);
    let states = (0..STATES_PER_MODEL).map(|_| moment(&model, &mut workspace, random)).collect();
    Ok(Sample { gravity: gravity.to_array(), links: ordered.into_iter().map(|(_, link)| link).collect(), states })
}

fn moment(model: &Model, workspace: &mut Workspace, random: &mut Pcg64Mcg) -> Moment {
    let mut state = State::new(model);
    for link in model.links() {
        use burgess_dynamics::joint::Joint;
        let turn = rotation(random);
        match link.joint {
            Joint::Spherical => state.q[link.q..link.q + 4].copy_from_slice(&turn.to_array()),
            Joint::Free => {
                state.q[link.q..link.q + 3].copy_from_slice(&vector(random, 2.0).to_array());
                state.q[link.q + 3..link.q + 7].copy_from_slice(&turn.to_array());
            }
            _ => state.q[link.q..link.q + link.dofs as usize].fill_with(|| random.random_range(-3.0..3.0)),
        }
    }
    state.v.fill_with(|| random.random_range(-3.0..3.0));
    let efforts: Vec<f64> = (0..model.dofs()).map(|_| random.random_range(-10.0..10.0)).collect();
    forward_dynamics(model, &state, &efforts, workspace);
    Moment { accelerations: workspace.joint_acceleration().to_vec(), q: state.q, v: state.v, efforts }
}

/// Creates a joint by number: hinge, slide, ball, universal, three compounds, many axes, weld.
fn random_joint(random: &mut Pcg64Mcg, kind: usize) -> Joint {
    use AxisKind::{Hinge, Slide};
    let axes: Vec<(AxisKind, bool)> = match kind {
        0 => vec![(Hinge, random.random_bool(0.5))],
        1 => vec![(Slide, false)],
        2 => return Joint::Spherical { armature: armature(random) },
        3 => vec![(Hinge, false), (Hinge, false)],
        4 => vec![(Slide, false), (Hinge, true)],
        5 => vec![(Hinge, true), (Hinge, true), (Hinge, true)],
        6 => vec![(Hinge, true), (Slide, false), (Slide, false)],
        7 => {
            let count = random.random_range(4..=6);
            (0..count).map(|k| (if k % 2 == 0 { Slide } else { Hinge }, random.random_bool(0.5))).collect()
        }
        _ => return Joint::Weld,
    };
    let mut taken: Vec<DVec3> = Vec::new();
    let mut axis = |(kind, has_anchor): (AxisKind, bool)| {
        let direction = independent_direction(random, &mut taken);
        let anchor = if has_anchor { vector(random, 0.3) } else { DVec3::ZERO };
        StackAxis {
            hinge: kind == Hinge,
            direction: direction.to_array(),
            anchor: anchor.to_array(),
            armature: armature(random),
        }
    };
    Joint::Stack { axes: axes.into_iter().map(&mut axis).collect() }
}

/// Returns a direction far from the last two, so that no stack is nearly singular.
fn independent_direction(random: &mut Pcg64Mcg, taken: &mut Vec<DVec3>) -> DVec3 {
    let direction = loop {
        let direction = rotation(random) * DVec3::Z;
        if taken.iter().rev().take(2).all(|other| direction.dot(*other).abs() < 0.6) {
            break direction;
        }
    };
    taken.push(direction);
    direction
}

fn armature(random: &mut Pcg64Mcg) -> f64 {
    if random.random_bool(0.5) { random.random_range(0.0..0.1) } else { 0.0 }
}

fn joint_spec(joint: &Joint) -> JointSpec {
    let with_armature = |armature| AxisProperties { armature, ..AxisProperties::default() };
    match joint {
        Joint::Weld => JointSpec::weld(),
        Joint::Free => JointSpec::free(),
        Joint::Spherical { armature } => JointSpec::spherical().with(with_armature(*armature)),
        Joint::Stack { axes } => {
            let axis = |axis: &StackAxis| Axis {
                kind: if axis.hinge { AxisKind::Hinge } else { AxisKind::Slide },
                direction: DVec3::from_array(axis.direction),
                anchor: DVec3::from_array(axis.anchor),
                properties: with_armature(axis.armature),
            };
            JointSpec::stack(axes.iter().map(axis).collect())
        }
    }
}

/// Returns a rotated box of random sides and density.
fn random_link(random: &mut Pcg64Mcg, number: usize) -> LinkSpec {
    let mass = random.random_range(0.1..3.0);
    let [x, y, z]: [f64; 3] = core::array::from_fn(|_| random.random_range(0.05..0.5));
    let moments = DVec3::new(y * y + z * z, x * x + z * z, x * x + y * y) * (mass / 12.0);
    let turn = DMat3::from_quat(rotation(random));
    let inertia = turn * DMat3::from_diagonal(moments) * turn.transpose();
    // Make it exactly symmetric, because the libraries read different halves.
    let inertia = (inertia + inertia.transpose()) * 0.5;
    LinkSpec::new(&format!("link {number}"), mass, vector(random, 0.3), inertia)
}

fn vector(random: &mut Pcg64Mcg, size: f64) -> DVec3 {
    DVec3::from_array(core::array::from_fn(|_| random.random_range(-size..size)))
}

fn rotation(random: &mut Pcg64Mcg) -> DQuat {
    loop {
        let q = DQuat::from_array(core::array::from_fn(|_| random.random_range(-1.0..1.0)));
        if (0.1..1.0).contains(&q.length_squared()) {
            return q.normalize();
        }
    }
}

fn numbers(pose: &Pose) -> [f64; 7] {
    let (t, q) = (pose.translation, pose.rotation);
    [t.x, t.y, t.z, q.x, q.y, q.z, q.w]
}
