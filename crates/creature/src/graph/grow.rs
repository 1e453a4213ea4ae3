//! Growth (Fontijne (2000) sections 4.2 and 4.4.2): the graph is traversed breadth first from the root. Every passage
//! through a node makes a part. When all parts exist, the neurons are connected.
//!
//! Scale and reflection accumulate along the path. A reflected part is the mirror image of what its genes say in the
//! plane y = 0 of its parent: with M = diag(1, -1, 1), a pose A of the genes becomes M A M. Points become `(x, -y, z)`,
//! quaternions `(-x, y, -z, w)` and hinge axes `(-x, y, -z)`, so that equal angles give mirrored motion. All shapes are
//! their own mirror images.
//!
//! Growth adapts to what is possible: parts that are too thin or too small are made sturdier, a part without space is
//! turned upright on the surface or left out with everything attached to it, growth ends at the maximum number of
//! parts, and a body that is too small or too large is scaled (`fit`).
//!
//! The list of parts serves as the queue, so memory is bounded by the largest permitted body, whatever the graph.

use burgess_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};

use super::connection::Connection;
use super::fit::{MAX_OVERLAP, fitting_scale, orientations, scale, sturdy_shape};
use super::genome::{GraphGenome, Replication};
use super::joint_gene::JointDrive;
use super::wire::wire;
use crate::brain::Brain;
use crate::part_shape::PartShape;
use crate::phenotype::{Attachment, Body, Drive, Part, Phenotype};
use crate::physiology::{MAX_PARTS, Physiology};
use crate::viability::{Unviable, Viability, are_apart, check, has_space};

/// If the cosine of the angle between the normal and the parent's x exceeds this, the surface frame is derived from y.
const MAX_COSINE_TO_X: f64 = 0.9;

/// Grows the body and the brain of a genome, if it is viable.
pub(super) fn grow(genome: &GraphGenome, physiology: &Physiology) -> Result<Phenotype, Unviable> {
    genome.check().map_err(|reason| Unviable::Unbuildable { reason })?;
    let mut body = body(genome, &physiology.viability);
    add_springs(&mut body, genome, physiology);
    check(&body, &physiology.viability)?;
    let network = wire(genome, &body);
    Ok(Phenotype { body, brain: Brain::Network(network) })
}

/// Grows the parts of a valid genome, as many as there is space for.
pub(super) fn body(genome: &GraphGenome, viability: &Viability) -> Body {
    // A few genes can ask for billions of parts, so the number is bounded whatever the settings are.
    let max_parts = viability.max_parts.min(MAX_PARTS);
    let mut growth = Growth {
        genome,
        viability,
        body: Body::default(),
        scales: Vec::new(),
        ordinals: Vec::new(),
        counts: vec![0; genome.nodes.len()],
    };
    let shape = growth.shape(genome.root, 1.0);
    growth.add(Part { shape, attachment: None, pose: Pose::IDENTITY, mirrored: false, origin: genome.root }, 1.0);
    let mut next = 0;
    while next < growth.body.parts.len() {
        for connection in &genome.connections {
            if growth.body.parts.len() < max_parts && growth.follows(next, connection) {
                growth.attach(next, connection);
            }
        }
        next += 1;
    }
    let factor = fitting_scale(growth.body.volume(), viability);
    if factor != 1.0 {
        scale(&mut growth.body, factor);
    }
    growth.body
}

/// Gives the joints with servos their springs, in proportion to their strength.
fn add_springs(body: &mut Body, genome: &GraphGenome, physiology: &Physiology) {
    let Physiology { spring_stiffness, spring_damping, limit_stiffness, limit_damping, .. } = *physiology;
    for part in &mut body.parts {
        let Some(on) = part.attachment.as_mut() else { continue };
        if genome.nodes[part.origin].joint.drive == JointDrive::Servo {
            let effort = physiology.max_effort(on.area);
            on.drive = Drive::Servo { stiffness: spring_stiffness * effort, damping: spring_damping * effort };
            let spring = (limit_stiffness > 0.0).then_some([limit_stiffness * effort, limit_damping * effort]);
            on.axes.iter_mut().for_each(|axis| axis.limit_spring = spring);
        }
    }
}

/// A body during growth.
struct Growth<'a> {
    genome: &'a GraphGenome,
    viability: &'a Viability,
    body: Body,
    /// Accumulated scale of each part.
    scales: Vec<f64>,
    /// Ordinal number of the passage through its node that made each part, counted from 1.
    ordinals: Vec<usize>,
    /// Number of passages through each node in the whole creature.
    counts: Vec<usize>,
}

impl Growth<'_> {
    /// Returns whether a part gets the child of this connection.
    fn follows(&self, part: usize, connection: &Connection) -> bool {
        let node = self.body.parts[part].origin;
        let limit = |node: usize| usize::from(self.genome.nodes[node].recursion_limit);
        connection.parent == node
            && self.passages(part, connection.child) < limit(connection.child)
            && (!connection.terminal_only || self.ordinals[part] >= limit(node))
    }

    /// Returns how often a node has been passed, counted for a part.
    fn passages(&self, part: usize, node: usize) -> usize {
        match self.genome.replication {
            Replication::PerCreature => self.counts[node],
            Replication::PerPath => {
                let parts = &self.body.parts;
                let up = |&part: &usize| parts[part].attachment.as_ref().map(|on| on.parent);
                std::iter::successors(Some(part), up).filter(|&part| parts[part].origin == node).count()
            }
        }
    }

    /// Returns the shape of a node's part.
    fn shape(&self, node: usize, scale: f64) -> PartShape {
        let node = &self.genome.nodes[node];
        sturdy_shape(node.shape, node.size * scale, self.viability)
    }

    fn add(&mut self, part: Part, scale: f64) {
        let node = part.origin;
        self.body.parts.push(part);
        self.scales.push(scale);
        self.counts[node] += 1;
        self.ordinals.push(self.passages(self.body.parts.len() - 1, node));
    }

    /// Attaches a part if there is space for it, upright on the surface if there is none at the angle of the genes. Space
    /// for its mirrored twin is left if possible, so that both get the same angle.
    fn attach(&mut self, parent: usize, connection: &Connection) {
        let twin = connection.clone().reflected();
        let has_twin = self.genome.connections.contains(&twin);
        let choices = orientations(connection.orientation);
        let fits = |candidate: &Part| has_space(candidate, &self.body.parts, MAX_OVERLAP, self.viability);
        let candidates = choices.map(|orientation| self.candidate(parent, connection, orientation));
        let beside_twin = |index: &usize| {
            let image = self.candidate(parent, &twin, choices[*index]);
            fits(&candidates[*index]) && are_apart([&candidates[*index], &image], MAX_OVERLAP)
        };
        let found = (0..choices.len()).find(|index| has_twin && beside_twin(index));
        let found = found.or_else(|| (0..choices.len()).find(|index| fits(&candidates[*index])));
        if let Some(index) = found {
            let part = candidates[index].clone();
            self.add(part, self.scales[parent] * connection.scale);
        }
    }

    /// Returns the part of a connection with an orientation on the surface.
    fn candidate(&self, parent: usize, connection: &Connection, orientation: DQuat) -> Part {
        let on = &self.body.parts[parent];
        let shape = self.shape(connection.child, self.scales[parent] * connection.scale);
        let mirrored = on.mirrored != connection.reflect;
        let (in_parent, normal) = joint_frame(&on.shape, connection.position, orientation);
        let attachment = Attachment {
            parent,
            in_parent: if mirrored { crate::mirror::mirrored(&in_parent) } else { in_parent },
            in_child: Pose::from_translation(DVec3::new(0.0, 0.0, -shape.half_length())),
            axes: self.genome.nodes[connection.child].joint.grown(mirrored),
            area: on.shape.section(normal).min(shape.section(DVec3::Z)),
            drive: Drive::Effort,
        };
        let pose = attachment.child_pose(&on.pose);
        Part { shape, attachment: Some(attachment), pose, mirrored, origin: connection.child }
    }
}

/// Returns the pose of a connection's joint on a part before reflection, and the surface normal there.
fn joint_frame(parent: &PartShape, position: DVec3, orientation: DQuat) -> (Pose, DVec3) {
    let (point, normal) = parent.surface(position);
    (Pose::new((surface_frame(normal) * orientation).normalize(), point), normal)
}

/// Returns a rotation whose z axis is the normal. For a limb of a trunk along x, x is forward and y is down or up along
/// the side; at the ends of the trunk y stays y.
pub(super) fn surface_frame(normal: DVec3) -> DQuat {
    let y = if normal.x.abs() > MAX_COSINE_TO_X {
        (DVec3::Y - normal.y * normal).normalize()
    } else {
        normal.cross(DVec3::X).normalize()
    };
    DQuat::from_mat3(&DMat3::from_cols(y.cross(normal), y, normal)).normalize()
}
