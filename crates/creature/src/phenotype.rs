//! What grows from a genome: a body of parts on joints, and a brain that drives them. Plain data, ready to be
//! [developed](crate::develop) into a scene.

use arrayvec::ArrayVec;
use burgess_geometry::Pose;
use glam::DVec3;

use crate::brain::Brain;
use crate::part_shape::PartShape;

/// A creature before it is put into a world.
#[derive(Debug, Clone, PartialEq)]
pub struct Phenotype {
    /// Its parts.
    pub body: Body,
    /// What drives them.
    pub brain: Brain,
}

/// Parts in a tree: parents before children, the root first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Body {
    /// The parts.
    pub parts: Vec<Part>,
}

/// One rigid part.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Its form. The part's frame is that of the shape: the origin in the middle.
    pub shape: PartShape,
    /// What it hangs on; none for the root.
    pub attachment: Option<Attachment>,
    /// Its frame in that of the root when all joints are at zero.
    pub pose: Pose,
    /// Is it the mirror image (y to -y) of what its genes say? Its senses are mirrored, too.
    pub mirrored: bool,
    /// Which part of the genome it comes from: the index of a node, say. For people and for drawings.
    pub origin: usize,
}

/// How a part hangs on another.
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// Index of the part that it hangs on; smaller than its own.
    pub parent: usize,
    /// The joint's frame in the parent's: z is the outward normal of the parent's surface before it is turned.
    pub in_parent: Pose,
    /// The joint's frame in that of the part itself, when all axes are at zero.
    pub in_child: Pose,
    /// None to three hinges, each carried by the ones before it.
    pub axes: ArrayVec<JointAxis, 3>,
    /// Cross-section of the joint, in m^2: that of the thinner of the two parts. It sets the joint's strength.
    pub area: f64,
    /// How the axes are driven.
    pub drive: Drive,
}

/// A hinge of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointAxis {
    /// Unit vector in the joint's frame.
    pub direction: DVec3,
    /// Lowest and highest angle, in rad, with zero between them.
    pub limit: [f64; 2],
    /// Stiffness (N m/rad) and damping (N m s/rad) of the spring that holds the limits; hard without.
    pub limit_spring: Option<[f64; 2]>,
}

/// How the axes of a joint are driven by the brain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drive {
    /// The brain gives the effort as a share of the joint's strength, -1 to 1 (000, Sims).
    Effort,
    /// The brain gives an angle in rad, and a spring pulls towards it within the joint's strength (001: `k (h(t) - q)`).
    Spring {
        /// k, in N m/rad.
        stiffness: f64,
        /// Of the axis, in N m s/rad, on top of what muscles lose with speed.
        damping: f64,
    },
}

impl JointAxis {
    /// With hard limits (rad), about a unit vector in the joint's frame.
    pub fn new(direction: DVec3, limit: [f64; 2]) -> Self {
        Self { direction, limit, limit_spring: None }
    }
}

impl Body {
    /// How many axes all joints have: the number of outputs of the brain, part by part.
    pub fn axes(&self) -> usize {
        self.parts.iter().map(Part::axes).sum()
    }

    /// In m^3.
    pub fn volume(&self) -> f64 {
        self.parts.iter().map(|part| part.shape.volume()).sum()
    }

    /// The longest side of the box around it in the rest pose, along the axes of the root, in m.
    pub fn length(&self) -> f64 {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for part in &self.parts {
            let [least, most] = part.shape.bounds(&part.pose);
            (low, high) = (low.min(least), high.max(most));
        }
        if self.parts.is_empty() { 0.0 } else { (high - low).max_element() }
    }

    /// Places all parts on each other with their joints at zero: the poses follow from the attachments.
    pub fn settle_poses(&mut self) {
        for index in 0..self.parts.len() {
            let pose = match &self.parts[index].attachment {
                Some(on) => self.parts[on.parent].pose.compose(&on.in_parent).compose(&on.in_child.inverse()),
                None => Pose::IDENTITY,
            };
            self.parts[index].pose = pose;
        }
    }
}

impl Part {
    /// How many axes its joint has.
    pub fn axes(&self) -> usize {
        self.attachment.as_ref().map_or(0, |on| on.axes.len())
    }
}
