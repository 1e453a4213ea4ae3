//! Growth (Fontijne (2000) sections 4.2 and 4.4.2): the graph is traversed breadth first from the root. Every passage
//! through a node makes a part. When all parts exist, the neurons are connected.
//!
//! Scale and reflection accumulate along the path. A reflected part is the mirror image of what its genes say in the
//! plane y = 0 of its parent: with M = diag(1, -1, 1), a pose A of the genes becomes M A M. Points become `(x, -y, z)`,
//! quaternions `(-x, y, -z, w)` and hinge axes `(-x, y, -z)`, so that equal angles give mirrored motion. All shapes are
//! their own mirror images.
//!
//! The list of parts serves as the queue, so memory is bounded by the largest permitted body, whatever the graph.

use burgess_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};

use super::connection::Connection;
use super::genome::{GraphGenome, Replication};
use super::wire::wire;
use crate::brain::Brain;
use crate::part_shape::PartShape;
use crate::phenotype::{Attachment, Body, Drive, Part, Phenotype};
use crate::physiology::{MAX_PARTS, Physiology};
use crate::viability::{Unviable, check};

/// If the cosine of the angle between the normal and the parent's x exceeds this, the surface frame is derived from y.
const MAX_COSINE_TO_X: f64 = 0.9;

/// Grows the body and the brain of a genome, if it is viable.
pub(super) fn grow(genome: &GraphGenome, physiology: &Physiology) -> Result<Phenotype, Unviable> {
    genome.check().map_err(|reason| Unviable::Unbuildable { reason })?;
    let body = body(genome, physiology.viability.max_parts)?;
    check(&body, &physiology.viability)?;
    let network = wire(genome, &body);
    Ok(Phenotype { body, brain: Brain::Network(network) })
}

/// Grows all parts of a valid genome, viable or not.
pub(super) fn body(genome: &GraphGenome, max_parts: usize) -> Result<Body, Unviable> {
    // A few genes can ask for billions of parts, so the number is bounded whatever the settings are.
    let max_parts = max_parts.min(MAX_PARTS);
    let mut growth = Growth {
        genome,
        body: Body::default(),
        scales: Vec::new(),
        ordinals: Vec::new(),
        counts: vec![0; genome.nodes.len()],
    };
    growth.add(genome.root, 1.0, None);
    let mut next = 0;
    while next < growth.body.parts.len() {
        for connection in &genome.connections {
            if growth.follows(next, connection) {
                if growth.body.parts.len() >= max_parts {
                    return Err(Unviable::TooManyParts { most: max_parts });
                }
                growth.attach(next, connection);
            }
        }
        next += 1;
    }
    growth.body.update_rest_poses();
    Ok(growth.body)
}

/// A body during growth.
struct Growth<'a> {
    genome: &'a GraphGenome,
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

    fn add(&mut self, node: usize, scale: f64, on: Option<(Attachment, bool)>) {
        let shape = self.genome.nodes[node].shape.of_size(self.genome.nodes[node].size * scale);
        let (attachment, mirrored) = on.map_or((None, false), |(on, mirrored)| (Some(on), mirrored));
        self.body.parts.push(Part { shape, attachment, pose: Pose::IDENTITY, mirrored, origin: node });
        self.scales.push(scale);
        self.counts[node] += 1;
        self.ordinals.push(self.passages(self.body.parts.len() - 1, node));
    }

    fn attach(&mut self, parent: usize, connection: &Connection) {
        let node = &self.genome.nodes[connection.child];
        let scale = self.scales[parent] * connection.scale;
        let shape = node.shape.of_size(node.size * scale);
        let mirrored = self.body.parts[parent].mirrored != connection.reflect;
        let (in_parent, normal) = joint_frame(&self.body.parts[parent].shape, connection);
        let on = Attachment {
            parent,
            in_parent: if mirrored { crate::mirror::mirrored(&in_parent) } else { in_parent },
            in_child: Pose::from_translation(DVec3::new(0.0, 0.0, -shape.half_length())),
            axes: node.joint.grown(mirrored),
            area: self.body.parts[parent].shape.section(normal).min(shape.section(DVec3::Z)),
            drive: Drive::Effort,
        };
        self.add(connection.child, scale, Some((on, mirrored)));
    }
}

/// Returns the pose of a connection's joint on a part before reflection, and the surface normal there.
fn joint_frame(parent: &PartShape, connection: &Connection) -> (Pose, DVec3) {
    let (point, normal) = parent.surface(connection.position);
    (Pose::new((surface_frame(normal) * connection.orientation).normalize(), point), normal)
}

/// Returns a rotation whose z axis is the normal. For a limb of a trunk along x, x is forward and y is down or up along
/// the side; at the ends of the trunk y stays y.
fn surface_frame(normal: DVec3) -> DQuat {
    let y = if normal.x.abs() > MAX_COSINE_TO_X {
        (DVec3::Y - normal.y * normal).normalize()
    } else {
        normal.cross(DVec3::X).normalize()
    };
    DQuat::from_mat3(&DMat3::from_cols(y.cross(normal), y, normal)).normalize()
}
