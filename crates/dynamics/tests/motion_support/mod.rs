//! Energy, momentum and test trees, using only the public interface.
#![allow(dead_code)]

use burgess_dynamics::integrators::{IntegrationError, Integrator};
use burgess_dynamics::spatial::{Force, Motion};
use burgess_dynamics::{
    AxisKind, Environment, JointSpec, LinkSpec, Model, ModelBuilder, State, Workspace, spring_energy, update_kinematics,
};
use burgess_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Returns the pose of a link's inner frame, and the velocity of its origin along its own axes.
fn inner_motion(model: &Model, workspace: &Workspace, link: usize) -> (Pose, Motion) {
    let inner = workspace.pose(model, link).compose(&model.links()[link].frame);
    let velocity = workspace.velocity_at(link, inner.translation);
    let angular = inner.inverse_transform_vector(velocity.angular);
    (inner, Motion::new(angular, inner.inverse_transform_vector(velocity.linear)))
}

/// Returns the kinetic, gravitational and spring energy, in J.
pub fn energy(model: &Model, state: &State, workspace: &mut Workspace) -> f64 {
    update_kinematics(model, state, workspace);
    let mut total = spring_energy(model, &state.q);
    for (index, link) in model.links().iter().enumerate() {
        let (inner, along) = inner_motion(model, workspace, index);
        total += 0.5 * along.dot(&link.inertia.times(&along));
        total -= link.inertia.mass * model.gravity.dot(inner.transform_point(link.inertia.center));
    }
    for (properties, v) in model.properties().iter().zip(&state.v) {
        total += 0.5 * properties.armature * v * v;
    }
    total
}

/// Returns the momentum about the world's origin.
pub fn momentum(model: &Model, state: &State, workspace: &mut Workspace) -> Force {
    update_kinematics(model, state, workspace);
    let mut total = Force::ZERO;
    for (index, link) in model.links().iter().enumerate() {
        let (inner, along) = inner_motion(model, workspace, index);
        let own = link.inertia.times(&along);
        let own = Force::new(inner.transform_vector(own.moment), inner.transform_vector(own.force));
        total += own.shifted_back(inner.translation);
    }
    total
}

pub fn run(
    integrator: &mut dyn Integrator,
    model: &Model,
    state: &mut State,
    environment: &mut dyn Environment,
    step: f64,
    steps: usize,
) -> Result<Workspace, IntegrationError> {
    let mut workspace = Workspace::new(model);
    for _ in 0..steps {
        integrator.step(model, state, environment, &mut workspace, step)?;
    }
    Ok(workspace)
}

/// Returns the inertia of a solid box about its centre.
pub fn box_link(name: &str, mass: f64, center: DVec3, size: DVec3) -> LinkSpec {
    let s = size * size;
    let moments = DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass / 12.0);
    LinkSpec::new(name, mass, center, DMat3::from_diagonal(moments))
}

/// Returns an asymmetric box, 0.4 x 0.2 x 0.1 m, spinning freely about all axes.
pub fn spinning_box(speed: f64) -> (Model, State) {
    let mut builder = ModelBuilder::new();
    builder.gravity(DVec3::ZERO);
    let link = box_link("box", 2.0, DVec3::ZERO, DVec3::new(0.4, 0.2, 0.1));
    builder.add_link(None, JointSpec::free(), link);
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    let direction = DVec3::new(0.3, 1.0, 0.2).normalize();
    state.set_free_velocity(&model, 0, Motion::new(direction * speed, DVec3::ZERO));
    (model, state)
}

/// Kinds of joints of a random tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joints {
    Revolute,
    Prismatic,
    Universal,
    Spherical,
    Compound,
    Mixed,
}

pub fn random_vector(random: &mut Pcg64Mcg) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|_| random.random_range(-1.0..1.0)))
}

pub fn random_quaternion(random: &mut Pcg64Mcg) -> DQuat {
    let v = random_vector(random);
    DQuat::from_xyzw(v.x, v.y, v.z, random.random_range(-1.0..1.0)).normalize()
}

pub fn random_joint(joints: Joints, random: &mut Pcg64Mcg) -> JointSpec {
    let mut axis = || random_vector(random).normalize();
    match joints {
        Joints::Revolute => JointSpec::revolute(axis()),
        Joints::Prismatic => JointSpec::prismatic(axis()),
        Joints::Universal => {
            let first = axis();
            let other = first.any_orthonormal_vector();
            JointSpec::universal(first, other)
        }
        Joints::Spherical => JointSpec::spherical(),
        Joints::Compound => {
            let (first, slide) = (axis(), axis());
            let second = first.any_orthonormal_vector();
            JointSpec::compound([(AxisKind::Hinge, first), (AxisKind::Slide, slide), (AxisKind::Hinge, second)])
        }
        Joints::Mixed => {
            let kinds = [Joints::Revolute, Joints::Prismatic, Joints::Universal, Joints::Spherical, Joints::Compound];
            let kind = kinds[random.random_range(0..kinds.len())];
            random_joint(kind, random)
        }
    }
}

/// Returns a random tree of boxes. `speed` bounds the joint speeds (rad/s, m/s). Slides get springs, which keep them
/// near.
pub fn random_tree(
    seed: u64,
    links: usize,
    joints: Joints,
    floating: bool,
    gravity: DVec3,
    speed: f64,
) -> (Model, State) {
    random_tree_with(seed, links, joints, floating, gravity, speed, |_, _| ())
}

/// Returns the tree of [`random_tree`] after `change(index, joint)` has changed the joint of each link.
pub fn random_tree_with(
    seed: u64,
    links: usize,
    joints: Joints,
    floating: bool,
    gravity: DVec3,
    speed: f64,
    mut change: impl FnMut(usize, &mut JointSpec),
) -> (Model, State) {
    let random = &mut Pcg64Mcg::seed_from_u64(seed);
    let mut builder = ModelBuilder::new();
    builder.gravity(gravity);
    let mut ids = Vec::new();
    for index in 0..links {
        let size = DVec3::from_array([0, 1, 2].map(|_| random.random_range(0.1..0.4)));
        let center = random_vector(random) * 0.2;
        let link = box_link(&format!("link {index}"), random.random_range(0.5..3.0), center, size);
        let root = index == 0;
        let joint = if root && floating { JointSpec::free() } else { random_joint(joints, random) };
        let mut joint = match root {
            true => joint,
            false => {
                let in_parent = Pose::new(random_quaternion(random), random_vector(random) * 0.3);
                let in_child = Pose::new(random_quaternion(random), random_vector(random) * 0.1);
                joint.in_parent(in_parent).in_child(in_child)
            }
        };
        let slides = matches!(joints, Joints::Prismatic | Joints::Compound | Joints::Mixed);
        if slides && !(root && floating) {
            for properties in joint.properties_mut() {
                properties.stiffness = 20.0;
            }
        }
        change(index, &mut joint);
        let parent = if root { None } else { Some(ids[random.random_range(0..index)]) };
        ids.push(builder.add_link(parent, joint, link));
    }
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    for v in &mut state.v {
        *v = random.random_range(-speed..speed);
    }
    if floating {
        state.v[3..6].fill(0.1);
    }
    (model, state)
}

/// Returns the tree of the conservation tests: twelve links on hinges, floating.
pub fn conservation_tree(speed: f64) -> (Model, State) {
    random_tree(12, 12, Joints::Revolute, true, DVec3::ZERO, speed)
}

/// Largest relative deviation of the energy, its final one, and the largest relative deviation of the momenta
/// (angular about the centre of mass's start, linear), sampled every `sample` steps.
#[derive(Debug, Clone, Copy)]
pub struct Drift {
    pub energy_largest: f64,
    pub energy_final: f64,
    pub angular_largest: f64,
    pub linear_largest: f64,
}

pub fn drift(
    integrator: &mut dyn Integrator,
    model: &Model,
    state: &mut State,
    step: f64,
    steps: usize,
    sample: usize,
    scale: Option<f64>,
) -> Drift {
    let mut workspace = Workspace::new(model);
    let mut probe = Workspace::new(model);
    let e0 = energy(model, state, &mut probe);
    let p0 = momentum(model, state, &mut probe);
    let scale = scale.unwrap_or(e0.abs());
    let mut result = Drift { energy_largest: 0.0, energy_final: 0.0, angular_largest: 0.0, linear_largest: 0.0 };
    for k in 1..=steps {
        if integrator.step(model, state, &mut (), &mut workspace, step).is_err() {
            result.energy_largest = f64::INFINITY;
            return result;
        }
        if k % sample == 0 || k == steps {
            let e = energy(model, state, &mut probe);
            let p = momentum(model, state, &mut probe);
            assert!(e.is_finite() && p.moment.is_finite() && p.force.is_finite(), "the motion is not finite");
            result.energy_final = (e - e0) / scale;
            result.energy_largest = result.energy_largest.max(result.energy_final.abs());
            let relative = |a: DVec3, b: DVec3| (a - b).length() / b.length().max(1e-12);
            result.angular_largest = result.angular_largest.max(relative(p.moment, p0.moment));
            result.linear_largest = result.linear_largest.max(relative(p.force, p0.force));
        }
    }
    result
}
