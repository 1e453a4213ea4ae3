//! Computes the links and joints of the file.
//!
//! At joint position zero the pose of a body in its parent is `X = P C^-1`, with P the joint frame on the parent and C
//! the joint frame on the body. The link of a body has the body's orientation, and its origin is offset by `d` in body
//! coordinates, to a point on the axis of the hinge, or by zero. The pose of the link in the parent link is
//! `T(-d_parent) X T(d)`, and the axis is `C axis`.
//!
//! Several axes become a chain of links: massless link k is at `t_k` in body coordinates, on the axis of hinge k, and
//! the last link is that of the body.

use std::collections::BTreeMap;
use std::path::Path;

use burgess_files::{At, FieldError};
use burgess_geometry::{MassProperties, Pose};
use burgess_scene::SceneFault;
use burgess_scene::spec::{ActuatorSpec, AxisSpec, BodySpec, JointKind, JointSpec, PoseSpec, SceneSpec, StackAxisSpec};
use burgess_scene::{BuiltBody, BuiltScene};
use glam::{DQuat, DVec3};

use super::super::WORLD;
use super::forms::{Form, Meshes};
use crate::export::Names;
use crate::export::Warnings;
use crate::import::{MAX_ASSET_BYTES, read_bytes};

/// A link.
pub(super) struct Link {
    pub name: String,
    /// Mass properties in link coordinates.
    pub mass: Option<MassProperties>,
    /// Form, pose, and index of the colour in the palette.
    pub visuals: Vec<(Form, Pose, Option<usize>)>,
    pub collisions: Vec<(Form, Pose)>,
}

/// A joint between two links, given by their indices.
pub(super) struct Joint {
    pub name: String,
    pub parent: usize,
    pub child: usize,
    /// Pose of the child in the parent at joint position zero.
    pub origin: Pose,
    pub motion: Motion,
}

/// Relative motion of the child.
pub(super) enum Motion {
    Fixed,
    Floating,
    /// Rotation about or translation along an axis in child coordinates; limits in rad or m.
    Axis {
        is_slide: bool,
        axis: AxisSpec,
    },
}

/// A transmission of an actuator.
pub(super) struct Transmission {
    pub name: String,
    /// Name of the joint.
    pub joint: String,
}

/// The contents of the file.
#[derive(Default)]
pub(super) struct Model {
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    pub transmissions: Vec<Transmission>,
    pub palette: Palette,
    /// Whether some joints are chains of massless links.
    pub has_chains: bool,
}

/// Body indices by name.
type Index<'a> = BTreeMap<&'a str, usize>;

pub(super) fn plan(
    scene: &SceneSpec,
    built: &BuiltScene,
    folder: &Path,
    meshes: &mut Meshes,
    warnings: &mut Warnings,
) -> Result<Model, FieldError<SceneFault>> {
    let mut names = Names::default();
    let mut model = Model::default();
    let index_by_name: Index =
        scene.bodies.iter().enumerate().map(|(index, body)| (body.name.as_str(), index)).collect();
    model.links.push(Link::empty(names.unique(WORLD)));
    let list = At::ROOT.field("bodies");
    // Bodies come first, so that they keep their names.
    for (index, (body, made)) in scene.bodies.iter().zip(&built.bodies).enumerate() {
        let mut link = Link { mass: mass_of(made, offset(body)), ..Link::empty(names.unique(&body.name)) };
        add_forms(&mut link, built, body, made, meshes, &mut model.palette, warnings);
        add_display_mesh(list.index(index), &mut link, body, folder, meshes, &mut model.palette)?;
        model.links.push(link);
    }
    let mut joint_names = Names::default();
    // Joint index for each body and axis.
    let mut joint_by_axis: Vec<Vec<usize>> = Vec::with_capacity(scene.bodies.len());
    for index in 0..scene.bodies.len() {
        let first = model.joints.len();
        add_joints(scene, &index_by_name, index, &mut model, &mut names, &mut joint_names);
        joint_by_axis.push((first..model.joints.len()).collect());
    }
    for site in &scene.sites {
        let body = site.body.as_deref().and_then(|name| index_by_name.get(name).copied());
        let offset = body.map_or(DVec3::ZERO, |body| offset(&scene.bodies[body]));
        let name = names.unique(&site.name);
        let pose = site.pose();
        model.joints.push(Joint {
            name: joint_names.unique(&format!("{name}_joint")),
            parent: body.map_or(0, |body| body + 1),
            child: model.links.len(),
            origin: Pose::new(pose.rotation, pose.translation - offset),
            motion: Motion::Fixed,
        });
        model.links.push(Link::empty(name));
    }
    let mut actuator_names = Names::default();
    for actuator in &scene.actuators {
        let joint = index_by_name.get(&*actuator.joint).and_then(|&body| joint_by_axis[body].get(actuator.axis));
        let Some(joint) = joint.map(|&joint| &mut model.joints[joint]) else { continue };
        let Motion::Axis { axis, .. } = &mut joint.motion else { continue };
        axis.max_effort = axis.max_effort.or(symmetric_effort(actuator));
        model
            .transmissions
            .push(Transmission { name: actuator_names.unique(&actuator.name), joint: joint.name.clone() });
    }
    Ok(model)
}

/// Returns the maximum effort of an actuator in N m or N, if its range is symmetric.
pub(super) fn symmetric_effort(actuator: &ActuatorSpec) -> Option<f64> {
    let [low, high] = actuator.force_range?;
    (low == -high && actuator.gear * actuator.gain == 1.0).then_some(actuator.gear.abs() * high)
}

impl Link {
    fn empty(name: String) -> Self {
        Self { name, mass: None, visuals: Vec::new(), collisions: Vec::new() }
    }
}

/// Returns the mass properties of a body in link coordinates.
fn mass_of(made: &BuiltBody, offset: DVec3) -> Option<MassProperties> {
    let mass = made.mass?;
    let own = if made.in_link == Pose::IDENTITY { mass } else { mass.transformed(&made.in_link.inverse()) };
    Some(MassProperties { center_of_mass: own.center_of_mass - offset, ..own })
}

fn add_forms(
    link: &mut Link,
    built: &BuiltScene,
    body: &BodySpec,
    made: &BuiltBody,
    meshes: &mut Meshes,
    palette: &mut Palette,
    warnings: &mut Warnings,
) {
    let offset = offset(body);
    for (spec, collider) in body.shapes.iter().zip(&built.world.colliders()[made.colliders.clone()]) {
        let mut warn_approximated = || {
            warnings.add_named(
                "capsules, ellipsoids, cones and frustums are approximated by meshes with flat faces",
                &body.name,
            );
        };
        let forms = meshes.forms(&body.name, &collider.shape, &mut warn_approximated);
        if forms.is_empty() {
            warnings.add_named("half-spaces and height fields are omitted", &body.name);
        }
        let place = PoseSpec { position: spec.position - offset, orientation: spec.orientation }.pose();
        let color = spec.color.or(body.color).map(|color| palette.index(color));
        for (form, pose) in forms {
            let pose = place.compose(&pose);
            if spec.mask != 0 {
                link.collisions.push((form.clone(), pose));
            }
            link.visuals.push((form, pose, color));
        }
    }
}

/// Replaces the visuals of a link by the display mesh of the body.
fn add_display_mesh(
    at: At,
    link: &mut Link,
    body: &BodySpec,
    folder: &Path,
    meshes: &mut Meshes,
    palette: &mut Palette,
) -> Result<(), FieldError<SceneFault>> {
    let Some(file) = &body.display_mesh else { return Ok(()) };
    let bytes = read_bytes(&folder.join(file), MAX_ASSET_BYTES)
        .map_err(|fault| at.field("display_mesh").fault(SceneFault::MeshFile(fault.to_string())))?;
    let kind = file.extension().map_or(String::new(), |kind| kind.to_string_lossy().to_ascii_lowercase());
    let name = file.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    let pose = Pose::from_translation(-offset(body));
    let color = body.color.map(|color| palette.index(color));
    link.visuals = vec![(Form::Mesh(meshes.file(&name, &kind, bytes)), pose, color)];
    Ok(())
}

/// Distinct colours.
#[derive(Default)]
pub(super) struct Palette {
    pub colors: Vec<DVec3>,
    index_by_bits: BTreeMap<[u64; 3], usize>,
}

impl Palette {
    fn index(&mut self, color: DVec3) -> usize {
        *self.index_by_bits.entry(color.to_array().map(f64::to_bits)).or_insert_with(|| {
            self.colors.push(color);
            self.colors.len() - 1
        })
    }
}

/// Returns the axes of a joint in order, and whether each is a slide.
pub(super) fn axes_of(joint: &JointSpec) -> Vec<(bool, &AxisSpec)> {
    match &joint.kind {
        JointKind::Weld(_) | JointKind::Free(_) | JointKind::Spherical(_) => Vec::new(),
        JointKind::Revolute(axis) => vec![(false, axis)],
        JointKind::Prismatic(axis) => vec![(true, axis)],
        JointKind::Universal(pair) => vec![(false, &pair.first), (false, &pair.second)],
        JointKind::Stack(stack) => {
            let mut axes = Vec::with_capacity(stack.axes.len());
            for axis in &stack.axes {
                axes.push(match axis {
                    StackAxisSpec::Hinge(axis) => (false, axis),
                    StackAxisSpec::Slide(axis) => (true, axis),
                });
            }
            axes
        }
    }
}

/// Returns the origin of a body's link in body coordinates, in m.
fn offset(body: &BodySpec) -> DVec3 {
    let Some(joint) = &body.joint else { return DVec3::ZERO };
    axes_of(joint).last().map_or(DVec3::ZERO, |&(is_slide, axis)| axis_point(joint, is_slide, axis, DVec3::ZERO))
}

/// Returns a point on the axis of a hinge in body coordinates, if possible the body's origin; for a slide, the given
/// default.
fn axis_point(joint: &JointSpec, is_slide: bool, axis: &AxisSpec, default: DVec3) -> DVec3 {
    let frame = joint.in_child.pose();
    let point = frame.transform_point(axis.anchor);
    match is_slide {
        true => default,
        false if point.cross(frame.rotation * axis.axis) == DVec3::ZERO => DVec3::ZERO,
        false => point,
    }
}

fn add_joints(
    scene: &SceneSpec,
    index_by_name: &Index,
    index: usize,
    model: &mut Model,
    names: &mut Names,
    joint_names: &mut Names,
) {
    let body = &scene.bodies[index];
    let child = index + 1;
    let joint = body.joint.as_ref().filter(|joint| !matches!(joint.kind, JointKind::Free(_)));
    let Some(joint) = joint else {
        let is_fixed = body.fixed || body.script.is_some();
        let name = joint_names.unique(&format!("{}_joint", model.links[child].name));
        let motion = if is_fixed { Motion::Fixed } else { Motion::Floating };
        model.joints.push(Joint { name, parent: 0, child, origin: body.pose(), motion });
        return;
    };
    let parent_body = joint.parent.as_deref().and_then(|parent| index_by_name.get(parent).copied());
    let mut parent = parent_body.map_or(0, |parent_body| parent_body + 1);
    let parent_offset = parent_body.map_or(DVec3::ZERO, |parent_body| offset(&scene.bodies[parent_body]));
    let frame = joint.in_child.pose();
    // Pose of the body in the parent link at joint position zero.
    let pose_in_parent = joint.in_parent.pose().compose(&frame.inverse());
    let pose_in_parent = Pose::new(pose_in_parent.rotation, pose_in_parent.translation - parent_offset);
    let axes = axes_of(joint);
    if axes.is_empty() {
        let name = joint_names.unique(&format!("{}_joint", model.links[child].name));
        model.joints.push(Joint { name, parent, child, origin: pose_in_parent, motion: Motion::Fixed });
        return;
    }
    let end = offset(body);
    model.has_chains |= axes.len() > 1;
    // Position of the previous link in body coordinates.
    let mut previous = None;
    for (place, &(is_slide, axis)) in axes.iter().enumerate() {
        let is_last = place + 1 == axes.len();
        let own = &model.links[child].name;
        let name = if axes.len() == 1 { format!("{own}_joint") } else { format!("{own}_joint_{}", place + 1) };
        let next = if is_last {
            child
        } else {
            let link = Link::empty(names.unique(&format!("{own}_axis_{}", place + 1)));
            model.links.push(link);
            model.links.len() - 1
        };
        let point = axis_point(joint, is_slide, axis, end);
        let origin = match previous {
            None => pose_in_parent.compose(&Pose::from_translation(point)),
            Some(previous) => Pose::from_translation(point - previous),
        };
        let axis = in_radians(joint, is_slide, AxisSpec { axis: rotate(frame.rotation, axis.axis), ..axis.clone() });
        let name = joint_names.unique(&name);
        model.joints.push(Joint { name, parent, child: next, origin, motion: Motion::Axis { is_slide, axis } });
        (parent, previous) = (next, Some(point));
    }
}

/// Rotates a direction; with the identity it keeps its bits.
fn rotate(rotation: DQuat, direction: DVec3) -> DVec3 {
    if rotation == DQuat::IDENTITY { direction } else { rotation * direction }
}

/// Converts the limits of an axis to rad or m.
fn in_radians(joint: &JointSpec, is_slide: bool, axis: AxisSpec) -> AxisSpec {
    let unit = if is_slide { 1.0 } else { joint.angle_unit.in_radians() };
    AxisSpec { limit: axis.limit.map(|limit| limit.map(|end| end * unit)), ..axis }
}
