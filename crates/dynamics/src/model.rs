//! The model: all data that is constant during a step.

use burgess_geometry::{MassProperties, Pose};
use glam::{DMat3, DVec3};

use crate::joint::{Joint, StackAxis};
use crate::spatial::RigidInertia;
use crate::spec::AxisProperties;
use crate::{ModelError, State};

/// Index that stands for the world as a parent.
pub(crate) const WORLD: u32 = u32::MAX;

/// Id of a link. It stays valid when other links are added and removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LinkId {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

/// A link with its joint, ready for the passes.
///
/// The *inner frame* of a link is its joint's frame, rotated so that a single axis is z; for a free link it is at the
/// centre of mass. Users see the link's own frame; `frame` relates the two.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Index of the parent, smaller than the link's own; `WORLD` for a root.
    pub(crate) parent: u32,
    /// Kind of joint.
    pub joint: Joint,
    /// Number of degrees of freedom.
    pub dofs: u8,
    /// Index of its first position in `State::q`.
    pub q: usize,
    /// Index of its first velocity in `State::v`.
    pub v: usize,
    /// Index of its block of factors in the workspace.
    pub(crate) block: usize,
    /// Pose of the joint's frame in the parent's inner frame.
    pub(crate) tree_rotation: DMat3,
    pub(crate) tree_translation: DVec3,
    /// Inertia about the anchor, along the inner axes.
    pub inertia: RigidInertia,
    /// Pose of the inner frame in the link's own coordinates.
    pub frame: Pose,
    /// Id of the link.
    pub id: LinkId,
}

impl Link {
    /// Returns the index of the parent; `None` for a root.
    pub fn parent(&self) -> Option<usize> {
        (self.parent != WORLD).then_some(self.parent as usize)
    }
}

/// A forest of links, parents before children. It is created and validated by a [`ModelBuilder`](crate::ModelBuilder).
#[derive(Debug, Clone)]
pub struct Model {
    pub(crate) links: Vec<Link>,
    /// Name of each link.
    pub(crate) names: Vec<String>,
    /// Mass properties of each link, in its own coordinates.
    pub(crate) masses: Vec<MassProperties>,
    pub(crate) axes: Vec<StackAxis>,
    pub(crate) properties: Vec<AxisProperties>,
    pub(crate) positions: usize,
    pub(crate) block_length: usize,
    /// Number of scripted links.
    pub(crate) scripts: usize,
    /// Gravity, in m/s^2.
    pub gravity: DVec3,
    /// Generation and link index of each slot.
    pub(crate) slots: Vec<Option<(u32, u32)>>,
}

impl Model {
    /// Returns the links, parents before children.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Returns the number of velocities: the degrees of freedom.
    pub fn dofs(&self) -> usize {
        self.properties.len()
    }

    /// Returns the properties of every degree of freedom.
    pub fn properties(&self) -> &[AxisProperties] {
        &self.properties
    }

    /// Returns the index of a link.
    pub fn index(&self, id: LinkId) -> Result<usize, ModelError> {
        match self.slots.get(id.slot as usize) {
            Some(Some((generation, index))) if *generation == id.generation => Ok(*index as usize),
            _ => Err(ModelError::UnknownLink),
        }
    }

    /// Returns the name of a link.
    pub fn name(&self, index: usize) -> &str {
        &self.names[index]
    }

    /// Returns the total mass, in kg.
    pub fn mass(&self) -> f64 {
        self.links.iter().map(|link| link.inertia.mass).sum()
    }

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
