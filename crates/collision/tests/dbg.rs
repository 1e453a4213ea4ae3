mod slab_oracle;
use burgess_collision::narrow_phase::*;
use burgess_geometry::*;
use slab_oracle::*;
fn go(a: Kind, b: Kind, seed: u64) {
    println!("=== {a:?} {b:?} {seed}");
    let scene = Scene::new(a, b, seed);
    let rel = |pb: &Pose| RelativePose::new(&scene.pose_a, pb);
    let f = closest(&scene.a, &scene.pose_a, &scene.b, &scene.pose_b, &mut PairCache::default(), &mut NarrowScratch::default()).unwrap();
    let n = scene.pose_a.matrix().transpose() * f.normal;
    println!("size {:e} {f:?} slab {:e}", scene.size, slab(&scene.a, &scene.b, &rel(&scene.pose_b), n)-f.distance);
    println!("widest {:e}", widest_slab(&scene.a, &scene.b, &rel(&scene.pose_b), n, &mut scene.rng.clone()) - f.distance);
    let moved = Pose { translation: scene.pose_b.translation - f.distance * f.normal, ..scene.pose_b };
    let mut cache = PairCache::default();
    let mut sc = NarrowScratch::default();
    println!("moved");
    let f = closest(&scene.a, &scene.pose_a, &scene.b, &moved, &mut cache, &mut sc).unwrap();
    let n = scene.pose_a.matrix().transpose() * f.normal;
    println!("moved: {f:?} slab {:e} {cache:?} {:?}", slab(&scene.a, &scene.b, &rel(&moved), n), sc.statistics);
    println!("widest {:e}", widest_slab(&scene.a, &scene.b, &rel(&moved), n, &mut scene.rng.clone()));
    let mut d = glam::DVec3::ZERO;
    println!("gjk {:?}", closest_convex_convex(&scene.a, &scene.b, &rel(&moved), &mut d, &mut PolytopeScratch::default()));
}
#[test]
fn dbg() {
    go(Kind::Polyhedron, Kind::Polyhedron, 8161346823741258298);
    go(Kind::Frustum, Kind::Capsule, 17502707953742478741);
    go(Kind::Cuboid, Kind::Frustum, 9436795415014433619);
}
