//! Draws the pictures of the documentation; run by `bench/picture`.
//!
//! `bounce.svg` shows a moment of `bounce`: the bodies in their world, and black lines between the closest points of
//! the pairs whose boxes overlap (compare Fontijne (2000) figure 2.10). `creatures/actuators.svg` shows an actuator
//! function and mutations of it (compare Arnold (1997) figure 3.3), `creatures/zoo.svg` the champions of the zoo in
//! motion. The other pictures in that folder show the built-in creatures that were designed by hand.

use std::path::Path;

use anyhow::{Context, Result};
use burgess_bounce::{BounceConfig, BounceWorld};
use burgess_catalog::{Arena, Creature};
use burgess_collision::narrow_phase::{NarrowScratch, PairCache, closest};
use burgess_creature::brain::{Oscillator, Pace};
use burgess_creature::builtin::Builtin;
use burgess_creature::legged::{LeggedGenome, LeggedSettings, Spectrum};
use burgess_creature::{Genome, Random, builtin, portrait};
use burgess_files::write_atomically;
use burgess_geometry::{Aabb, Pose, Shape};
use burgess_pictures::{Axis, ContactSheet, Picture, PictureOptions, Plot, SceneBodies, Series};
use burgess_scene::RunOptions;
use glam::DVec3;

/// Side of the world of bounce: smaller than by default, so that many bodies are close to each other.
const SIDE: f64 = 7.0;
/// Seed and number of steps of a moment with all kinds of bodies and many close pairs, none of which penetrates.
const MOMENT: (u64, u64) = (127, 100);
/// Seed of the actuator function.
const ACTUATOR: u64 = 2;
/// Width and height of a picture of the zoo, in pixels.
const ZOO_PICTURE: [u32; 2] = [320, 240];
/// Number of pictures of the zoo side by side.
const ZOO_COLUMNS: u32 = 4;
/// Moment in which a champion of the zoo is drawn, as a fraction of its trial.
const ZOO_MOMENT: f64 = 0.5;
/// The same in a contest.
const CONTEST_MOMENT: f64 = 0.2;
/// Time range of the plot, in s.
const PLOT_SECONDS: f64 = 3.0;

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).context("usage: picture FOLDER")?;
    let write = |name: &str, svg: String| {
        let path = Path::new(&folder).join(name);
        println!("{}: {} bytes", path.display(), svg.len());
        write_atomically(&path, svg.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    };
    write("bounce.svg", bounce()?)?;
    write("creatures/actuators.svg", actuators()?)?;
    if builtin::all().iter().any(Builtin::is_evolved) {
        write("creatures/zoo.svg", zoo()?)?;
    }
    for known in builtin::all().iter().filter(|known| !known.is_evolved()) {
        let title = format!("{}: {}", known.name, known.description);
        let file = known.file();
        let phenotype = file.genome.grow(&file.physiology.unwrap_or_default()).with_context(|| known.name)?;
        let svg = portrait(&phenotype.body, PictureOptions { title, ..PictureOptions::default() })?;
        write(&format!("creatures/{}.svg", known.name), svg)?;
    }
    Ok(())
}

/// Draws all champions of the zoo in their arenas, in a grid.
fn zoo() -> Result<String> {
    let size @ [width, height] = ZOO_PICTURE;
    let mut sheet = ContactSheet::new("The zoo: evolved creatures in motion", size, ZOO_COLUMNS);
    for known in builtin::all().iter().filter(|known| known.is_evolved()) {
        let preview = Arena::default().show(&Creature::builtin(known.name)?)?;
        let task = preview.task();
        let mut scene = preview.run(&RunOptions::default())?;
        // Opponents are close to each other at the start.
        let moment = if task.contest.is_some() { CONTEST_MOMENT } else { ZOO_MOMENT };
        scene.simulation.run(task.settle + moment * task.duration).with_context(|| known.name)?;
        scene.simulation.data_mut().update_kinematics();
        let poses = (0..scene.bodies.len()).filter_map(|body| scene.body_pose(body)).collect();
        let bodies = SceneBodies::new(preview.scene(), scene.simulation.world(), &scene.bodies);
        let title = format!("{}: {}", known.name, known.description);
        let svg = bodies.draw(&[poses], PictureOptions { width, height, title, ..PictureOptions::default() })?;
        sheet.add(&svg, known.name, known.task);
    }
    Ok(sheet.svg())
}

/// Plots an actuator function of a random limb, and mutations of it as in Arnold (1997).
fn actuators() -> Result<String> {
    let (settings, mut dice) = (LeggedSettings::arnold_1997(), Random::new(ACTUATOR));
    let genome = LeggedGenome::random(&settings, &mut dice);
    let mut series = Vec::new();
    for mutation in 1..=4 {
        let mutated = genome.mutate(&settings, &mut dice);
        let name = if mutation == 1 { "mutations" } else { "" };
        series.push(Series::broken(name, curve(&mutated)));
    }
    series.push(Series::new("h(t)", curve(&genome)));
    let plot = Plot {
        title: "An actuator function and mutations of it".to_string(),
        x: Axis { range: Some([0.0, PLOT_SECONDS]), ..Axis::new("time t", "s") },
        y: Axis::new("angle h", "rad"),
        series,
        ..Plot::default()
    };
    Ok(plot.svg()?)
}

/// Returns h(t) of the first hip, interpolated linearly between samples.
fn curve(genome: &LeggedGenome) -> Vec<[f64; 2]> {
    let hip = &genome.limb_pairs[0].hip;
    let Spectrum { shift: phase, .. } = hip.drive.spectrum;
    let (samples, frequency) = (hip.drive.spectrum.samples(), 1.0 / hip.drive.spectrum.period());
    let pace = Pace::Own(frequency);
    let oscillator = Oscillator { samples, phase, pace, range: hip.hinge.limit, feedback: Vec::new() };
    let time = |step: u32| PLOT_SECONDS * f64::from(step) / 600.0;
    (0..=600).map(|step| [time(step), oscillator.value(phase + frequency * time(step))]).collect()
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

/// Returns the colour of a kind of body, which is recognized by the number of vertices of its parts.
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
