//! Cycles of edges: the copies of the domain that meet at one edge. By Poincare's polyhedron theorem, paired faces whose
//! cycles close generate a discrete group with the domain as fundamental domain, and the cycles are its relations.

use std::f64::consts::TAU;

use super::{Domain, ManifoldError};
use crate::space::Isometry;

/// Maximum order of an axis of an orbifold.
const MAX_ORDER: usize = 64;

/// Products of pairings and sums of angles must be as expected up to this. Files have about 12 digits.
const CLOSED: f64 = 1e-5;

/// Edges that the group identifies, in the order in which the copies of the domain turn about one of them.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeCycle {
    /// Edges, in order. In an orbifold an edge can occur twice.
    pub edges: Vec<usize>,
    /// Faces that are crossed, in order. The product of their pairings turns about the first edge.
    pub faces: Vec<usize>,
    /// Product of the pairings of `faces`.
    pub product: Isometry,
    /// Order of the product: 1 in a manifold.
    pub order: usize,
    /// Sum of the dihedral angles, in radians: a full turn divided by the order.
    pub angle: f64,
}

impl EdgeCycle {
    /// Returns by how much the product, to the power of its order, differs from the identity.
    pub fn error(&self) -> f64 {
        power(&self.product, self.order).difference(&Isometry::identity(self.product.space()))
    }
}

fn power(isometry: &Isometry, exponent: usize) -> Isometry {
    (0..exponent).fold(Isometry::identity(isometry.space()), |product, _| product * *isometry)
}

impl Domain {
    /// Returns the cycles of all edges. Fails if one does not close: then the domain is not that of a discrete group.
    pub fn edge_cycles(&self) -> Result<Vec<EdgeCycle>, ManifoldError> {
        let mut seen = vec![false; self.edges.len()];
        let mut cycles = Vec::new();
        for first in 0..self.edges.len() {
            if seen[first] {
                continue;
            }
            let cycle = self.edge_cycle(first)?;
            for &edge in &cycle.edges {
                seen[edge] = true;
            }
            cycles.push(cycle);
        }
        Ok(cycles)
    }

    fn edge_cycle(&self, first: usize) -> Result<EdgeCycle, ManifoldError> {
        let start = (first, self.edges[first].faces[0]);
        let (mut edge, mut face) = start;
        let mut product = Isometry::identity(self.space);
        let (mut edges, mut faces, mut angle) = (Vec::new(), Vec::new(), 0.0);
        loop {
            edges.push(edge);
            faces.push(face);
            angle += self.dihedral_angle(&self.edges[edge]);
            product = product * self.faces[face].pairing;
            let crossed = &self.faces[face];
            edge = self.image_of_side(face, edge).ok_or(ManifoldError::OpenCycle { edge: first })?;
            let [a, b] = self.edges[edge].faces;
            face = if a == crossed.partner { b } else { a };
            if (edge, face) == start {
                break;
            }
            if edges.len() > 2 * self.edges.len() {
                return Err(ManifoldError::OpenCycle { edge: first });
            }
        }
        let order = libm::round(TAU / angle).clamp(1.0, MAX_ORDER as f64) as usize;
        let cycle = EdgeCycle { edges, faces, product, order, angle };
        let closed = cycle.error() < CLOSED * (1.0 + product.scale()) && (angle * order as f64 - TAU).abs() < CLOSED;
        if closed { Ok(cycle) } else { Err(ManifoldError::OpenCycle { edge: first }) }
    }

    /// Returns the edge of the partner that the pairing of `face` maps to `edge`.
    fn image_of_side(&self, face: usize, edge: usize) -> Option<usize> {
        let from = &self.faces[face];
        let partner = self.faces.get(from.partner)?;
        let side = from.sides.iter().position(|&side| side == edge)?;
        let next = (side + 1) % from.corners.len();
        // A pairing that preserves orientation reverses the boundary, because both faces are seen from outside.
        let image = if from.pairing.preserves_orientation() { from.images[next] } else { from.images[side] };
        partner.sides.get(image).copied()
    }
}
