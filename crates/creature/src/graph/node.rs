//! Nodes, which parts are made from (Fontijne (2000) section 4.2). Every passage of growth through a node makes a part.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::bounds;
use super::joint_gene::JointGene;
use super::neuron_gene::{InputGene, NeuronGene};
use super::rates::Rates;
use crate::bounds::require;
use crate::part_shape::PartShape;

/// The shape of a part, scaled to its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShapeKind {
    /// A box.
    Box,
    /// A sphere with the volume of the ellipsoid with these semi-axes.
    Sphere,
    /// A cylinder with hemispherical ends. Its radius is the mean of the sizes along x and y.
    Capsule,
    /// An ellipsoid.
    Ellipsoid,
    /// A cone attached by its base. Its radius is the mean of the sizes along x and y.
    Cone,
}

/// The gene of a part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Shape.
    pub shape: ShapeKind,
    /// Half the sides before scaling, in m; z points away from the parent.
    pub size: DVec3,
    /// Joint to the parent. The root has one, too, but does not use it.
    pub joint: JointGene,
    /// Maximum number of passages through the node: on the path from the root, or in the whole creature.
    pub recursion_limit: u8,
    /// Neurons of each of its parts.
    pub neurons: Vec<NeuronGene>,
    /// Inputs that drive the axes of the joint.
    pub effectors: [InputGene; 3],
}

impl ShapeKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Box, Self::Sphere, Self::Capsule, Self::Ellipsoid, Self::Cone];

    /// Returns the shape with the given half sides, in m.
    pub fn of_size(self, half: DVec3) -> PartShape {
        let radius = 0.5 * (half.x + half.y);
        match self {
            Self::Box => PartShape::Box(half),
            Self::Sphere => PartShape::Sphere(libm::cbrt(half.x * half.y * half.z)),
            // A capsule is at least slightly longer than thick.
            Self::Capsule => PartShape::Capsule { radius, half_length: (half.z - radius).max(0.05 * radius) },
            Self::Ellipsoid => PartShape::Ellipsoid(half),
            Self::Cone => PartShape::Cone { radius, half_length: half.z },
        }
    }
}

impl Node {
    /// Creates a node without neurons, with a recursion limit of 1 and no drive.
    pub fn new(shape: ShapeKind, size: DVec3, joint: JointGene) -> Self {
        Self { shape, size, joint, recursion_limit: 1, neurons: Vec::new(), effectors: [InputGene::SILENT; 3] }
    }

    pub(super) fn validate(&self) -> Result<(), String> {
        for side in self.size.to_array() {
            require("half a side", side, bounds::HALF_SIZE)?;
        }
        self.joint.validate()?;
        bounds::check_count("passages", self.recursion_limit.into(), [1, bounds::MAX_RECURSION.into()])?;
        bounds::check_count("neurons", self.neurons.len(), [0, bounds::MAX_LOCAL_NEURONS])?;
        self.inputs().try_for_each(InputGene::validate)
    }

    pub(super) fn repair(&mut self) {
        self.size = DVec3::from_array(self.size.to_array().map(|side| bounds::within(side, bounds::HALF_SIZE, 0.1)));
        self.joint.repair();
        self.recursion_limit = self.recursion_limit.clamp(1, bounds::MAX_RECURSION);
        self.neurons.truncate(bounds::MAX_LOCAL_NEURONS);
        let neurons = self.neurons.iter_mut().flat_map(|neuron| &mut neuron.inputs);
        neurons.chain(&mut self.effectors).for_each(InputGene::repair);
    }

    /// Copies from another node what a rate of zero freezes.
    pub(super) fn keep_frozen(&mut self, of: &Self, rates: &Rates) {
        let node = &rates.node;
        if node.shape <= 0.0 {
            self.shape = of.shape;
        }
        if node.size <= 0.0 {
            self.size = of.size;
        }
        if node.joint <= 0.0 {
            (self.joint.kind, self.joint.drive) = (of.joint.kind, of.joint.drive);
        }
        if node.axis <= 0.0 {
            self.joint.axes = of.joint.axes;
        }
        if node.limit <= 0.0 {
            self.joint.limits = of.joint.limits;
        }
        if node.recursion_limit <= 0.0 {
            self.recursion_limit = of.recursion_limit;
        }
        if !rates.local_neurons_may_change() {
            self.neurons.clone_from(&of.neurons);
        }
        if !rates.effectors_may_change() {
            self.effectors = of.effectors;
        }
    }

    /// Returns all inputs of neurons and effectors.
    fn inputs(&self) -> impl Iterator<Item = &InputGene> {
        self.neurons.iter().flat_map(|neuron| &neuron.inputs).chain(&self.effectors)
    }
}
