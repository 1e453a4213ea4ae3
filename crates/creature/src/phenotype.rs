//! The result of growth: a body of parts on joints, and a brain that drives them. It is plain data, ready to be
//! [developed](crate::develop) into a scene.

use arrayvec::ArrayVec;
use burgess_geometry::Pose;
use glam::DVec3;

use crate::brain::{Brain, Network};
use crate::part_shape::PartShape;

/// A creature before it is added to a world.
#[derive(Debug, Clone, PartialEq)]
pub struct Phenotype {
    /// Body.
    pub body: Body,
    /// Brain, which drives the joints of the body.
    pub brain: Brain,
}

/// Parts in a tree. The root comes first, and parents come before their children.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Body {
    /// The parts.
    pub parts: Vec<Part>,
}

/// A rigid part.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Shape of the part. The frame of the part is that of the shape, with its origin in the middle.
    pub shape: PartShape,
    /// Attachment to the parent part; `None` for the root.
    pub attachment: Option<Attachment>,
    /// Pose in the frame of the root when all joints are at zero.
    pub pose: Pose,
    /// Whether the part is the mirror image (y to -y) of what its genes say. Its senses are mirrored, too.
    pub mirrored: bool,
    /// Index of the gene that the part comes from, such as a node of a graph. Used in descriptions and drawings only.
    pub origin: usize,
}

/// The joint that attaches a part to its parent.
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// Index of the parent, which is smaller than that of the part.
    pub parent: usize,
    /// Frame of the joint in the parent's frame. Before rotation, z is the outward normal of the parent's surface.
    pub in_parent: Pose,
    /// Frame of the joint in the part's frame when all axes are at zero.
    pub in_child: Pose,
    /// Zero to three hinges, each carried by those before it.
    pub axes: ArrayVec<JointAxis, 3>,
    /// Cross-section of the joint, in m^2: that of the thinner of the two parts. It determines the strength of the
    /// joint.
    pub area: f64,
    /// How the brain drives the axes.
    pub drive: Drive,
}

/// A hinge axis of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointAxis {
    /// Unit vector in the frame of the joint.
    pub direction: DVec3,
    /// Lowest and highest angle, in rad, with zero between them.
    pub limit: [f64; 2],
    /// Stiffness (N m/rad) and damping (N m s/rad) of spring limits; `None` for hard limits.
    pub limit_spring: Option<[f64; 2]>,
}

/// How the brain drives the axes of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drive {
    /// The output is the effort as a fraction of the joint's strength, -1 to 1 (Fontijne 2000, Sims 1994).
    Effort,
    /// The output is an angle as a fraction of the axis' limits, -1 to 1. A spring pulls towards it within the joint's
    /// strength.
    Servo {
        /// Stiffness, in N m/rad.
        stiffness: f64,
        /// Damping of the axis, in N m s/rad, in addition to the loss of muscle force with speed.
        damping: f64,
    },
    /// The output is an angle in rad. A spring pulls towards it within the joint's strength (Arnold (1997): `k (h(t) -
    /// q)`).
    Spring {
        /// Stiffness k, in N m/rad.
        stiffness: f64,
        /// Damping of the axis, in N m s/rad, in addition to the loss of muscle force with speed.
        damping: f64,
    },
}

impl Phenotype {
    /// Returns the limp twin: the same body with slack muscles.
    pub fn limp(&self) -> Self {
        let mut limp = self.clone();
        limp.brain = Brain::Network(Network::default());
        for on in limp.body.parts.iter_mut().filter_map(|part| part.attachment.as_mut()) {
            on.drive = Drive::Effort;
        }
        limp
    }

    /// Returns whether the muscles are slack although there are joints, as in a limp twin.
    pub fn is_limp(&self) -> bool {
        self.body.axes() > 0 && matches!(&self.brain, Brain::Network(network) if network.effectors.is_empty())
    }
}

impl Attachment {
    /// Returns the pose of the part with all axes at zero, given that of its parent.
    pub fn child_pose(&self, parent: &Pose) -> Pose {
        parent.compose(&self.in_parent).compose(&self.in_child.inverse())
    }
}

impl JointAxis {
    /// Creates an axis with hard limits (rad) about a unit vector in the frame of the joint.
    pub fn new(direction: DVec3, limit: [f64; 2]) -> Self {
        Self { direction, limit, limit_spring: None }
    }
}

impl Body {
    /// Returns the number of axes of all joints, which is the number of outputs of the brain.
    pub fn axes(&self) -> usize {
        self.parts.iter().map(Part::axes).sum()
    }

    /// Returns the lowest and the highest useful output of the brain for each axis: -1 and 1, or the limits of an axis
    /// that a spring pulls to an angle (rad).
    pub fn output_bounds(&self) -> Vec<[f64; 2]> {
        let attachments = self.parts.iter().filter_map(|part| part.attachment.as_ref());
        let bounds = |on: &Attachment, axis: &JointAxis| match on.drive {
            Drive::Spring { .. } => axis.limit,
            Drive::Effort | Drive::Servo { .. } => [-1.0, 1.0],
        };
        attachments.flat_map(|on| on.axes.iter().map(move |axis| bounds(on, axis))).collect()
    }

    /// Returns the volume, in m^3.
    pub fn volume(&self) -> f64 {
        self.parts.iter().map(|part| part.shape.volume()).sum()
    }

    /// Returns the longest side of the bounding box in the rest pose, along the axes of the root, in m.
    pub fn length(&self) -> f64 {
        self.extent().max_element()
    }

    /// Returns the sides of the bounding box in the rest pose, along the axes of the root, in m.
    pub fn extent(&self) -> DVec3 {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for part in &self.parts {
            let [least, most] = part.shape.bounds(&part.pose);
            (low, high) = (low.min(least), high.max(most));
        }
        if self.parts.is_empty() { DVec3::ZERO } else { high - low }
    }

    /// Computes the poses of all parts from their attachments, with all joints at zero.
    pub fn update_rest_poses(&mut self) {
        for index in 0..self.parts.len() {
            let pose = match &self.parts[index].attachment {
                Some(on) => on.child_pose(&self.parts[on.parent].pose),
                None => Pose::IDENTITY,
            };
            self.parts[index].pose = pose;
        }
    }
}

impl Part {
    /// Returns the number of axes of the part's joint.
    pub fn axes(&self) -> usize {
        self.attachment.as_ref().map_or(0, |on| on.axes.len())
    }
}
