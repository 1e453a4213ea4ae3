//! Non-convex solids: a closed mesh with a decomposition into convex parts for collision detection.

use super::{Compound, NodeBounds, convex_decomposition::convex_parts};
use crate::{GeometryError, Polyhedron, TriangleMesh, error::check_count};

/// Excess volume of the hull below which a mesh counts as convex, relative to the hull: rounding alone causes that
/// much.
const CONVEX_VOLUME_TOLERANCE: f64 = 1e-10;

/// Parameters of the approximate convex decomposition on voxels (Mamou and Ghorbel 2009).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decomposition {
    /// Voxels along the longest side, 8 to 256. Features smaller than a voxel are not separated.
    pub resolution: u32,
    /// Fraction of its hull's volume by which a part may exceed the body before it is split, 0 to 1.
    pub concavity: f64,
    /// Maximum number of parts, 4 to 4096.
    pub max_parts: u32,
    /// Keeps cavities inside the body empty. Otherwise they are filled.
    pub cavities: bool,
    /// Bounding volumes of the tree of parts.
    pub bounds: NodeBounds,
}

impl Default for Decomposition {
    fn default() -> Self {
        Self { resolution: 64, concavity: 0.01, max_parts: 256, cavities: false, bounds: NodeBounds::Hull }
    }
}

/// The solid inside a closed triangle mesh. Collision detection uses the convex parts, which cover the whole surface.
/// Mass properties and display use the mesh itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    surface: TriangleMesh,
    parts: Compound,
}

impl Mesh {
    /// Decomposes a mesh into convex parts. A convex mesh becomes a single exact part.
    pub fn new(surface: TriangleMesh, decomposition: &Decomposition) -> Result<Self, GeometryError> {
        check_count("resolution of the decomposition", decomposition.resolution as usize, 8, 256)?;
        check_count("number of parts of the decomposition", decomposition.max_parts as usize, 4, 4096)?;
        let concavity = decomposition.concavity;
        if !(0.0..=1.0).contains(&concavity) {
            return Err(GeometryError::ShareOutOfRange { what: "concavity of the decomposition", value: concavity });
        }
        let hull = Polyhedron::hull(surface.vertices())?;
        let hull_volume = hull.mass_properties(1.0)?.mass;
        let parts = if hull_volume - surface.volume() <= CONVEX_VOLUME_TOLERANCE * hull_volume {
            vec![hull]
        } else {
            convex_parts(&surface, decomposition)?
        };
        let parts = Compound::from_polyhedra(parts, decomposition.bounds)?;
        Ok(Self { surface, parts })
    }

    /// Returns the mesh.
    pub fn surface(&self) -> &TriangleMesh {
        &self.surface
    }

    /// Returns the convex parts.
    pub fn parts(&self) -> &Compound {
        &self.parts
    }
}
