//! Builds a validated model from the user's specification.

use burgess_geometry::{MassProperties, Pose};
use glam::{DMat3, DQuat, DVec3};

use crate::joint::{Joint, StackAxis};
use crate::model::{Link, LinkId, Model, WORLD};
use crate::spatial::{RigidInertia, Symmetric3};
use crate::spec::{Axis, AxisKind, AxisProperties, JointKindSpec, JointSpec, LimitSpring, LinkSpec, Motor};
use crate::{ModelError, State};

/// Rounding by which the moments of inertia may violate their conditions, relative to their sum.
const INERTIA_SLACK: f64 = 1e-9;

#[derive(Debug, Clone)]
struct Entry {
    parent: Option<LinkId>,
    joint: JointSpec,
    link: LinkSpec,
}

/// Collects links, then checks and orders them.
#[derive(Debug, Clone)]
pub struct ModelBuilder {
    /// Generation of each slot, and its link.
    slots: Vec<(u32, Option<Entry>)>,
    gravity: DVec3,
}

impl Default for ModelBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ModelBuilder {
    /// Creates an empty builder with gravity of 9.81 m/s^2 along -z.
    pub fn new() -> Self {
        Self { slots: Vec::new(), gravity: DVec3::new(0.0, 0.0, -9.81) }
    }

    /// Sets gravity, in m/s^2.
    pub fn gravity(&mut self, gravity: DVec3) -> &mut Self {
        self.gravity = gravity;
        self
    }

    /// Adds a link attached to `parent` (`None`: the world) by a joint. It is checked when the model is built.
    pub fn add_link(&mut self, parent: Option<LinkId>, joint: JointSpec, link: LinkSpec) -> LinkId {
        let entry = Some(Entry { parent, joint, link });
        let slot = match self.slots.iter().position(|(_, entry)| entry.is_none()) {
            Some(slot) => {
                self.slots[slot].0 += 1;
                self.slots[slot].1 = entry;
                slot
            }
            None => {
                self.slots.push((0, entry));
                self.slots.len() - 1
            }
        };
        LinkId { slot: slot as u32, generation: self.slots[slot].0 }
    }

    /// Attaches a link to another parent.
    pub fn set_parent(&mut self, id: LinkId, parent: Option<LinkId>) -> Result<(), ModelError> {
        self.entry_mut(id)?.parent = parent;
        Ok(())
    }

    /// Sets the properties of a link's axes.
    pub(crate) fn set_properties(&mut self, id: LinkId, properties: &[AxisProperties]) {
        if let Ok(entry) = self.entry_mut(id) {
            for (slot, properties) in entry.joint.properties_mut().into_iter().zip(properties) {
                *slot = *properties;
            }
        }
    }

    /// Removes a link and its subtree.
    pub fn remove(&mut self, id: LinkId) -> Result<(), ModelError> {
        self.entry_mut(id)?;
        let mut doomed = vec![id];
        while let Some(id) = doomed.pop() {
            self.slots[id.slot as usize].1 = None;
            for (slot, (generation, entry)) in self.slots.iter().enumerate() {
                if entry.as_ref().is_some_and(|e| e.parent == Some(id)) {
                    doomed.push(LinkId { slot: slot as u32, generation: *generation });
                }
            }
        }
        Ok(())
    }

    /// Checks everything and creates the model.
    pub fn build(self) -> Result<Model, ModelError> {
        let order = self.ordered()?;
        let mut model = Model {
            links: Vec::with_capacity(order.len()),
            axes: Vec::new(),
            properties: Vec::new(),
            positions: 0,
            block_length: 0,
            scripts: 0,
            gravity: self.gravity,
            slots: vec![None; self.slots.len()],
            builder: self,
        };
        if !model.gravity.is_finite() {
            return Err(ModelError::NotFinite { link: "the world".to_string(), what: "gravity" });
        }
        for id in order {
            let entry = model.builder.slots[id.slot as usize].1.clone().ok_or(ModelError::UnknownLink)?;
            check_link(&entry.link)?;
            check_properties(&entry)?;
            model.slots[id.slot as usize] = Some((id.generation, model.links.len() as u32));
            push_link(&mut model, id, &entry)?;
        }
        Ok(model)
    }

    /// Returns the mass properties of a link in its own coordinates.
    pub(crate) fn mass_properties(&self, id: LinkId) -> Option<MassProperties> {
        let LinkSpec { mass, center_of_mass, inertia, .. } = self.entry(id)?.link;
        Some(MassProperties { mass, center_of_mass, inertia })
    }

    pub(crate) fn name(&self, id: LinkId) -> &str {
        self.slots.get(id.slot as usize).and_then(|(_, e)| e.as_ref()).map_or("", |e| &e.link.name)
    }

    fn entry_mut(&mut self, id: LinkId) -> Result<&mut Entry, ModelError> {
        match self.slots.get_mut(id.slot as usize) {
            Some((generation, Some(entry))) if *generation == id.generation => Ok(entry),
            _ => Err(ModelError::UnknownLink),
        }
    }

    fn entry(&self, id: LinkId) -> Option<&Entry> {
        self.slots.get(id.slot as usize).filter(|(generation, _)| *generation == id.generation)?.1.as_ref()
    }

    /// Returns all links, tree by tree in depth-first order, in the order of their slots.
    fn ordered(&self) -> Result<Vec<LinkId>, ModelError> {
        let all: Vec<(LinkId, &Entry)> = (self.slots.iter().enumerate())
            .filter_map(|(slot, (generation, entry))| {
                Some((LinkId { slot: slot as u32, generation: *generation }, entry.as_ref()?))
            })
            .collect();
        let mut children: Vec<Vec<LinkId>> = vec![Vec::new(); self.slots.len()];
        let mut roots = Vec::new();
        for (id, entry) in &all {
            match entry.parent {
                None => roots.push(*id),
                Some(parent) if self.entry(parent).is_some() => children[parent.slot as usize].push(*id),
                Some(_) => return Err(ModelError::MissingParent { link: entry.link.name.clone() }),
            }
        }
        let mut order = Vec::with_capacity(all.len());
        let mut stack: Vec<LinkId> = roots.into_iter().rev().collect();
        while let Some(id) = stack.pop() {
            order.push(id);
            stack.extend(children[id.slot as usize].iter().rev());
        }
        if order.len() < all.len() {
            let lost = all.iter().find(|(id, _)| !order.contains(id)).map(|(_, e)| e.link.name.clone());
            return Err(ModelError::Cycle { link: lost.unwrap_or_default() });
        }
        Ok(order)
    }
}

impl Model {
    /// Returns the state of this model, with the values of `old_state` for the links that both models have. New links
    /// are at rest in their zero position.
    pub fn carry_over(&self, old_model: &Model, old_state: &State) -> State {
        let mut state = State::new(self);
        state.time = old_state.time;
        for link in &self.links {
            let Ok(old) = old_model.index(link.id).map(|index| &old_model.links[index]) else { continue };
            let positions = link.joint.positions(link.dofs as usize);
            if old.dofs == link.dofs && old.joint.positions(old.dofs as usize) == positions {
                state.q[link.q..link.q + positions].copy_from_slice(&old_state.q[old.q..old.q + positions]);
                let dofs = link.dofs as usize;
                state.v[link.v..link.v + dofs].copy_from_slice(&old_state.v[old.v..old.v + dofs]);
            }
        }
        state
    }
}

fn push_link(model: &mut Model, id: LinkId, entry: &Entry) -> Result<(), ModelError> {
    let Entry { parent, joint, link } = entry;
    let parent = match parent {
        None => WORLD,
        Some(parent) => model.index(*parent)? as u32,
    };
    let refuse = |why: &str| Err(ModelError::Joint { link: link.name.clone(), why: why.to_string() });

    // The joint's frame on both sides, shifted and rotated as the passes require.
    let unit = |frame: &Pose| Pose::new(frame.rotation.normalize(), frame.translation);
    let (mut parent_frame, mut child_frame) = (unit(&joint.parent_frame), unit(&joint.child_frame));
    let kind = match &joint.kind {
        JointKindSpec::Weld => Joint::Weld,
        JointKindSpec::Spherical(_) => Joint::Spherical,
        JointKindSpec::Free(_) if parent != WORLD => return refuse("a free joint is for roots only"),
        JointKindSpec::Free(_) if child_frame != Pose::IDENTITY || parent_frame != Pose::IDENTITY => {
            return refuse("a free joint has no frames; set the pose of the link in the state");
        }
        JointKindSpec::Free(_) => {
            child_frame = Pose::from_translation(link.center_of_mass);
            Joint::Free
        }
        JointKindSpec::Scripted if parent != WORLD => return refuse("a scripted link is a root"),
        JointKindSpec::Scripted if child_frame != Pose::IDENTITY || parent_frame != Pose::IDENTITY => {
            return refuse("a scripted link has no joint frames; its script is the pose of the link itself");
        }
        JointKindSpec::Scripted => {
            model.scripts += 1;
            Joint::Scripted { slot: model.scripts as u32 - 1 }
        }
        JointKindSpec::Stack(axes) if axes.is_empty() || axes.len() > 6 => {
            return refuse("a stack has one to six axes");
        }
        JointKindSpec::Stack(axes) => {
            for (axis, Axis { direction, anchor, .. }) in axes.iter().enumerate() {
                if !direction.is_finite() || !anchor.is_finite() {
                    return Err(ModelError::NotFinite { link: link.name.clone(), what: "an axis of its joint" });
                }
                if direction.try_normalize().is_none() {
                    return Err(ModelError::ZeroAxis { link: link.name.clone(), axis });
                }
            }
            match &axes[..] {
                [axis] => {
                    // Any frame around the axis is suitable; the shortest rotation from z loses digits close to -z.
                    let z = axis.direction.normalize();
                    let (x, y) = z.any_orthonormal_pair();
                    let turn = DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize();
                    let inner = Pose::new(turn, axis.anchor);
                    parent_frame = parent_frame.compose(&inner);
                    child_frame = child_frame.compose(&inner);
                    if axis.kind == AxisKind::Hinge { Joint::Revolute } else { Joint::Prismatic }
                }
                axes => {
                    if !are_independent(axes) && axes.iter().any(|axis| axis.properties.armature == 0.0) {
                        return refuse(
                            "its axes are not independent in any position: take one away or give all armature",
                        );
                    }
                    let first = model.axes.len() as u32;
                    model.axes.extend(axes.iter().map(|axis| StackAxis {
                        kind: axis.kind,
                        direction: axis.direction.normalize(),
                        anchor: axis.anchor,
                    }));
                    Joint::Stack { first }
                }
            }
        }
    };
    // From the parent's own coordinates to its inner frame.
    let in_parent = match parent {
        WORLD => parent_frame,
        parent => model.links[parent as usize].frame.inverse().compose(&parent_frame),
    };
    let to_inner = child_frame.inverse();
    let turned = Symmetric3::from_matrix(&link.inertia).rotated(&to_inner.matrix());
    let inertia = RigidInertia::from_center(link.mass, to_inner.transform_point(link.center_of_mass), turned);
    let properties = joint.properties();
    let dofs = properties.len();
    model.links.push(Link {
        parent,
        joint: kind,
        dofs: dofs as u8,
        q: model.positions,
        v: model.properties.len(),
        block: model.block_length,
        tree_rotation: in_parent.matrix(),
        tree_translation: in_parent.translation,
        inertia,
        frame: child_frame,
        id,
    });
    model.positions += kind.positions(dofs);
    model.block_length += dofs * dofs;
    model.properties.extend(properties);
    Ok(())
}

/// Returns whether the axes of a stack are independent, at least in a position without symmetry.
fn are_independent(axes: &[Axis]) -> bool {
    const POSITIONS: [f64; 6] = [0.37, 0.71, -0.53, 0.29, 0.61, -0.43];
    let reach = axes.iter().map(|axis| axis.anchor.length()).fold(0.0, f64::max);
    let length = if reach > 0.0 { reach } else { 1.0 };
    let mut frame = Pose::IDENTITY;
    let mut found: Vec<[DVec3; 2]> = Vec::new();
    for (axis, position) in axes.iter().zip(POSITIONS) {
        let direction = frame.transform_vector(axis.direction.normalize());
        let mut motion = match axis.kind {
            AxisKind::Hinge => [direction, frame.transform_point(axis.anchor).cross(direction) / length],
            AxisKind::Slide => [DVec3::ZERO, direction],
        };
        let own = match axis.kind {
            AxisKind::Hinge => {
                let turn = DQuat::from_axis_angle(axis.direction.normalize(), position);
                Pose::new(turn, axis.anchor - turn * axis.anchor)
            }
            AxisKind::Slide => Pose::from_translation(position * length * axis.direction.normalize()),
        };
        frame = frame.compose(&own);
        // Gram-Schmidt: the remainder after all earlier axes.
        let size = (motion[0].length_squared() + motion[1].length_squared()).sqrt();
        for [angular, linear] in &found {
            let along = angular.dot(motion[0]) + linear.dot(motion[1]);
            motion = [motion[0] - along * *angular, motion[1] - along * *linear];
        }
        let rest = (motion[0].length_squared() + motion[1].length_squared()).sqrt();
        if rest < 1e-9 * size {
            return false;
        }
        found.push([motion[0] / rest, motion[1] / rest]);
    }
    true
}

fn check_link(link: &LinkSpec) -> Result<(), ModelError> {
    let name = || link.name.clone();
    if !(link.mass > 0.0 && link.mass.is_finite()) {
        return Err(ModelError::Mass { link: name(), mass: link.mass });
    }
    if !link.center_of_mass.is_finite() {
        return Err(ModelError::NotFinite { link: name(), what: "the centre of mass" });
    }
    if !link.inertia.is_finite() {
        return Err(ModelError::NotFinite { link: name(), what: "the inertia" });
    }
    let refuse = |why: String| Err(ModelError::Inertia { link: name(), why });
    let asymmetry = link.inertia - link.inertia.transpose();
    let sum = link.inertia.x_axis.x + link.inertia.y_axis.y + link.inertia.z_axis.z;
    let largest = |m: DMat3| m.to_cols_array().into_iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    if largest(asymmetry) > INERTIA_SLACK * sum.abs() {
        return refuse("it is not symmetric".to_string());
    }
    let moments = principal_moments(link);
    let [low, middle, high] = moments;
    if low <= 0.0 {
        return refuse(format!("its principal moments are {low}, {middle} and {high}; all must be positive"));
    }
    if high > (low + middle) + INERTIA_SLACK * sum {
        return refuse(format!("{high} is more than {low} + {middle}: it breaks the triangle inequality"));
    }
    Ok(())
}

/// Returns the principal moments, ascending.
fn principal_moments(link: &LinkSpec) -> [f64; 3] {
    let LinkSpec { mass, center_of_mass, inertia, .. } = *link;
    let properties = MassProperties { mass, center_of_mass, inertia };
    let mut moments = properties.principal_axes().0.to_array();
    moments.sort_by(f64::total_cmp);
    moments
}

fn check_properties(entry: &Entry) -> Result<(), ModelError> {
    let name = || entry.link.name.clone();
    for frame in [&entry.joint.parent_frame, &entry.joint.child_frame] {
        if !frame.translation.is_finite() || !frame.rotation.is_finite() || frame.rotation.length_squared() < 1e-12 {
            return Err(ModelError::NotFinite { link: name(), what: "a frame of its joint" });
        }
    }
    for (axis, properties) in entry.joint.properties().iter().enumerate() {
        let AxisProperties { limit, limit_spring, stiffness, rest, damping, friction, armature, motor, max_effort } =
            *properties;
        if let Some((lower, upper)) = limit
            && (lower > upper || lower.is_nan() || upper.is_nan())
        {
            return Err(ModelError::LimitOrder { link: name(), axis, lower, upper });
        }
        let spring = limit_spring.unwrap_or(LimitSpring { stiffness: 1.0, damping: 0.0 });
        if limit_spring.is_some() && (limit.is_none() || spring.stiffness == 0.0) {
            return Err(ModelError::LimitSpring { link: name(), axis });
        }
        let not_negative = [
            ("stiffness of the limit", spring.stiffness),
            ("damping of the limit", spring.damping),
            ("stiffness", stiffness),
            ("damping", damping),
            ("dry friction", friction),
            ("armature", armature),
            ("maximum effort", max_effort),
        ];
        for (what, value) in not_negative {
            if value < 0.0 || value.is_nan() {
                return Err(ModelError::Negative { link: name(), axis, what, value });
            }
        }
        let passive = [rest, stiffness, damping, armature, friction, spring.stiffness, spring.damping];
        if !passive.into_iter().all(f64::is_finite) {
            return Err(ModelError::NotFinite { link: name(), what: "a property of its joint" });
        }
        let (numbers, gains) = match motor {
            Motor::None => ([0.0; 2], [("", 0.0); 2]),
            Motor::Effort(effort) => ([effort, 0.0], [("", 0.0); 2]),
            Motor::Velocity { target, gain } => ([target, gain], [("gain of the motor", gain), ("", 0.0)]),
            Motor::Position { target, stiffness, damping } => (
                [target, stiffness + damping],
                [("stiffness of the motor", stiffness), ("damping of the motor", damping)],
            ),
        };
        if !numbers.into_iter().all(f64::is_finite) {
            return Err(ModelError::NotFinite { link: name(), what: "a number of its motor" });
        }
        for (what, value) in gains {
            if value < 0.0 {
                return Err(ModelError::Negative { link: name(), axis, what, value });
            }
        }
    }
    Ok(())
}
