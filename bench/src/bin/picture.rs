//! Draws the pictures of the documentation. Started by `bench/picture`.
//!
//! `bounce.svg` is a moment of `bounce`: the bodies in their world, and black lines between the closest points of the pairs whose
//! boxes overlap (compare 000 figure 2.10).

use std::path::Path;

use anyhow::{Context, Result};
use burgess_collision::narrow_phase::{NarrowScratch, PairCache, closest};
use burgess_geometry::{Aabb, Pose, Shape};
use burgess_scene::bounce::{BounceConfig, BounceWorld};
use burgess_scene::picture::{Picture, PictureOptions};
use burgess_scene::write_atomically;
use glam::DVec3;

/// Side of the world of bounce: more crowded than by default, so that many bodies are near each other.
const SIDE: f64 = 7.0;
/// Seed and number of steps of a moment with all kinds of bodies and many near pairs, none of which penetrates.
const MOMENT: (u64, u64) = (127, 100);

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).context("usage: picture FOLDER")?;
    let write = |name: &str, svg: String| {
        let path = Path::new(&folder).join(name);
        println!("{}: {} bytes", path.display(), svg.len());
        write_atomically(&path, svg.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    };
    write("bounce.svg", bounce()?)
}

fn bounce() -> Result<String> {
    let (seed, steps) = MOMENT;
    let mut world = BounceWorld::new(BounceConfig { objects: 27, world: SIDE, seed, ..BounceConfig::default() })?;
    for _ in 0..steps {
        world.step()?;
    }
    let mut picture = Picture::new(PictureOptions {
        width: 660,
        height: 610,
        from: Some(DVec3::new(7.5, -20.0, 6.0)),
        title: "The bounce program: bodies in a box, with lines between the closest points of near pairs".to_string(),
    })?;
    picture.set_room(Aabb::from_center(DVec3::ZERO, DVec3::splat(0.5 * SIDE)));
    let bodies: Vec<(&Shape, &Pose)> = world.bodies().collect();
    for &(shape, pose) in &bodies {
        picture.add_body(shape, pose, Some(color_of_kind(shape)));
    }
    for pair in world.broad_phase().pairs() {
        let ((a, pose_a), (b, pose_b)) = (bodies[pair.a.index()], bodies[pair.b.index()]);
        let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
        let found = closest(a, pose_a, b, pose_b, &mut cache, &mut scratch).map(|found| found.proximity);
        if let Some(proximity) = found.filter(|found| found.distance > 0.0) {
            picture.add_line(proximity.point_a, proximity.point_b);
        }
    }
    Ok(picture.svg()?)
}

/// The kinds of bodies are told apart by the vertices of their parts.
fn color_of_kind(shape: &Shape) -> DVec3 {
    let (part, is_compound) = match shape {
        Shape::Compound(parts) => (parts.parts()[0].shape(), true),
        other => (other, false),
    };
    let vertices = part.as_polyhedron().map_or(0, |polyhedron| polyhedron.vertices().len());
    let [r, g, b] = match (vertices, is_compound) {
        (5, _) => [250, 204, 84],      // pyramid: amber
        (8, false) => [226, 84, 84],   // cube: vermilion
        (8, true) => [72, 178, 160],   // tube: sea green
        (16, true) => [150, 116, 212], // torus: violet
        (17, _) => [240, 140, 72],     // cone: orange
        _ => [84, 146, 222],           // ball: blue
    };
    DVec3::new(f64::from(r), f64::from(g), f64::from(b)) / 255.0
}
