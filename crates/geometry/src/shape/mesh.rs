//! Solids of any form: a closed mesh, and its decomposition into convex parts for collisions.

use glam::DVec3;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d_f64::transformation::voxelization::{FillMode, VoxelSet};

use super::{Compound, NodeBounds};
use crate::{GeometryError, Polyhedron, TriangleMesh, error::counted};

/// A mesh whose hull has no more volume than this, relatively, is convex: rounding alone makes that much.
const CONVEX: f64 = 1e-10;

/// How finely a mesh is cut into convex parts (approximate convex decomposition on voxels, Mamou and Ghorbel 2009).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decomposition {
    /// Voxels along the longest side, 8 to 256: features smaller than a voxel are not separated.
    pub resolution: u32,
    /// How much of the hull's volume a part may fill beyond the body before it is cut, 0 to 1.
    pub concavity: f64,
    /// Never more parts than this, 4 to 4096.
    pub max_parts: u32,
    /// Keep cavities inside the body empty. Without this they are filled.
    pub cavities: bool,
    /// What encloses the parts in the tree.
    pub bounds: NodeBounds,
}

impl Default for Decomposition {
    fn default() -> Self {
        Self { resolution: 64, concavity: 0.01, max_parts: 256, cavities: false, bounds: NodeBounds::Hull }
    }
}

/// The inside of a closed triangle mesh. Collisions are with the convex parts, which cover the whole surface; mass and
/// display are of the mesh itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    surface: TriangleMesh,
    parts: Compound,
}

impl Mesh {
    /// Cuts a mesh into convex parts. A convex mesh is its own only part, exactly.
    pub fn new(surface: TriangleMesh, decomposition: &Decomposition) -> Result<Self, GeometryError> {
        counted("resolution of the decomposition", decomposition.resolution as usize, 8, 256)?;
        counted("number of parts of the decomposition", decomposition.max_parts as usize, 4, 4096)?;
        let concavity = decomposition.concavity;
        if !(0.0..=1.0).contains(&concavity) {
            return Err(GeometryError::ShareOutOfRange { what: "concavity of the decomposition", value: concavity });
        }
        let hull = Polyhedron::hull(surface.vertices())?;
        let hull_volume = hull.mass_properties(1.0)?.mass;
        let parts = if hull_volume - surface.volume() <= CONVEX * hull_volume {
            vec![hull]
        } else {
            convex_parts(&surface, decomposition)?
        };
        let parts = Compound::from_polyhedra(parts, decomposition.bounds)?;
        Ok(Self { surface, parts })
    }

    /// The mesh.
    pub fn surface(&self) -> &TriangleMesh {
        &self.surface
    }

    /// Its convex parts.
    pub fn parts(&self) -> &Compound {
        &self.parts
    }
}

/// The hulls of those pieces of the surface that fall into the voxels of each part.
fn convex_parts(surface: &TriangleMesh, decomposition: &Decomposition) -> Result<Vec<Polyhedron>, GeometryError> {
    // In units of voxels from the box's corner all numbers of the voxel grid are exact.
    let corner = surface.bounds().min;
    let voxel = surface.bounds().extents().max_element() / f64::from(decomposition.resolution - 1);
    let points: Vec<DVec3> = surface.vertices().iter().map(|&v| (v - corner) / voxel).collect();
    let parameters = VHACDParameters {
        resolution: decomposition.resolution,
        concavity: decomposition.concavity,
        // Each level of cuts doubles the parts, and there is one level more than this number asks for.
        max_convex_hulls: 1 << (decomposition.max_parts / 2).ilog2(),
        fill_mode: FillMode::FloodFill { detect_cavities: decomposition.cavities },
        ..VHACDParameters::default()
    };
    let cut = VHACD::decompose(&parameters, &points, surface.triangles(), true);
    let mut hulls = Vec::new();
    for part in cut.voxel_parts().iter().filter(|part| part.voxels().iter().any(|v| v.is_on_surface)) {
        let mut piece = part.compute_primitive_intersections(&points, surface.triangles());
        piece.iter_mut().for_each(|p| *p = *p * voxel + corner);
        // A piece may be flat: its voxels are not.
        let hull = Polyhedron::hull(&piece).or_else(|_| {
            let corners: Vec<DVec3> = voxel_corners(part).map(|p| p * voxel + corner).collect();
            Polyhedron::hull(&corners)
        });
        hulls.push(hull?);
    }
    Ok(hulls)
}

/// The corners of a part's voxels on the surface, in units of voxels.
fn voxel_corners(part: &VoxelSet) -> impl Iterator<Item = DVec3> + '_ {
    let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) - 0.5;
    let on_surface = part.voxels().iter().filter(|voxel| voxel.is_on_surface);
    on_surface.flat_map(move |voxel| (0..8).map(move |i| part.get_voxel_point(voxel) + corner(i)))
}
