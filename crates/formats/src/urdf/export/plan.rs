//! Links and joints of the file.
//!
//! At zero a body stands on its parent at `X = P C^-1`, with P the joint's frame on the parent and C that on the body. The
//! link of a body is turned as the body is and moved by `d` in its coordinates: to a point of the hinge's axis, or not at
//! all. From a parent link to the link of a body it is then `T(-d_parent) X T(d)`, and the axis is `C axis`.
//!
//! Several axes make a chain: link k, without mass, stands at `t_k` in the body's coordinates, on the axis of hinge k, and
//! the last one is the body's.

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
    /// In the link's coordinates.
    pub mass: Option<MassProperties>,
    /// With colours: index among those of the model.
    pub visuals: Vec<(Form, Pose, Option<usize>)>,
    pub collisions: Vec<(Form, Pose)>,
}

/// A joint between two links, by index.
pub(super) struct Joint {
    pub name: String,
    pub parent: usize,
    pub child: usize,
    /// The child's frame in the parent's coordinates at zero.
    pub origin: Pose,
    pub motion: Motion,
}

/// How the child moves.
pub(super) enum Motion {
    Fixed,
    Floating,
    /// About or along an axis, which is in the child's coordinates; limits in rad or m.
    Axis {
        slides: bool,
        axis: AxisSpec,
    },
}

/// A motor.
pub(super) struct Drive {
    pub name: String,
    /// Name of the joint.
    pub joint: String,
}

/// All that is written.
#[derive(Default)]
pub(super) struct Model {
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    pub drives: Vec<Drive>,
    pub palette: Palette,
    /// Some joints are chains of links without mass.
    pub has_chains: bool,
}

/// Bodies by name.
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
    model.links.push(Link::empty(names.give(WORLD)));
    let list = At::ROOT.field("bodies");
    // Bodies first, so that they keep their names.
    for (index, (body, made)) in scene.bodies.iter().zip(&built.bodies).enumerate() {
        let mut link = Link { mass: mass_of(made, offset(body)), ..Link::empty(names.give(&body.name)) };
        add_forms(&mut link, built, body, made, meshes, &mut model.palette, warnings);
        add_display_mesh(list.index(index), &mut link, body, folder, meshes, &mut model.palette)?;
        model.links.push(link);
    }
    let mut joint_names = Names::default();
    // By body and axis: the joint.
    let mut joint_by_axis: Vec<Vec<usize>> = Vec::with_capacity(scene.bodies.len());
    for index in 0..scene.bodies.len() {
        let first = model.joints.len();
        add_joints(scene, &index_by_name, index, &mut model, &mut names, &mut joint_names);
        joint_by_axis.push((first..model.joints.len()).collect());
    }
    for site in &scene.sites {
        let body = site.body.as_deref().and_then(|name| index_by_name.get(name).copied());
        let offset = body.map_or(DVec3::ZERO, |body| offset(&scene.bodies[body]));
        let name = names.give(&site.name);
        let pose = site.pose();
        model.joints.push(Joint {
            name: joint_names.give(&format!("{name}_joint")),
            parent: body.map_or(0, |body| body + 1),
            child: model.links.len(),
            origin: Pose::new(pose.rotation, pose.translation - offset),
            motion: Motion::Fixed,
        });
        model.links.push(Link::empty(name));
    }
    let mut drive_names = Names::default();
    for actuator in &scene.actuators {
        let joint = index_by_name.get(&*actuator.joint).and_then(|&body| joint_by_axis[body].get(actuator.axis));
        let Some(joint) = joint.map(|&joint| &mut model.joints[joint]) else { continue };
        let Motion::Axis { axis, .. } = &mut joint.motion else { continue };
        axis.max_effort = axis.max_effort.or(strength(actuator));
        model.drives.push(Drive { name: drive_names.give(&actuator.name), joint: joint.name.clone() });
    }
    Ok(model)
}

/// The largest effort of a motor, if it is the same both ways, in N m or N.
pub(super) fn strength(actuator: &ActuatorSpec) -> Option<f64> {
    let [low, high] = actuator.force_range?;
    (low == -high && actuator.gear * actuator.gain == 1.0).then_some(actuator.gear.abs() * high)
}

impl Link {
    fn empty(name: String) -> Self {
        Self { name, mass: None, visuals: Vec::new(), collisions: Vec::new() }
    }
}

/// The mass of a body, in the coordinates of its link.
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
        let mut note = || {
            warnings.add_named("capsules, ellipsoids, cones and frustums become meshes with flat faces", &body.name);
        };
        let forms = meshes.forms(&body.name, &collider.shape, &mut note);
        if forms.is_empty() {
            warnings.add_named("half-spaces and height fields are left out", &body.name);
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

/// What is shown instead of the shapes.
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
    let wanted = file.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    let pose = Pose::from_translation(-offset(body));
    let color = body.color.map(|color| palette.index(color));
    link.visuals = vec![(Form::Mesh(meshes.file(&wanted, &kind, bytes)), pose, color)];
    Ok(())
}

/// Colours, each once.
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

/// The axes of a joint in order; does each slide?
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

/// Where the link of a body has its origin, in the body's coordinates, in m.
fn offset(body: &BodySpec) -> DVec3 {
    let Some(joint) = &body.joint else { return DVec3::ZERO };
    axes_of(joint).last().map_or(DVec3::ZERO, |&(slides, axis)| place_of(joint, slides, axis, DVec3::ZERO))
}

/// A point of a hinge's axis in the body's coordinates: the body's origin if it is on it. A slide may be anywhere.
fn place_of(joint: &JointSpec, slides: bool, axis: &AxisSpec, anywhere: DVec3) -> DVec3 {
    let frame = joint.in_child.pose();
    let point = frame.transform_point(axis.anchor);
    match slides {
        true => anywhere,
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
        let stands = body.fixed || body.script.is_some();
        let name = joint_names.give(&format!("{}_joint", model.links[child].name));
        let motion = if stands { Motion::Fixed } else { Motion::Floating };
        model.joints.push(Joint { name, parent: 0, child, origin: body.pose(), motion });
        return;
    };
    let above = joint.parent.as_deref().and_then(|parent| index_by_name.get(parent).copied());
    let mut parent = above.map_or(0, |above| above + 1);
    let parent_offset = above.map_or(DVec3::ZERO, |above| offset(&scene.bodies[above]));
    let frame = joint.in_child.pose();
    // The body at zero in the coordinates of the link that it hangs on.
    let stance = joint.in_parent.pose().compose(&frame.inverse());
    let stance = Pose::new(stance.rotation, stance.translation - parent_offset);
    let axes = axes_of(joint);
    if axes.is_empty() {
        let name = joint_names.give(&format!("{}_joint", model.links[child].name));
        model.joints.push(Joint { name, parent, child, origin: stance, motion: Motion::Fixed });
        return;
    }
    let end = offset(body);
    model.has_chains |= axes.len() > 1;
    // Where the link above stands, in the body's coordinates.
    let mut before = None;
    for (place, &(slides, axis)) in axes.iter().enumerate() {
        let is_last = place + 1 == axes.len();
        let own = &model.links[child].name;
        let name = if axes.len() == 1 { format!("{own}_joint") } else { format!("{own}_joint_{}", place + 1) };
        let next = if is_last {
            child
        } else {
            let link = Link::empty(names.give(&format!("{own}_axis_{}", place + 1)));
            model.links.push(link);
            model.links.len() - 1
        };
        let here = place_of(joint, slides, axis, end);
        let origin = match before {
            None => stance.compose(&Pose::from_translation(here)),
            Some(before) => Pose::from_translation(here - before),
        };
        let axis = in_radians(joint, slides, AxisSpec { axis: turned(frame.rotation, axis.axis), ..axis.clone() });
        let name = joint_names.give(&name);
        model.joints.push(Joint { name, parent, child: next, origin, motion: Motion::Axis { slides, axis } });
        (parent, before) = (next, Some(here));
    }
}

/// A direction of any length in another frame; one that is not turned keeps its bits.
fn turned(rotation: DQuat, direction: DVec3) -> DVec3 {
    if rotation == DQuat::IDENTITY { direction } else { rotation * direction }
}

/// The same axis with its limits in rad or m.
fn in_radians(joint: &JointSpec, slides: bool, axis: AxisSpec) -> AxisSpec {
    let unit = if slides { 1.0 } else { joint.angle_unit.in_radians() };
    AxisSpec { limit: axis.limit.map(|limit| limit.map(|end| end * unit)), ..axis }
}
