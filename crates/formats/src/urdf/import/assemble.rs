//! Builds the bodies, joints, sites and actuators of a scene.
//!
//! The frame of a joint is that of the root link of its child group. Massless links between joints cannot move on their
//! own, so their joints are merged into one joint with several axes, in the frame of the first joint with all joint
//! positions at zero.

use std::collections::BTreeSet;
use std::path::Path;

use burgess_geometry::{MassProperties, Pose};
use burgess_scene::spec::{
    ActuatorSpec, AxisSpec, BodySpec, JointKind, JointSpec, Orientation, PoseSpec, SceneSpec, ShapeSpec, SiteSpec,
    StackAxisSpec, StackJoint, UniversalJoint, WeldJoint,
};
use glam::{DMat3, DVec3};

use super::UrdfWarnings;
use super::inertial::Mass;
use super::joint::{Joint, Motion};
use super::link::Link;
use super::rigid::{Group, Groups};
use super::robot::{Robot, Transmission};
use super::tree::Tree;
use crate::import::ImportError;
use crate::xml::Element;

/// Maximum number of axes between two bodies.
const MAX_AXES: usize = 6;

pub(super) fn assemble<'a>(
    root: &'a Element,
    robot: &Robot<'a>,
    tree: &Tree,
    groups: &Groups,
    warnings: &mut UrdfWarnings<'a>,
) -> Result<SceneSpec, ImportError> {
    let file_stem = || Path::new(&*root.file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = root.text("name").map(str::to_string).or_else(file_stem).unwrap_or_default();
    let scene = SceneSpec::new(&name, "");
    let axis_of_joint = vec![None; robot.joints.len()];
    let mut assembly = Assembly { robot, tree, groups, scene, axis_of_joint, actuator_names: BTreeSet::new() };
    for group in &groups.list {
        match (group.is_fixed, group.main) {
            (true, _) => assembly.add_fixed(group),
            (false, Some(main)) => assembly.add_moving(group, main)?,
            (false, None) => assembly.check_massless_group(group, warnings)?,
        }
        assembly.add_sites(group);
    }
    for transmission in &robot.transmissions {
        assembly.add_actuator(transmission, warnings);
    }
    Ok(assembly.scene)
}

struct Assembly<'s, 'a> {
    robot: &'s Robot<'a>,
    tree: &'s Tree,
    groups: &'s Groups,
    scene: SceneSpec,
    /// For each joint, the link whose body has it, and its first axis in the body's joint.
    axis_of_joint: Vec<Option<(usize, usize)>>,
    /// Names of actuators.
    actuator_names: BTreeSet<&'a str>,
}

impl<'s, 'a> Assembly<'s, 'a> {
    fn link(&self, index: usize) -> &'s Link<'a> {
        &self.robot.links[index]
    }

    /// Returns the links of a group that are bodies.
    fn bodies(&self, group: &'s Group) -> impl Iterator<Item = usize> + use<'s, 'a> {
        let groups = self.groups;
        group.links.iter().copied().filter(move |&link| groups.owner[link] == Some(link))
    }

    /// Adds the bodies of a fixed group and the bodies welded to them.
    fn add_fixed(&mut self, group: &'s Group) {
        for link in self.bodies(group) {
            let mut body = self.body(link);
            if let Some(parent_link) = self.parent_link(group, link) {
                body.joint = Some(self.weld(link, parent_link));
            } else {
                let start = PoseSpec::from(self.groups.start(link));
                (body.fixed, body.position, body.orientation) = (true, start.position, start.orientation);
                (body.mass, body.center_of_mass) = (None, None);
                body.inertia.clear();
            }
            self.scene.bodies.push(body);
        }
    }

    /// Adds the bodies of a moving group: the main body with its joint, and the others with welds.
    fn add_moving(&mut self, group: &'s Group, main: usize) -> Result<(), ImportError> {
        for link in self.bodies(group) {
            let mut body = self.body(link);
            if link != main {
                body.joint = Some(self.weld(link, self.parent_link(group, link).unwrap_or(main)));
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

    /// Returns the body of a link with the masses and shapes of the link and of the frames fixed to it, without a
    /// joint.
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
                ShapeSpec { color: own, ..transform_shape(shape, &frame) }
            }));
        }
        set_mass(&mut body, link, &points);
        // A display mesh replaces all shapes, so it is used only if the body has no shapes of other links.
        if others == 0 {
            body.display_mesh = link.display_mesh.clone();
        }
        body
    }

    /// Returns the link of a group whose body is the parent of another link's body.
    fn parent_link(&self, group: &Group, link: usize) -> Option<usize> {
        let parent_group = self.tree.parent_joint[link].filter(|_| link != group.root)?;
        self.groups.owner[self.robot.joints[parent_group].parent]
    }

    /// Returns a weld between two bodies of a group.
    fn weld(&self, link: usize, parent_link: usize) -> JointSpec {
        let frame = self.groups.frame[parent_link].inverse().compose(&self.groups.frame[link]);
        JointSpec::new(JointKind::Weld(WeldJoint {})).on(self.link(parent_link).name, frame.into())
    }

    /// Returns the joints from the parent body, or the world, down to a group; `None` if the group floats.
    fn chain(&self, group: &Group) -> Result<Option<Vec<usize>>, ImportError> {
        let mut chain = Vec::new();
        let mut next = group.joint;
        while let Some(index) = next {
            let joint = &self.robot.joints[index];
            if let Motion::Floating = joint.motion {
                break;
            }
            chain.push(index);
            let parent_group = &self.groups.list[self.groups.of_link[joint.parent]];
            next = parent_group.joint.filter(|_| !parent_group.is_fixed && parent_group.main.is_none());
            if chain.len() > MAX_AXES {
                return Err(joint.conflict(
                    "there are more than six axes between two links with mass; add an <inertial> to a link between them",
                ));
            }
        }
        chain.reverse();
        Ok((!chain.is_empty()).then_some(chain))
    }

    /// Merges a chain of joints into one joint.
    fn joint(&mut self, chain: &[usize], main: usize) -> Result<JointSpec, ImportError> {
        let (first, last) = (&self.robot.joints[chain[0]], &self.robot.joints[chain[chain.len() - 1]]);
        let mut axes = Vec::new();
        // Frame of the current joint in the frame of the first.
        let mut frame = Pose::IDENTITY;
        for (place, &index) in chain.iter().enumerate() {
            let joint = &self.robot.joints[index];
            if place > 0 {
                frame = frame.compose(&self.groups.frame[joint.parent]).compose(&joint.origin);
            }
            match &joint.motion {
                Motion::Axes(own) => {
                    self.axis_of_joint[index] = Some((main, axes.len()));
                    axes.extend(own.iter().map(|axis| transform_axis(axis, &frame)));
                }
                _ if chain.len() > 1 => {
                    return Err(
                        joint.conflict("a ball joint cannot connect links without mass; add an <inertial> to them")
                    );
                }
                _ => {}
            }
        }
        if axes.len() > MAX_AXES {
            return Err(last.conflict(
                "there are more than six axes between two links with mass; add an <inertial> to a link between them",
            ));
        }
        let parent_link = self.groups.owner[first.parent];
        let in_child = frame.compose(&self.groups.frame[main]).inverse();
        Ok(JointSpec {
            kind: joint_kind(axes),
            parent: parent_link.map(|parent_link| self.link(parent_link).name.to_string()),
            in_parent: self.groups.in_owner(first.parent).compose(&first.origin).into(),
            in_child: in_child.into(),
            angle_unit: Default::default(),
        })
    }

    /// Checks that a massless group is inside a chain of joints.
    fn check_massless_group(&self, group: &Group, warnings: &mut UrdfWarnings<'a>) -> Result<(), ImportError> {
        let link = self.link(group.root);
        let joint = group.joint.map(|joint| &self.robot.joints[joint]);
        let is_attached = joint.is_some_and(|joint: &Joint| matches!(joint.motion, Motion::Axes(_)));
        if !(is_attached && (group.attached, group.floating) == (1, 0)) {
            let name = link.name;
            let why = match joint {
                Some(joint) => {
                    format!("link '{name}' has no inertia, but moves on joint '{}' without another link", joint.name)
                }
                None => format!("link '{name}' has no inertia, but moves freely"),
            };
            return Err(link.element.conflict(format!("{why}; add an <inertial> with mass and inertia")));
        }
        for &link in &group.links {
            let Link { shapes, mass, element, .. } = self.link(link);
            if !shapes.is_empty() || mass.is_some() {
                warnings.add("shapes and point masses of links without inertia between joints", element);
            }
        }
        Ok(())
    }

    /// Adds sites for massless frames.
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

    fn add_actuator(&mut self, transmission: &Transmission<'a>, warnings: &mut UrdfWarnings<'a>) {
        let Some((link, axis)) = self.axis_of_joint[transmission.joint] else {
            warnings.add("transmissions of joints without an axis (transmission)", transmission.element);
            return;
        };
        if !self.actuator_names.insert(transmission.name) {
            warnings.add("transmissions with duplicate actuator names (transmission)", transmission.element);
            return;
        }
        let Motion::Axes(axes) = &self.robot.joints[transmission.joint].motion else { return };
        let [StackAxisSpec::Hinge(own) | StackAxisSpec::Slide(own)] = &axes[..] else {
            warnings.add("transmissions of planar joints (transmission)", transmission.element);
            return;
        };
        let motor = ActuatorSpec::motor(transmission.name, self.link(link).name, axis);
        let force_range = own.max_effort.map(|effort| [-effort, effort]);
        self.scene.actuators.push(ActuatorSpec { force_range, ..motor });
    }
}

/// Sets the mass of a body from its link and the point masses on it.
fn set_mass(body: &mut BodySpec, link: &Link, points: &[(f64, DVec3)]) {
    let more: f64 = points.iter().map(|&(mass, _)| mass).sum();
    let own = match &link.mass {
        None | Some(Mass::Point(..)) => return,
        Some(Mass::OfShapes(mass)) => return body.mass = Some(mass + more),
        Some(Mass::Given(own)) => own,
    };
    let point = |&(mass, center_of_mass)| MassProperties { mass, center_of_mass, inertia: DMat3::ZERO };
    let all = std::iter::once(*own).chain(points.iter().map(point));
    // Without point masses the numbers keep their bits.
    let total = MassProperties::combined(all).filter(|_| !points.is_empty()).unwrap_or(*own);
    body.mass = Some(total.mass);
    body.center_of_mass = Some(total.center_of_mass).filter(|center| *center != DVec3::ZERO);
    let [x, y, z] = [total.inertia.x_axis, total.inertia.y_axis, total.inertia.z_axis];
    body.inertia = vec![x.x, y.y, z.z, x.y, x.z, y.z];
    if body.inertia[3..] == [0.0; 3] {
        body.inertia.truncate(3);
    }
}

/// Transforms an axis from a frame to its parent frame.
fn transform_axis(axis: &StackAxisSpec, frame: &Pose) -> StackAxisSpec {
    match axis {
        StackAxisSpec::Hinge(own) => {
            let (axis, anchor) = (frame.rotation * own.axis, frame.translation);
            StackAxisSpec::Hinge(AxisSpec { axis, anchor, ..own.clone() })
        }
        StackAxisSpec::Slide(own) => StackAxisSpec::Slide(AxisSpec { axis: frame.rotation * own.axis, ..own.clone() }),
    }
}

/// Returns the simplest joint with the given axes; a ball joint if there are none.
fn joint_kind(mut axes: Vec<StackAxisSpec>) -> JointKind {
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

/// Transforms a shape from a frame on a body to body coordinates.
fn transform_shape(shape: &ShapeSpec, frame: &Pose) -> ShapeSpec {
    if *frame == Pose::IDENTITY {
        return shape.clone();
    }
    let own = PoseSpec { position: shape.position, orientation: shape.orientation }.pose();
    let placed = frame.compose(&own);
    shape.clone().at(placed.translation).turned(Orientation::from_quaternion(placed.rotation))
}
