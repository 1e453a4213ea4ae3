//! People leave a hall by two doors; after a while two more open.

use glam::{DVec2, DVec3};
use rand::RngExt as _;
use rand::SeedableRng as _;
use rand_pcg::Pcg64;

use super::parts::people::{formula, person};
use super::parts::{block, ground, looks, studio_scene};
use crate::spec::{
    ControllerSpec, CrowdSpec, GateSpec, GoalSpec, Measured, OfRegion, OfStream, RectangleSpec, SceneSpec, SensorSpec,
};

const PEOPLE: usize = 200;
/// Number of people in a row at the start.
const ROW: usize = 20;
/// Half the length and half the depth of the hall, in m.
const HALL: DVec2 = DVec2::new(10.0, 7.0);
/// Half the width of the floor round it, and half its depth, in m.
const FLOOR: DVec2 = DVec2::new(14.0, 22.0);
/// Places of the doors along each long wall, in m, and their width.
const DOORS: [f64; 2] = [-5.0, 5.0];
const DOOR_WIDTH: f64 = 1.2;
/// Thickness and height of the walls, in m.
const WALL: f64 = 0.2;
const HEIGHT: f64 = 1.0;
/// Time at which the doors in the west open, in s.
const OPENING: f64 = 20.0;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 90.0, DVec3::new(0.0, -30.0, 24.0), DVec3::new(0.0, -3.0, 0.0));
    scene.display.cameras.push(looks::camera_at("from above", DVec3::new(0.0, -0.5, 48.0), DVec3::ZERO));
    scene.simulation.step = 1.0 / 60.0;
    scene.bodies.push(ground("default"));
    let mut crowd = CrowdSpec {
        floor: RectangleSpec { min: -FLOOR, max: FLOOR },
        goals: [("south", -1.0), ("north", 1.0)].map(|(name, side)| goal(name, side)).to_vec(),
        ..CrowdSpec::default()
    };
    let mut wall = |name: String, center: DVec2, size: DVec2| {
        let body = block(name, center.extend(0.5 * HEIGHT), size.extend(HEIGHT), "default");
        crowd.obstacles.push(body.name.clone());
        scene.bodies.push(body);
    };
    for (side, sign) in [("south", -1.0), ("north", 1.0)] {
        let inner = 0.5 * DOOR_WIDTH;
        let ends = [-HALL.x, DOORS[0] - inner, DOORS[0] + inner, DOORS[1] - inner, DOORS[1] + inner, HALL.x];
        for (index, ends) in ends.chunks_exact(2).enumerate() {
            let center = DVec2::new(0.5 * (ends[0] + ends[1]), sign * HALL.y);
            wall(format!("{side} wall {index}"), center, DVec2::new(ends[1] - ends[0], WALL));
        }
    }
    for (side, sign) in [("west", -1.0), ("east", 1.0)] {
        wall(format!("{side} wall"), DVec2::new(sign * HALL.x, 0.0), DVec2::new(WALL, 2.0 * HALL.y + WALL));
    }
    for (side, sign) in [("south", -1.0), ("north", 1.0)] {
        for (end, door) in ["west", "east"].into_iter().zip(DOORS) {
            let center = DVec2::new(door, sign * HALL.y);
            let half = 0.5 * DVec2::new(DOOR_WIDTH, 1.5 * WALL);
            let open = (end == "west").then(|| formula(&format!("time > {OPENING}")));
            let name = format!("{side} {end} door");
            crowd.gates.push(GateSpec { name, min: center - half, max: center + half, detour: true, open });
        }
    }
    let mut random = Pcg64::seed_from_u64(9);
    for index in 0..PEOPLE {
        let [column, row] = [index % ROW, index / ROW].map(|place| place as f64 + 0.5);
        let spacing = 2.0 * (HALL - DVec2::splat(0.6)) / DVec2::new(ROW as f64, (PEOPLE / ROW) as f64);
        let jitter = DVec2::new(random.random_range(-0.2..0.2), random.random_range(-0.2..0.2));
        let place = DVec2::splat(0.6) - HALL + spacing * DVec2::new(column, row) + jitter;
        let heading = random.random_range(-3.1..3.1);
        let to = if place.y < 0.0 { "south" } else { "north" };
        let color = looks::scale(random.random_range(0.0..1.0));
        let body = person(format!("person {index}"), place, heading, color);
        crowd.bodies.push(body.name.clone());
        crowd.walk_to.push(to.to_string());
        crowd.speeds.push(random.random_range(1.0..1.6));
        scene.bodies.push(body);
    }
    scene.controllers.push(ControllerSpec::Crowd(Box::new(crowd)));
    scene.sensors = sensors();
    scene
}

/// Density and speed before the door in the south-east, and the flow through it.
fn sensors() -> Vec<SensorSpec> {
    let door = DVec2::new(DOORS[1], -HALL.y);
    let (min, max) = (door + DVec2::new(-1.0, 0.0), door + DVec2::new(1.0, 2.0));
    let around = 0.5 * DVec2::new(DOOR_WIDTH, 1.0);
    let passage = OfStream { min: door - around, max: door + around, direction: -DVec2::Y };
    let sensor = |name: &str, kind: Measured| SensorSpec { kind, name: name.to_string() };
    vec![
        sensor("density before the door", Measured::CrowdDensity(OfRegion { min, max })),
        sensor("speed before the door", Measured::CrowdSpeed(OfRegion { min, max })),
        sensor("flow through the door", Measured::CrowdFlow(passage)),
    ]
}

/// A strip at the far end of the floor.
fn goal(name: &str, side: f64) -> GoalSpec {
    let far = side * FLOOR.y;
    let near = far - side * 4.0;
    let (min, max) = (DVec2::new(-FLOOR.x, far.min(near)), DVec2::new(FLOOR.x, far.max(near)));
    GoalSpec { name: name.to_string(), min, max, pauses: false }
}
