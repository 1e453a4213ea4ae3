//! Growth of a legged genome into a body and a brain (Arnold (1997) section 3.2).
//!
//! The trunk faces along x. Limbs are attached at fixed points of its surface, in a frame with x forward, y outward and
//! z down, and their segments extend along z: the right ones as the genes say, the left ones mirrored (y to -y). The
//! mirror image of a point is (x, -y, z), of a rotation (-x, y, -z, w) and of a rotation axis (-x, y, -z), so that
//! equal angles are mirrored postures.
//!
//! The strength of a joint is proportional to the cross-section of the limb there, as for muscles. Arnold (1997) uses
//! its diameter, which makes thin limbs too strong. The springs of the drives and of the limits are proportional to
//! that strength.

use std::f64::consts::PI;

use arrayvec::ArrayVec;
use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

use super::joint::LegJoint;
use super::limb_pair::{Gait, LimbPair, LimbShape};
use super::{LeggedGenome, Rhythm};
use crate::brain::{Brain, Oscillator, Pace, SpectralBrain};
use crate::part_shape::PartShape;
use crate::phenotype::{Attachment, Body, Drive, JointAxis, Part, Phenotype};
use crate::physiology::Physiology;

/// Attachment points of the right limb of each pair on the trunk's surface, as fractions of its semi-axes: unit vectors
/// at equal height.
const ATTACHMENT_POINTS: [DVec3; 3] =
    [DVec3::new(0.768, -0.576, -0.28), DVec3::new(0.0, -0.96, -0.28), DVec3::new(-0.768, -0.576, -0.28)];

/// Parts and actuator functions during growth.
struct Growth<'a> {
    physiology: &'a Physiology,
    rhythm: &'a Rhythm,
    parts: Vec<Part>,
    oscillators: Vec<Oscillator>,
}

/// A segment to grow.
struct Segment<'a> {
    parent: usize,
    /// Pose of the segment's base frame on the parent.
    base: Pose,
    joint: &'a LegJoint,
    length: f64,
    /// Radii at the joint and at the other end.
    radii: [f64; 2],
    gait: Gait,
    mirrored: bool,
    origin: usize,
}

/// Grows a phenotype without checking that it is viable.
pub(super) fn grow(genome: &LeggedGenome, physiology: &Physiology) -> Phenotype {
    let trunk = PartShape::Ellipsoid(genome.trunk.semi_axes);
    let root = Part { shape: trunk, attachment: None, pose: Pose::IDENTITY, mirrored: false, origin: 0 };
    let mut growth = Growth { physiology, rhythm: &genome.rhythm, parts: vec![root], oscillators: Vec::new() };
    for (slot, pair) in genome.grown_pairs() {
        let hip = genome.trunk.semi_axes * ATTACHMENT_POINTS[slot];
        for mirrored in [false, true] {
            growth.limb(pair, hip, mirrored, 1 + 2 * slot);
        }
    }
    let mut body = Body { parts: growth.parts };
    body.update_rest_poses();
    let brain = SpectralBrain { oscillators: growth.oscillators, clock: genome.rhythm.frequency };
    Phenotype { body, brain: Brain::Spectral(brain) }
}

impl Growth<'_> {
    fn limb(&mut self, pair: &LimbPair, hip: DVec3, mirrored: bool, origin: usize) {
        let LimbShape { upper_length, lower_length, hip_radius, knee_radius, foot_radius } = pair.shape;
        let upper = self.segment(&Segment {
            parent: 0,
            base: Pose::new(DQuat::from_rotation_x(PI), hip),
            joint: &pair.hip,
            length: upper_length,
            radii: [hip_radius, knee_radius],
            gait: pair.gait,
            mirrored,
            origin,
        });
        self.segment(&Segment {
            parent: upper,
            base: Pose::from_translation(DVec3::Z * (0.5 * upper_length)),
            joint: &pair.knee,
            length: lower_length,
            radii: [knee_radius, foot_radius],
            gait: pair.gait,
            mirrored,
            origin: origin + 1,
        });
    }

    fn segment(&mut self, segment: &Segment) -> usize {
        let hinge = &segment.joint.hinge;
        let side = |pose: Pose| if segment.mirrored { crate::mirror::mirrored(&pose) } else { pose };
        let direction = hinge.direction() * if segment.mirrored { DVec3::new(-1.0, 1.0, -1.0) } else { DVec3::ONE };
        let area = PI * segment.radii[0] * segment.radii[0];
        let effort = self.physiology.max_effort(area);
        let Physiology { limit_stiffness, limit_damping, .. } = *self.physiology;
        let limit_spring = (limit_stiffness > 0.0).then_some([limit_stiffness * effort, limit_damping * effort]);
        let attachment = Attachment {
            parent: segment.parent,
            in_parent: side(segment.base.compose(&Pose::new(hinge.rest, DVec3::ZERO))),
            in_child: side(Pose::from_translation(DVec3::Z * (-0.5 * segment.length))),
            axes: ArrayVec::from_iter([JointAxis { direction, limit: hinge.limit, limit_spring }]),
            area,
            drive: Drive::Spring {
                stiffness: self.physiology.spring_stiffness * effort,
                damping: self.physiology.spring_damping * effort,
            },
        };
        let [bottom, top] = segment.radii;
        let shape = PartShape::Frustum { bottom, top, half_length: 0.5 * segment.length };
        let index = self.parts.len();
        self.oscillators.push(self.oscillator(segment, index));
        let (attachment, pose) = (Some(attachment), Pose::IDENTITY);
        self.parts.push(Part { shape, attachment, pose, mirrored: segment.mirrored, origin: segment.origin });
        index
    }

    fn oscillator(&self, segment: &Segment, part: usize) -> Oscillator {
        let drive = &segment.joint.drive;
        let phase_offset = if segment.mirrored && segment.gait == Gait::Alternating { 0.5 } else { 0.0 };
        Oscillator {
            samples: drive.spectrum.samples(),
            phase: drive.spectrum.shift + phase_offset,
            pace: match self.rhythm.shared {
                true => Pace::Shared(drive.spectrum.harmonic),
                false => Pace::Own(1.0 / drive.spectrum.period()),
            },
            range: segment.joint.hinge.limit,
            feedback: drive.reflexes.iter().map(|reflex| reflex.feedback(part, segment.mirrored)).collect(),
        }
    }
}
