//! The body tree: parents, the order of bodies in the file, and poses where all joint positions are zero.

use std::collections::BTreeMap;

use burgess_dynamics::{AxisProperties, LinkId, Workspace, update_kinematics};
use burgess_geometry::{MassProperties, Pose};
use burgess_scene::spec::{BodySpec, JointKind, SceneSpec};
use burgess_scene::{BuiltScene, build_joint};
use glam::DVec3;

use super::joints::{Joint, joints_of};
use super::soft_limits;
use crate::export::Names;
use crate::export::Warnings;

/// Maximum depth of nested bodies: MuJoCo's XML parser rejects 500 levels, and a few are needed for other elements.
const MAX_NESTING: usize = 490;

/// Name of MuJoCo's root body.
const WORLD: &str = "world";

/// A body of the scene with its data for the file.
pub(super) struct Body<'a> {
    pub spec: &'a BodySpec,
    pub name: String,
    /// Index of the parent body; `None` for the world.
    pub parent: Option<usize>,
    /// Pose in the parent.
    pub pose: Pose,
    /// Pose in the world.
    pub world_pose: Pose,
    /// Joint frame in body coordinates.
    pub joint_frame: Pose,
    /// Mass properties of a dynamic body.
    pub mass: Option<MassProperties>,
    /// Centre of mass of the body and all bodies welded to it, in body coordinates, in m.
    pub rigid_center: DVec3,
    pub joints: Vec<Joint>,
    /// Inverse inertias of the axes where all positions are zero; empty if no limit has a spring.
    pub inverse_inertias: Vec<f64>,
    /// Mechanical parameters of all axes, without the contributions of actuators.
    pub properties: Vec<AxisProperties>,
    /// Start positions and velocities of the joint's axes.
    pub start: (Vec<f64>, Vec<f64>),
    /// First body of the group of bodies that are welded together with this one; `None` if the group is part of the
    /// world.
    pub weld: Option<usize>,
}

impl Body<'_> {
    /// Returns whether the body represents MuJoCo's world.
    pub fn is_world(&self) -> bool {
        is_world(self.spec)
    }

    /// Returns whether the body has six degrees of freedom.
    pub fn is_free(&self) -> bool {
        !self.spec.fixed && self.spec.script.is_none() && is_floating(self.spec)
    }

    /// Returns the centre of mass in body coordinates, in m.
    pub fn center_of_mass(&self) -> DVec3 {
        self.mass.as_ref().map_or(DVec3::ZERO, |mass| mass.center_of_mass)
    }
}

/// All bodies.
pub(super) struct Tree<'a> {
    /// Bodies in scene order.
    pub bodies: Vec<Body<'a>>,
    /// Body indices in file order: depth first, parents before children.
    pub order: Vec<usize>,
    index_by_name: BTreeMap<&'a str, usize>,
}

impl<'a> Tree<'a> {
    pub fn new(scene: &'a SceneSpec, built: &BuiltScene, warnings: &mut Warnings) -> Self {
        let index_by_name: BTreeMap<&str, usize> =
            scene.bodies.iter().enumerate().map(|(index, body)| (body.name.as_str(), index)).collect();
        let mut names = Names::with_reserved(&[WORLD]);
        let name = |body: &BodySpec| if is_world(body) { body.name.clone() } else { names.unique(&body.name) };
        let given: Vec<String> = scene.bodies.iter().map(name).collect();
        let mut workspace = Workspace::new(built.world.model());
        built.world.run_scripts(0.0, &mut workspace);
        update_kinematics(built.world.model(), &built.state, &mut workspace);

        let centers = centers_of_links(built);
        let inverse_inertias = soft_limits::inverse_inertias(built);
        let mut joint_names = Names::default();
        let mut bodies: Vec<Body> = Vec::with_capacity(scene.bodies.len());
        for (index, (spec, name)) in scene.bodies.iter().zip(given).enumerate() {
            let link = built.link_index(index);
            let (pose, joint_frame) = match (&spec.joint, link) {
                (Some(joint), _) if !is_floating(spec) => {
                    let on_body = joint.in_child.pose();
                    (joint.in_parent.pose().compose(&on_body.inverse()), on_body)
                }
                (_, Some(link)) if spec.script.is_some() => (workspace.pose(built.world.model(), link), Pose::IDENTITY),
                _ => (spec.pose(), Pose::IDENTITY),
            };
            let made = &built.bodies[index];
            let is_welded = made.in_link != Pose::IDENTITY;
            let mass = made.mass.map(|mass| if is_welded { mass.transformed(&made.in_link.inverse()) } else { mass });
            let parent = spec.joint.as_ref().and_then(|joint| joint.parent.as_deref());
            let parent = parent.and_then(|parent| index_by_name.get(parent).copied());
            let mut body = Body {
                spec,
                name,
                parent: parent.filter(|&parent| !is_world(&scene.bodies[parent])),
                pose,
                world_pose: pose,
                joint_frame,
                mass,
                rigid_center: made.link.and_then(|link| centers.get(&link).copied()).unwrap_or_default(),
                joints: Vec::new(),
                inverse_inertias: Vec::new(),
                properties: Vec::new(),
                start: (Vec::new(), Vec::new()),
                weld: None,
            };
            if let Some(joint) = &spec.joint {
                let mut made = build_joint(joint);
                body.properties = made.joint.properties_mut().into_iter().map(|own| *own).collect();
                body.start = (made.positions, made.velocities);
                if let (Some(link), false) = (link, inverse_inertias.is_empty()) {
                    let first = built.world.model().links()[link].v;
                    body.inverse_inertias.extend_from_slice(&inverse_inertias[first..first + body.properties.len()]);
                }
            }
            body.joints = joints_of(&body, &mut joint_names, warnings);
            bodies.push(body);
        }
        let order = depth_first(&bodies, warnings);
        for &index in &order {
            let body = &bodies[index];
            let parent = body.parent.map(|parent| &bodies[parent]);
            let world_pose = parent.map_or(body.pose, |parent| parent.world_pose.compose(&body.pose));
            let is_welded = body.joints.is_empty() && body.spec.script.is_none();
            let weld = if is_welded { parent.and_then(|parent| parent.weld) } else { Some(index) };
            (bodies[index].world_pose, bodies[index].weld) = (world_pose, weld);
        }
        Self { bodies, order, index_by_name }
    }

    /// Returns the index of a body by its name in the scene.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.index_by_name.get(name).copied()
    }

    /// Returns a body by its name in the scene.
    pub fn body(&self, name: &str) -> Option<&Body<'a>> {
        Some(&self.bodies[self.index(name)?])
    }
}

/// Returns the centres of mass of all dynamic links, in m.
fn centers_of_links(built: &BuiltScene) -> BTreeMap<LinkId, DVec3> {
    let mut parts: BTreeMap<LinkId, Vec<MassProperties>> = BTreeMap::new();
    for body in &built.bodies {
        if let (Some(link), Some(mass)) = (body.link, body.mass) {
            parts.entry(link).or_default().push(mass);
        }
    }
    let center =
        |parts: &Vec<MassProperties>| MassProperties::combined(parts.iter().copied()).map(|all| all.center_of_mass);
    parts.iter().filter_map(|(link, parts)| Some((*link, center(parts)?))).collect()
}

/// Returns whether a body is fixed at the origin and called `world`, so that it represents MuJoCo's world.
fn is_world(spec: &BodySpec) -> bool {
    spec.name == WORLD && spec.fixed && spec.pose() == Pose::IDENTITY
}

fn is_floating(spec: &BodySpec) -> bool {
    spec.joint.as_ref().is_none_or(|joint| matches!(joint.kind, JointKind::Free(_)))
}

/// Returns the body indices depth first; siblings are in scene order.
fn depth_first(bodies: &[Body], warnings: &mut Warnings) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); bodies.len()];
    let mut roots = Vec::new();
    for (index, body) in bodies.iter().enumerate() {
        match body.parent {
            Some(parent) => children[parent].push(index),
            None => roots.push(index),
        }
    }
    let mut stack: Vec<(usize, usize)> = roots.into_iter().rev().map(|root| (root, 1)).collect();
    let mut order = Vec::with_capacity(bodies.len());
    while let Some((index, depth)) = stack.pop() {
        if depth == MAX_NESTING {
            warnings.add_named("bodies are nested too deeply for MuJoCo's XML parser", &bodies[index].name);
        }
        order.push(index);
        stack.extend(children[index].iter().rev().map(|&child| (child, depth + 1)));
    }
    order
}
