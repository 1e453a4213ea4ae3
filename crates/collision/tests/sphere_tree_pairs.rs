//! Sphere trees compared with brute force over their leaves, and with the solids that they approximate.

use crate::slab_oracle::{random_direction, random_rotation};
use burgess_collision::narrow_phase::{
    NarrowScratch, PairCache, SphereTreeScratch, closest, closest_sphere_tree_convex, closest_sphere_tree_sphere_tree,
    contacts_sphere_tree_sphere_tree,
};
use burgess_geometry::shape::{Cuboid, HalfSpace};
use burgess_geometry::{Pose, RelativePose, Shape, SphereTree, SphereTreeParameters, TriangleMesh};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn brick(half_extents: DVec3) -> (Shape, SphereTree) {
    let cuboid = Cuboid::new(half_extents).unwrap();
    let polyhedron = &cuboid.polyhedron;
    let mut triangles = Vec::new();
    for face in 0..polyhedron.faces().len() as u32 {
        let sides = polyhedron.sides(face);
        triangles.extend((1..sides.len() - 1).map(|i| [sides[0].vertex, sides[i].vertex, sides[i + 1].vertex]));
    }
    let mesh = TriangleMesh::new(polyhedron.vertices().to_vec(), triangles).unwrap();
    let parameters = SphereTreeParameters { depth: 4, branching: 4, tolerance: 0.1 };
    let tree = SphereTree::new(&mesh, &parameters).unwrap();
    (Shape::Cuboid(cuboid), tree)
}

#[test]
fn the_nearest_leaves_are_found_and_bound_the_solids() {
    let rng = &mut Pcg64::seed_from_u64(5);
    let (shape_a, tree_a) = brick(DVec3::new(1.0, 0.6, 0.4));
    let (shape_b, tree_b) = brick(DVec3::new(0.3, 0.5, 0.8));
    let error = tree_a.protrusion() + tree_b.protrusion();
    let (mut scratch, mut narrow, mut contacts) = (SphereTreeScratch::default(), NarrowScratch::default(), Vec::new());
    for _ in 0..100 {
        let pose_a = Pose::new(random_rotation(rng), random_direction(rng));
        let offset = rng.random_range(0.0..4.0) * random_direction(rng);
        let pose_b = Pose::new(random_rotation(rng), pose_a.translation + offset);
        let b_in_a = RelativePose::new(&pose_a, &pose_b);
        let found = closest_sphere_tree_sphere_tree(&tree_a, &tree_b, &b_in_a, &mut scratch);
        let p = found.proximity;
        assert!((p.point_a + p.distance * p.normal - p.point_b).length() < 1e-14);

        let margin = 0.05;
        let (mut least, mut near) = (f64::INFINITY, 0);
        for leaf_a in tree_a.leaves() {
            for leaf_b in tree_b.leaves() {
                let gap = (b_in_a.b_to_a(leaf_b.center) - leaf_a.center).length() - leaf_a.radius - leaf_b.radius;
                least = least.min(gap);
                near += usize::from(gap <= margin);
            }
        }
        assert!((p.distance - least).abs() < 1e-12);
        contacts_sphere_tree_sphere_tree(&tree_a, &tree_b, &b_in_a, margin, &mut scratch, &mut contacts);
        assert_eq!(contacts.len(), near);
        assert!(contacts.iter().all(|c| c.proximity.distance <= margin));

        let back = closest_sphere_tree_sphere_tree(&tree_b, &tree_a, &b_in_a.swapped(), &mut scratch);
        assert!((back.proximity.distance - p.distance).abs() < 1e-12);

        let solids = closest(&shape_a, &pose_a, &shape_b, &pose_b, &mut PairCache::default(), &mut narrow).unwrap();
        let solid_gap = solids.proximity.distance;
        if solid_gap > 0.0 {
            assert!(p.distance <= solid_gap + 1e-12 && solid_gap <= p.distance + error + 1e-12);
        }
    }
}

#[test]
fn over_the_ground_and_beside_a_box_the_nearest_leaf_counts() {
    let rng = &mut Pcg64::seed_from_u64(6);
    let (shape, tree) = brick(DVec3::new(1.0, 0.6, 0.4));
    let (mut narrow, ground) = (NarrowScratch::default(), Shape::HalfSpace(HalfSpace));
    let (other, _) = brick(DVec3::splat(0.5));
    for _ in 0..50 {
        let pose = Pose::new(random_rotation(rng), 2.0 * random_direction(rng));
        let ground_in_tree = RelativePose::new(&pose, &Pose::IDENTITY);
        let found = closest_sphere_tree_convex(&tree, &ground, &ground_in_tree, &mut narrow).unwrap().proximity;
        let height = |p: DVec3| pose.transform_point(p).z;
        let lowest = tree.leaves().map(|leaf| height(leaf.center) - leaf.radius).fold(f64::INFINITY, f64::min);
        assert!((found.distance - lowest).abs() < 1e-12);
        assert!((found.point_a + found.distance * found.normal - found.point_b).length() < 1e-14);
        // Also exact for solids: the surface is covered, and leaves protrude no farther.
        let solid = closest(&shape, &pose, &ground, &Pose::IDENTITY, &mut PairCache::default(), &mut narrow).unwrap();
        assert!(lowest <= solid.proximity.distance + 1e-12);
        assert!(solid.proximity.distance <= lowest + tree.protrusion() + 1e-12);

        let beside = closest_sphere_tree_convex(&tree, &other, &ground_in_tree, &mut narrow).unwrap().proximity;
        let solid = closest(&shape, &pose, &other, &Pose::IDENTITY, &mut PairCache::default(), &mut narrow).unwrap();
        if solid.proximity.distance > 0.0 {
            let gap = solid.proximity.distance;
            assert!(beside.distance <= gap + 1e-12 && gap <= beside.distance + tree.protrusion() + 1e-12);
        }
    }
}
