//! Converts a parsed model to a scene.
//!
//! Every body becomes a body of the scene with the same name. Static bodies become fixed bodies; children of static
//! bodies become children of the world, so that they can touch the static body (MuJoCo excludes contacts with the
//! parent only if the parent can move). A joint's frame is the body frame, so axes and anchors are in body coordinates.
//! Masses are given explicitly.

use burgess_scene::spec::{
    AxisSpec, BodySpec, FreeJoint, JointKind, JointSpec, Orientation, PoseSpec, ShapeSpec, SphericalJoint,
    StackAxisSpec, StackJoint, WeldJoint,
};
use glam::{DMat3, DVec3};

use super::actuator::Actuators;
use super::contacts::Contacts;
use super::geom::Geom;
use super::inertia::Inertia;
use super::joint::{Joint, Kind};
use super::options::Options;
use super::tree::{Body, Tree};
use crate::mjcf::state_map::{MappedKind, StateMap};

/// Mass of a massless body that is fixed to others, in kg; a scene requires positive masses.
const NEGLIGIBLE_MASS: f64 = 1e-12;
/// Smallest principal moment of inertia, in kg m^2; a scene requires positive moments.
const NEGLIGIBLE_INERTIA: f64 = 1e-18;

/// Inputs of building a scene.
pub(super) struct SceneBuilder<'a> {
    pub tree: &'a Tree<'a>,
    pub contacts: &'a Contacts,
    pub options: &'a Options,
    pub actuators: &'a Actuators,
}

impl SceneBuilder<'_> {
    /// Returns all bodies in MuJoCo's order; the world is included only if it has geoms.
    pub fn bodies(&self) -> Vec<BodySpec> {
        let bodies = self.tree.bodies.iter().enumerate();
        let included = bodies.filter(|(index, body)| *index > 0 || !body.geoms.is_empty());
        included.map(|(index, body)| self.body(index, body)).collect()
    }

    fn body(&self, index: usize, body: &Body) -> BodySpec {
        let mut spec = BodySpec { name: body.name.clone(), ..BodySpec::default() };
        spec.shapes = body.geoms.iter().filter_map(|geom| self.shape(index, geom)).collect();
        if body.is_static {
            spec.fixed = true;
            place(&mut spec, body);
            return spec;
        }
        set_mass(&mut spec, body.inertia);
        let [first, ..] = &body.joints[..] else {
            spec.joint = Some(self.attach(JointKind::Weld(WeldJoint {}), body));
            return spec;
        };
        match first.kind {
            Kind::Free => {
                place(&mut spec, body);
                let damping = if self.options.dampers() { first.damping } else { 0.0 };
                spec.joint = (damping > 0.0).then(|| {
                    JointSpec::new(JointKind::Free(FreeJoint { linear_damping: damping, angular_damping: damping }))
                });
            }
            Kind::Ball => {
                let mut joint = self.attach(JointKind::Spherical(Box::new(self.ball(index, first))), body);
                joint.in_child = PoseSpec::at(first.anchor);
                joint.in_parent.position = joint.in_parent.pose().transform_point(first.anchor);
                spec.joint = Some(joint);
            }
            Kind::Slide | Kind::Hinge => spec.joint = Some(self.attach(self.axes(index, body), body)),
        }
        spec
    }

    fn axes(&self, index: usize, body: &Body) -> JointKind {
        if let [joint] = &body.joints[..] {
            let axis = self.axis(index, 0, joint);
            return if joint.kind == Kind::Slide { JointKind::Prismatic(axis) } else { JointKind::Revolute(axis) };
        }
        let axes = body.joints.iter().enumerate().map(|(place, joint)| {
            let axis = self.axis(index, place, joint);
            if joint.kind == Kind::Slide { StackAxisSpec::Slide(axis) } else { StackAxisSpec::Hinge(axis) }
        });
        JointKind::Stack(StackJoint { axes: axes.collect() })
    }

    fn axis(&self, body: usize, place: usize, joint: &Joint) -> AxisSpec {
        let mut axis = joint.spec();
        let (damping, armature) = self.added(body, place);
        axis.damping = if self.options.dampers() { axis.damping + damping } else { 0.0 };
        axis.armature += armature;
        if !self.options.springs() {
            (axis.stiffness, axis.rest) = (0.0, 0.0);
        }
        axis.limit = axis.limit.filter(|_| self.options.limits());
        axis.friction = if self.options.friction_loss() { axis.friction } else { 0.0 };
        axis
    }

    fn ball(&self, body: usize, joint: &Joint) -> SphericalJoint {
        // A ball joint has the parameters of one axis for all axes.
        let axis = self.axis(body, 0, joint);
        SphericalJoint {
            limit: axis.limit.map(|[_, high]| high.max(0.0)),
            stiffness: axis.stiffness,
            damping: axis.damping,
            friction: axis.friction,
            armature: axis.armature,
            ..SphericalJoint::default()
        }
    }

    /// Returns the damping and armature that actuators add to a joint.
    fn added(&self, body: usize, joint: usize) -> (f64, f64) {
        self.actuators.added.get(&(body, joint)).copied().unwrap_or_default()
    }

    /// Returns a joint to the parent at the body's reference pose.
    fn attach(&self, kind: JointKind, body: &Body) -> JointSpec {
        let parent = &self.tree.bodies[body.parent];
        let joint = JointSpec::new(kind);
        if parent.is_static {
            JointSpec { in_parent: body.world_pose.into(), ..joint }
        } else {
            joint.on(&parent.name, body.pose.into())
        }
    }

    fn shape(&self, body: usize, geom: &Geom) -> Option<ShapeSpec> {
        let (group, mask, material) = self.contacts.of(body, &geom.settings);
        Some(ShapeSpec {
            position: geom.pose.translation,
            orientation: Orientation::from_quaternion(geom.pose.rotation),
            material,
            group,
            mask,
            margin: if mask == 0 { 0.0 } else { geom.settings.margin },
            color: geom.color,
            ..ShapeSpec::new(geom.shape.clone()?)
        })
    }

    /// Returns the pairs of bodies without contacts. Bodies with planes are excluded by groups instead.
    pub fn exclusions(&self, pairs: &[[usize; 2]]) -> Vec<[String; 2]> {
        let bodies = &self.tree.bodies;
        let excludable_by_name = |index: &usize| !bodies[*index].geoms.is_empty() && !bodies[*index].has_plane;
        let by_name = pairs.iter().filter(|pair| pair.iter().all(excludable_by_name));
        by_name.map(|pair| pair.map(|index| bodies[index].name.clone())).collect()
    }

    /// Returns the joints and actuators in MuJoCo's order.
    pub fn state_map(&self) -> StateMap {
        let mut map = StateMap::new(self.actuators.order.clone());
        for body in &self.tree.bodies {
            for (axis, joint) in body.joints.iter().enumerate() {
                let kind = match joint.kind {
                    Kind::Free => MappedKind::Free,
                    Kind::Ball => MappedKind::Ball,
                    Kind::Slide | Kind::Hinge => MappedKind::Axis { axis, reference: joint.reference },
                };
                map.push(joint.name.clone(), body.name.clone(), kind);
            }
        }
        map
    }
}

fn place(spec: &mut BodySpec, body: &Body) {
    spec.position = body.world_pose.translation;
    spec.orientation = Orientation::from_quaternion(body.world_pose.rotation);
}

/// Sets mass, centre of mass and inertia; bodies without mass get negligible values.
fn set_mass(spec: &mut BodySpec, own: Option<Inertia>) {
    let negligible = Inertia { mass: NEGLIGIBLE_MASS, center_of_mass: DVec3::ZERO, inertia: DMat3::ZERO };
    let mut own = own.unwrap_or(negligible);
    if own.principal_axes().0.min_element() < NEGLIGIBLE_INERTIA {
        own.inertia += DMat3::from_diagonal(DVec3::splat(NEGLIGIBLE_INERTIA));
    }
    spec.mass = Some(own.mass);
    spec.center_of_mass = Some(own.center_of_mass);
    let [x, y, z] = [own.inertia.x_axis, own.inertia.y_axis, own.inertia.z_axis];
    spec.inertia = vec![x.x, y.y, z.z];
    if [x.y, x.z, y.z] != [0.0; 3] {
        spec.inertia.extend([x.y, x.z, y.z]);
    }
}
