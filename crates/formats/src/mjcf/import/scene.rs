//! From a model that was read to a scene.
//!
//! Every body is one of the scene's, by its name. What stands in the world is fixed there; what hangs on it hangs on the
//! world itself, so that the two can touch (MuJoCo only lets bodies pass through their parents where those can move). A joint's
//! frame is the body's own, so that axes and anchors are in the body's coordinates. Masses are given outright.

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

/// Stands in for no mass at all on a body that is fixed to others, in kg.
const HARDLY_ANY_MASS: f64 = 1e-12;
/// Stands in for no inertia, in kg m^2.
const HARDLY_ANY_INERTIA: f64 = 1e-18;

/// What bodies are made with.
pub(super) struct Maker<'a> {
    pub tree: &'a Tree<'a>,
    pub contacts: &'a Contacts,
    pub options: &'a Options,
    pub actuators: &'a Actuators,
}

impl Maker<'_> {
    /// All bodies, in MuJoCo's order; the world only if it has shapes.
    pub fn bodies(&self) -> Vec<BodySpec> {
        let bodies = self.tree.bodies.iter().enumerate();
        let there = bodies.filter(|(index, body)| *index > 0 || !body.geoms.is_empty());
        there.map(|(index, body)| self.body(index, body)).collect()
    }

    fn body(&self, index: usize, body: &Body) -> BodySpec {
        let mut spec = BodySpec { name: body.name.clone(), ..BodySpec::default() };
        spec.shapes = body.geoms.iter().filter_map(|geom| self.shape(index, geom)).collect();
        if body.is_static {
            spec.fixed = true;
            place(&mut spec, body);
            return spec;
        }
        give_mass(&mut spec, body.inertia);
        let [first, ..] = &body.joints[..] else {
            spec.joint = Some(self.hang(JointKind::Weld(WeldJoint {}), body));
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
                let mut joint = self.hang(JointKind::Spherical(Box::new(self.ball(index, first))), body);
                joint.in_child = PoseSpec::at(first.anchor);
                joint.in_parent.position = joint.in_parent.pose().transform_point(first.anchor);
                spec.joint = Some(joint);
            }
            Kind::Slide | Kind::Hinge => spec.joint = Some(self.hang(self.axes(index, body), body)),
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
        // The mechanics are those of one axis, about every axis.
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

    /// What actuators add to the damping and the armature of a joint.
    fn added(&self, body: usize, joint: usize) -> (f64, f64) {
        self.actuators.added.get(&(body, joint)).copied().unwrap_or_default()
    }

    /// A joint where the body is drawn on its parent.
    fn hang(&self, kind: JointKind, body: &Body) -> JointSpec {
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

    /// Pairs of bodies that pass through each other; those with planes are kept apart by groups instead.
    pub fn exclusions(&self, pairs: &[[usize; 2]]) -> Vec<[String; 2]> {
        let bodies = &self.tree.bodies;
        let touchable = |index: &usize| !bodies[*index].geoms.is_empty() && !bodies[*index].has_plane;
        let by_name = pairs.iter().filter(|pair| pair.iter().all(touchable));
        by_name.map(|pair| pair.map(|index| bodies[index].name.clone())).collect()
    }

    /// The joints and actuators in MuJoCo's order.
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

/// Mass, centre of mass and inertia along the body's axes; next to nothing for bodies without mass.
fn give_mass(spec: &mut BodySpec, own: Option<Inertia>) {
    let nothing = Inertia { mass: HARDLY_ANY_MASS, center_of_mass: DVec3::ZERO, inertia: DMat3::ZERO };
    let mut own = own.unwrap_or(nothing);
    if own.principal_axes().0.min_element() < HARDLY_ANY_INERTIA {
        own.inertia += DMat3::from_diagonal(DVec3::splat(HARDLY_ANY_INERTIA));
    }
    spec.mass = Some(own.mass);
    spec.center_of_mass = Some(own.center_of_mass);
    let [x, y, z] = [own.inertia.x_axis, own.inertia.y_axis, own.inertia.z_axis];
    spec.inertia = vec![x.x, y.y, z.z];
    if [x.y, x.z, y.z] != [0.0; 3] {
        spec.inertia.extend([x.y, x.z, y.z]);
    }
}
