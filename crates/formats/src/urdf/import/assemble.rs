//! Bodies, joints, sites and actuators of a scene.
//!
//! A joint's frame is that of the root of the group below it. Links without mass between joints have no inertia that
//! could move alone, so their joints become the axes of one: each axis is told in the frame of the first joint, as all of
//! them stand at zero.

use std::collections::BTreeSet;
use std::path::Path;

use burgess_geometry::{MassProperties, Pose};
use burgess_scene::spec::{
    ActuatorSpec, AxisSpec, BodySpec, JointKind, JointSpec, Orientation, PoseSpec, SceneSpec, ShapeSpec, SiteSpec,
    StackAxisSpec, StackJoint, UniversalJoint, WeldJoint,
};
use glam::{DMat3, DVec3};

use super::Notes;
use super::inertial::Mass;
use super::joint::{Joint, Motion};
use super::link::Link;
use super::rigid::{Group, Groups};
use super::robot::{Drive, Robot};
use super::tree::Tree;
use crate::import::ImportError;
use crate::xml::Element;

/// More axes between two bodies are refused.
const MAX_AXES: usize = 6;

pub(super) fn assemble<'a>(
    root: &'a Element,
    robot: &Robot<'a>,
    tree: &Tree,
    groups: &Groups,
    notes: &mut Notes<'a>,
) -> Result<SceneSpec, ImportError> {
    let of_file = || Path::new(&*root.file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = root.text("name").map(str::to_string).or_else(of_file).unwrap_or_default();
    let scene = SceneSpec::new(&name, "");
    let driven = vec![None; robot.joints.len()];
    let mut assembly = Assembly { robot, tree, groups, scene, driven, drives: BTreeSet::new() };
    for group in &groups.list {
        match (group.is_fixed, group.main) {
            (true, _) => assembly.add_fixed(group),
            (false, Some(main)) => assembly.add_moving(group, main)?,
            (false, None) => assembly.check_between(group, notes)?,
        }
        assembly.add_sites(group);
    }
    for drive in &robot.drives {
        assembly.add_motor(drive, notes);
    }
    Ok(assembly.scene)
}

struct Assembly<'s, 'a> {
    robot: &'s Robot<'a>,
    tree: &'s Tree,
    groups: &'s Groups,
    scene: SceneSpec,
    /// By joint: the link whose body has it, and its first axis there.
    driven: Vec<Option<(usize, usize)>>,
    /// Names of actuators.
    drives: BTreeSet<&'a str>,
}

impl<'s, 'a> Assembly<'s, 'a> {
    fn link(&self, index: usize) -> &'s Link<'a> {
        &self.robot.links[index]
    }

    /// The links of a group that are bodies.
    fn bodies(&self, group: &'s Group) -> impl Iterator<Item = usize> + use<'s, 'a> {
        let groups = self.groups;
        group.links.iter().copied().filter(move |&link| groups.owner[link] == Some(link))
    }

    /// Parts of the world, and what is welded to them.
    fn add_fixed(&mut self, group: &'s Group) {
        for link in self.bodies(group) {
            let mut body = self.body(link);
            if let Some(carrier) = self.carrier(group, link) {
                body.joint = Some(self.weld(link, carrier));
            } else {
                let start = PoseSpec::from(self.groups.start(link));
                (body.fixed, body.position, body.orientation) = (true, start.position, start.orientation);
                (body.mass, body.center_of_mass) = (None, None);
                body.inertia.clear();
            }
            self.scene.bodies.push(body);
        }
    }

    /// The main body on its joint, the others welded to it or to each other.
    fn add_moving(&mut self, group: &'s Group, main: usize) -> Result<(), ImportError> {
        for link in self.bodies(group) {
            let mut body = self.body(link);
            if link != main {
                body.joint = Some(self.weld(link, self.carrier(group, link).unwrap_or(main)));
            } else if let Some(chain) = self.chain(group)? {
                body.joint = Some(self.joint(&chain, main)?);
            } else {
                let start = PoseSpec::from(self.groups.start(link));
                (body.position, body.orientation) = (start.position, start.orientation);
            }
            self.scene.bodies.push(body);
        }
        Ok(())
    }

    /// A link with its mass and shapes, and those of the frames on it, without a joint.
    fn body(&self, index: usize) -> BodySpec {
        let link = self.link(index);
        let mut body = BodySpec { name: link.name.to_string(), color: link.color, ..BodySpec::default() };
        let (mut others, mut points) = (0, Vec::new());
        for &member in &self.groups.members[index] {
            let frame = self.groups.in_owner(member);
            let shapes = &self.link(member).shapes;
            others += if member == index { 0 } else { shapes.len() };
            if let Some(Mass::Point(mass, place)) = self.link(member).mass {
                points.push((mass, frame.transform_point(place)));
            }
            let color = self.link(member).color;
            body.shapes.extend(shapes.iter().map(|shape| {
                let own = shape.color.or(color).filter(|&own| Some(own) != body.color);
                ShapeSpec { color: own, ..moved(shape, &frame) }
            }));
        }
        set_mass(&mut body, link, &points);
        // What is shown instead of the shapes must not hide those of others.
        if others == 0 {
            body.display_mesh = link.display_mesh.clone();
        }
        body
    }

    /// The link of a group whose body is the next above another one's.
    fn carrier(&self, group: &Group, link: usize) -> Option<usize> {
        let above = self.tree.joint_above[link].filter(|_| link != group.root)?;
        self.groups.owner[self.robot.joints[above].parent]
    }

    /// Holds a body of a group to another one.
    fn weld(&self, link: usize, carrier: usize) -> JointSpec {
        let frame = self.groups.frame[carrier].inverse().compose(&self.groups.frame[link]);
        JointSpec::new(JointKind::Weld(WeldJoint {})).on(self.link(carrier).name, frame.into())
    }

    /// The joints from the next body or the world above down to a group; nothing if it floats.
    fn chain(&self, group: &Group) -> Result<Option<Vec<usize>>, ImportError> {
        let mut chain = Vec::new();
        let mut next = group.joint;
        while let Some(index) = next {
            let joint = &self.robot.joints[index];
            if let Motion::Floating = joint.motion {
                break;
            }
            chain.push(index);
            let above = &self.groups.list[self.groups.of_link[joint.parent]];
            next = above.joint.filter(|_| !above.is_fixed && above.main.is_none());
            if chain.len() > MAX_AXES {
                return Err(joint.conflict(
                    "more than six axes between two links with mass; give a link between them an <inertial>",
                ));
            }
        }
        chain.reverse();
        Ok((!chain.is_empty()).then_some(chain))
    }

    /// One joint of all that are in a chain.
    fn joint(&mut self, chain: &[usize], main: usize) -> Result<JointSpec, ImportError> {
        let (first, last) = (&self.robot.joints[chain[0]], &self.robot.joints[chain[chain.len() - 1]]);
        let mut axes = Vec::new();
        // The frame of the joint at hand in that of the first.
        let mut frame = Pose::IDENTITY;
        for (place, &index) in chain.iter().enumerate() {
            let joint = &self.robot.joints[index];
            if place > 0 {
                frame = frame.compose(&self.groups.frame[joint.parent]).compose(&joint.origin);
            }
            match &joint.motion {
                Motion::Axes(own) => {
                    self.driven[index] = Some((main, axes.len()));
                    axes.extend(own.iter().map(|axis| seen_from(axis, &frame)));
                }
                _ if chain.len() > 1 => {
                    return Err(joint.conflict("a ball joint between links without mass; give them an <inertial>"));
                }
                _ => {}
            }
        }
        if axes.len() > MAX_AXES {
            return Err(
                last.conflict("more than six axes between two links with mass; give a link between them an <inertial>")
            );
        }
        let carrier = self.groups.owner[first.parent];
        let in_child = frame.compose(&self.groups.frame[main]).inverse();
        Ok(JointSpec {
            kind: kind(axes),
            parent: carrier.map(|carrier| self.link(carrier).name.to_string()),
            in_parent: self.groups.in_owner(first.parent).compose(&first.origin).into(),
            in_child: in_child.into(),
            angle_unit: Default::default(),
        })
    }

    /// A group without mass must be within a chain of joints.
    fn check_between(&self, group: &Group, notes: &mut Notes<'a>) -> Result<(), ImportError> {
        let link = self.link(group.root);
        let joint = group.joint.map(|joint| &self.robot.joints[joint]);
        let hangs = joint.is_some_and(|joint: &Joint| matches!(joint.motion, Motion::Axes(_)));
        if !(hangs && (group.hanging, group.floating) == (1, 0)) {
            let name = link.name;
            let why = match joint {
                Some(joint) => format!("link '{name}' has no inertia, but would move alone on joint '{}'", joint.name),
                None => format!("link '{name}' has no inertia, but would move freely"),
            };
            return Err(link.element.conflict(format!("{why}; give it an <inertial> with a mass and an inertia")));
        }
        for &link in &group.links {
            let Link { shapes, mass, element, .. } = self.link(link);
            if !shapes.is_empty() || mass.is_some() {
                notes.add("shapes and masses of links without inertia between joints", element);
            }
        }
        Ok(())
    }

    /// Frames without mass keep their names.
    fn add_sites(&mut self, group: &Group) {
        if !group.is_fixed && group.main.is_none() {
            return;
        }
        for &index in &group.links {
            let (link, owner) = (self.link(index), self.groups.owner[index]);
            let is_the_world = owner.is_none() && index == group.root;
            if owner == Some(index) || is_the_world {
                continue;
            }
            let PoseSpec { position, orientation } = self.groups.in_owner(index).into();
            let body = owner.map(|owner| self.link(owner).name.to_string());
            self.scene.sites.push(SiteSpec { name: link.name.to_string(), body, position, orientation });
        }
    }

    fn add_motor(&mut self, drive: &Drive<'a>, notes: &mut Notes<'a>) {
        let Some((link, axis)) = self.driven[drive.joint] else {
            notes.add("transmissions of joints without an axis", drive.element);
            return;
        };
        if !self.drives.insert(drive.name) {
            notes.add("transmissions with the name of another", drive.element);
            return;
        }
        let Motion::Axes(axes) = &self.robot.joints[drive.joint].motion else { return };
        let [StackAxisSpec::Hinge(own) | StackAxisSpec::Slide(own)] = &axes[..] else {
            notes.add("transmissions of planar joints", drive.element);
            return;
        };
        let motor = ActuatorSpec::motor(drive.name, self.link(link).name, axis);
        let force_range = own.max_effort.map(|effort| [-effort, effort]);
        self.scene.actuators.push(ActuatorSpec { force_range, ..motor });
    }
}

/// The mass of a link and of the points on it.
fn set_mass(body: &mut BodySpec, link: &Link, points: &[(f64, DVec3)]) {
    let more: f64 = points.iter().map(|&(mass, _)| mass).sum();
    let own = match &link.mass {
        None | Some(Mass::Point(..)) => return,
        Some(Mass::OfShapes(mass)) => return body.mass = Some(mass + more),
        Some(Mass::Given(own)) => own,
    };
    let point = |&(mass, center_of_mass)| MassProperties { mass, center_of_mass, inertia: DMat3::ZERO };
    let all = std::iter::once(*own).chain(points.iter().map(point));
    // A mass alone keeps its bits.
    let whole = MassProperties::combined(all).filter(|_| !points.is_empty()).unwrap_or(*own);
    body.mass = Some(whole.mass);
    body.center_of_mass = Some(whole.center_of_mass).filter(|center| *center != DVec3::ZERO);
    let [x, y, z] = [whole.inertia.x_axis, whole.inertia.y_axis, whole.inertia.z_axis];
    body.inertia = vec![x.x, y.y, z.z, x.y, x.z, y.z];
    if body.inertia[3..] == [0.0; 3] {
        body.inertia.truncate(3);
    }
}

/// One axis of a joint, told in another frame.
fn seen_from(axis: &StackAxisSpec, frame: &Pose) -> StackAxisSpec {
    match axis {
        StackAxisSpec::Hinge(own) => {
            let (axis, anchor) = (frame.rotation * own.axis, frame.translation);
            StackAxisSpec::Hinge(AxisSpec { axis, anchor, ..own.clone() })
        }
        StackAxisSpec::Slide(own) => StackAxisSpec::Slide(AxisSpec { axis: frame.rotation * own.axis, ..own.clone() }),
    }
}

/// The plainest kind for some axes; a ball for none.
fn kind(mut axes: Vec<StackAxisSpec>) -> JointKind {
    match &mut axes[..] {
        [] => JointKind::Spherical(Box::default()),
        [StackAxisSpec::Hinge(axis)] => JointKind::Revolute(axis.clone()),
        [StackAxisSpec::Slide(axis)] => JointKind::Prismatic(axis.clone()),
        [StackAxisSpec::Hinge(first), StackAxisSpec::Hinge(second)] => {
            JointKind::Universal(UniversalJoint { first: first.clone(), second: second.clone() })
        }
        _ => JointKind::Stack(StackJoint { axes }),
    }
}

/// A shape of a frame on a body, in the body's coordinates.
fn moved(shape: &ShapeSpec, frame: &Pose) -> ShapeSpec {
    if *frame == Pose::IDENTITY {
        return shape.clone();
    }
    let own = PoseSpec { position: shape.position, orientation: shape.orientation }.pose();
    let placed = frame.compose(&own);
    shape.clone().at(placed.translation).turned(Orientation::from_quaternion(placed.rotation))
}
