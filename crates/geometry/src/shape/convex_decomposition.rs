//! Approximate convex decomposition by Parry's VHACD (Mamou and Ghorbel 2009).

use glam::DVec3;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d_f64::transformation::voxelization::{FillMode, VoxelSet};

use super::Decomposition;
use crate::{GeometryError, Polyhedron, TriangleMesh};

/// Returns, for each part of the decomposition, the hull of the pieces of the surface inside its voxels.
pub(super) fn convex_parts(
    surface: &TriangleMesh,
    decomposition: &Decomposition,
) -> Result<Vec<Polyhedron>, GeometryError> {
    // In units of voxels from the box's corner, all coordinates of the voxel grid are exact.
    let corner = surface.bounds().min;
    let voxel = surface.bounds().extents().max_element() / f64::from(decomposition.resolution - 1);
    let points: Vec<DVec3> = surface.vertices().iter().map(|&v| (v - corner) / voxel).collect();
    let parameters = VHACDParameters {
        resolution: decomposition.resolution,
        concavity: decomposition.concavity,
        // VHACD doubles the parts at each level, and uses one level more than this number requires.
        max_convex_hulls: 1 << (decomposition.max_parts / 2).ilog2(),
        fill_mode: FillMode::FloodFill { detect_cavities: decomposition.cavities },
        ..VHACDParameters::default()
    };
    let cut = VHACD::decompose(&parameters, &points, surface.triangles(), true);
    let mut hulls = Vec::new();
    for part in cut.voxel_parts().iter().filter(|part| part.voxels().iter().any(|v| v.is_on_surface)) {
        let mut piece = part.compute_primitive_intersections(&points, surface.triangles());
        piece.iter_mut().for_each(|p| *p = *p * voxel + corner);
        // A piece may be flat, its voxels are not.
        let hull = Polyhedron::hull(&piece).or_else(|_| {
            let corners: Vec<DVec3> = voxel_corners(part).map(|p| p * voxel + corner).collect();
            Polyhedron::hull(&corners)
        });
        hulls.push(hull?);
    }
    Ok(hulls)
}

/// Returns the corners of a part's surface voxels, in units of voxels.
fn voxel_corners(part: &VoxelSet) -> impl Iterator<Item = DVec3> + '_ {
    let corner = |i: u32| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) - 0.5;
    let on_surface = part.voxels().iter().filter(|voxel| voxel.is_on_surface);
    on_surface.flat_map(move |voxel| (0..8).map(move |i| part.get_voxel_point(voxel) + corner(i)))
}
