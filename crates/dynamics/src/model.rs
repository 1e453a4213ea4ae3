//! What does not change during a step.

use burgess_geometry::Pose;
use glam::{DMat3, DVec3};

use crate::joint::{Joint, StackAxis};
use crate::spatial::RigidInertia;
use crate::spec::AxisProperties;
use crate::{ModelBuilder, ModelError};

/// "The world" as a parent.
pub(crate) const WORLD: u32 = u32::MAX;

/// The name of a link: it survives adding and removing of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LinkId {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

/// A link with its joint, ready for the passes.
///
/// The *inner frame* of a link is its joint's frame, turned so that a single axis is z; for a free link it is at the
/// centre of mass. Users see the link's own frame; `frame` leads from one to the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Index of the parent, smaller than the link's own; none for a root.
    pub(crate) parent: u32,
    /// The kind of joint.
    pub joint: Joint,
    /// Degrees of freedom.
    pub dofs: u8,
    /// Where its positions begin in `State::q`.
    pub q: usize,
    /// Where its velocities begin in `State::v`.
    pub v: usize,
    /// Where its block of factors begins in the workspace.
    pub(crate) block: usize,
    /// From the joint's frame to the parent's inner frame.
    pub(crate) tree_rotation: DMat3,
    pub(crate) tree_translation: DVec3,
    /// About the anchor, along the inner axes.
    pub inertia: RigidInertia,
    /// The inner frame in the link's own coordinates.
    pub frame: Pose,
    /// Its name.
    pub id: LinkId,
}

impl Link {
    /// Index of the parent; none for a root.
    pub fn parent(&self) -> Option<usize> {
        (self.parent != WORLD).then_some(self.parent as usize)
    }
}

/// A forest of links, parents before children. Made by a [`ModelBuilder`], which has checked it.
#[derive(Debug, Clone)]
pub struct Model {
    pub(crate) links: Vec<Link>,
    pub(crate) axes: Vec<StackAxis>,
    pub(crate) properties: Vec<AxisProperties>,
    pub(crate) positions: usize,
    pub(crate) block_length: usize,
    /// Number of scripted links.
    pub(crate) scripts: usize,
    /// Gravity, in m/s^2.
    pub gravity: DVec3,
    /// By slot: generation and index of the link.
    pub(crate) slots: Vec<Option<(u32, u32)>>,
    pub(crate) builder: ModelBuilder,
}

impl Model {
    /// The links, parents before children.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Number of positions.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Number of velocities: the degrees of freedom.
    pub fn dofs(&self) -> usize {
        self.properties.len()
    }

    /// The mechanics of every degree of freedom.
    pub fn properties(&self) -> &[AxisProperties] {
        &self.properties
    }

    /// The mechanics of every degree of freedom, to be changed while the simulation runs (motor targets, say). They are
    /// trusted to stay physical.
    pub fn properties_mut(&mut self) -> &mut [AxisProperties] {
        &mut self.properties
    }

    /// The index of a link.
    pub fn index(&self, id: LinkId) -> Result<usize, ModelError> {
        match self.slots.get(id.slot as usize) {
            Some(Some((generation, index))) if *generation == id.generation => Ok(*index as usize),
            _ => Err(ModelError::UnknownLink),
        }
    }

    /// The name that a link was given.
    pub fn name(&self, index: usize) -> &str {
        self.builder.name(self.links[index].id)
    }

    /// Total mass, in kg.
    pub fn mass(&self) -> f64 {
        self.links.iter().map(|link| link.inertia.mass).sum()
    }

    /// A builder that holds this model as it is now, for adding and removing links; names of links stay.
    pub fn edit(&self) -> ModelBuilder {
        let mut builder = self.builder.clone();
        builder.gravity(self.gravity);
        for link in &self.links {
            builder.set_properties(link.id, &self.properties[link.v..link.v + link.dofs as usize]);
        }
        builder
    }
}
