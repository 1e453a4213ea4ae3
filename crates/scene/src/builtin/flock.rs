//! A flock of birds flies round three towers, hunted by a falcon (Reynolds 1987; Timchenko (2007) section V.B.5).

use burgess_agents::flock::FlockSettings;
use glam::DVec3;
use rand::RngExt as _;
use rand::SeedableRng as _;
use rand_pcg::Pcg64;

use super::parts::{ground, looks, studio_scene};
use crate::spec::{BodySpec, ControllerSpec, EllipsoidShape, FlockSpec, Orientation, SceneSpec, ShapeKind, ShapeSpec};

const BIRDS: usize = 200;
/// Radii of a bird along its axes, in m.
const BIRD: DVec3 = DVec3::new(0.24, 0.16, 0.06);
/// Density of a bird, in kg/m^3.
const DENSITY: f64 = 200.0;
/// Number of birds along each side of a layer at the start.
const SIDE: usize = 7;
/// Place of the first bird, distance of neighbours and largest deviation from it at the start, in m.
const FIRST: DVec3 = DVec3::new(-3.6, -3.6, 9.0);
const SPACING: f64 = 1.2;
const JITTER: f64 = 0.3;
/// Radius of the region of the flock, in m.
const RADIUS: f64 = 9.0;
/// Places and heights of the towers, in m.
const TOWERS: [[f64; 3]; 3] = [[6.0, 4.0, 18.0], [-7.0, 2.0, 14.0], [1.0, -8.0, 22.0]];
/// Radius of a tower, in m.
const TOWER_RADIUS: f64 = 1.0;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 30.0, DVec3::new(0.0, -42.0, 16.0), DVec3::new(0.0, 0.0, 10.0));
    scene.display.cameras.push(looks::camera_at(
        "bird's-eye view",
        DVec3::new(0.0, -0.5, 46.0),
        DVec3::new(0.0, 0.0, 10.0),
    ));
    scene.simulation.step = 1.0 / 120.0;
    scene.bodies.push(ground("default"));
    let settings = FlockSettings { radius: RADIUS, obstacle_distance: 5.0, ..FlockSettings::default() };
    let mut flock = FlockSpec { obstacles: vec!["ground".to_string()], settings, ..FlockSpec::default() };
    for (index, [x, y, height]) in TOWERS.into_iter().enumerate() {
        let shape = ShapeSpec::cylinder(TOWER_RADIUS, height);
        let mut tower = BodySpec::fixed(format!("tower {index}"), DVec3::new(x, y, 0.5 * height), [shape]);
        tower.color = Some(looks::STONE);
        flock.obstacles.push(tower.name.clone());
        scene.bodies.push(tower);
    }
    let mut random = Pcg64::seed_from_u64(1987);
    let mut bird = |name: String, position: DVec3, size: f64, speed: f64, color: DVec3| {
        let mut jitter = |size: f64| random.random_range(-size..size);
        let position = position + DVec3::new(jitter(JITTER), jitter(JITTER), jitter(JITTER));
        let mut body = BodySpec::new(name, position, [ellipsoid(size * BIRD)]);
        let heading = jitter(std::f64::consts::PI);
        body.orientation = Orientation::EulerDegrees(DVec3::Z * heading.to_degrees());
        body.velocity = speed * DVec3::new(libm::cos(heading), libm::sin(heading), 0.0);
        body.color = Some(color);
        body
    };
    for index in 0..BIRDS {
        let [column, row, layer] = [index % SIDE, index / SIDE % SIDE, index / (SIDE * SIDE)].map(|step| step as f64);
        let position = FIRST + SPACING * DVec3::new(column, row, layer);
        let color = looks::scale(index as f64 / BIRDS as f64);
        let member = bird(format!("bird {index}"), position, 1.0, settings.speed, color);
        flock.bodies.push(member.name.clone());
        scene.bodies.push(member);
    }
    let perch = DVec3::new(0.0, 10.0, 18.0);
    let falcon = bird("falcon".to_string(), perch, 2.0, settings.predator_speed, looks::BLACK);
    flock.predators.push(falcon.name.clone());
    scene.bodies.push(falcon);
    scene.controllers.push(ControllerSpec::Flock(flock));
    scene
}

fn ellipsoid(semi_axes: DVec3) -> ShapeSpec {
    ShapeSpec::new(ShapeKind::Ellipsoid(EllipsoidShape { semi_axes })).with_density(DENSITY)
}
