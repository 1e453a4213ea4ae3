//! A park: people stroll between four gates and a pond, three dogs trot, balls roll, and birds fly above the trees.

use burgess_agents::flock::FlockSettings;
use burgess_formula::Formula;
use burgess_scene::builtin::{camera_at, ground, person, scale, studio_scene};
use burgess_scene::spec::{
    ActionSpec, BehaviourLinkSpec, BehaviourNodeKind, BehaviourNodeSpec, BodySpec, ControlNode, ControllerSpec,
    CrowdSpec, EllipsoidShape, FlockSpec, GoalSpec, MaterialSpec, NetworkOwner, NetworkSpec, ObjectNode, Orientation,
    RectangleSpec, SendAction, ShapeKind, ShapeSpec, StateSpec, TransitionSpec, WaitAction, WalkNode,
};
use glam::{DVec2, DVec3};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use super::InhabitedScene;
use crate::task::Task;

const PEOPLE: usize = 24;
const BIRDS: usize = 40;
const BALLS: usize = 5;
/// Half the side of the park, in m.
const PARK: f64 = 14.0;
/// Places of the trees, in m.
const TREES: [[f64; 2]; 5] = [[-9.0, 8.0], [-3.0, 9.5], [7.0, 8.5], [9.5, -7.0], [-10.0, -9.0]];
/// Places (m) and headings (rad) of the dogs.
const DOGS: [([f64; 2], f64); 3] = [([-12.0, 2.5], 0.0), ([12.0, -3.0], 3.0), ([-7.0, -12.0], 1.5)];
/// Radii of a bird along its axes, in m, and its density, in kg/m^3.
const BIRD: DVec3 = DVec3::new(0.2, 0.13, 0.05);
const BIRD_DENSITY: f64 = 200.0;
/// Name, half the sides (m), height (m) and color of the lawn and of the paths.
const GROUND: [(&str, [f64; 2], f64, [f64; 3]); 3] = [
    ("lawn", [PARK, PARK], 0.0, [0.36, 0.5, 0.26]),
    ("path to the north", [1.2, PARK], 0.002, [0.72, 0.66, 0.54]),
    ("path to the east", [PARK, 1.2], 0.003, [0.72, 0.66, 0.54]),
];
/// Names and middles (m) of the places where people walk to.
const GOALS: [(&str, [f64; 2]); 4] = [
    ("north gate", [0.0, 12.5]),
    ("east gate", [12.5, 0.0]),
    ("south gate", [0.0, -12.5]),
    ("west gate", [-12.5, 0.0]),
];

pub(super) fn scene(name: &str, description: &str) -> InhabitedScene {
    let walk = Task::preset("walk").unwrap_or_default();
    let mut scene = studio_scene(name, description, 60.0, DVec3::new(4.0, -26.0, 13.0), DVec3::new(0.0, -1.0, 2.0));
    scene.display.cameras.push(camera_at("from above", DVec3::new(0.0, -0.5, 40.0), DVec3::ZERO));
    scene.simulation.step = walk.step;
    scene.self_collision = walk.physiology.self_collision;
    // Joints of creatures may bring parts together that are not attached to each other.
    scene.simulation.allow_overlap = true;
    scene.materials.insert("default".to_string(), MaterialSpec::new(0.8, 0.3));
    scene.bodies.push(ground("default"));
    for (name, half, height, color) in GROUND {
        let mut shape =
            ShapeSpec::cuboid((2.0 * DVec2::from_array(half)).extend(0.01)).colored(DVec3::from_array(color));
        // They are to be seen only: feet and balls are on the ground.
        (shape.group, shape.mask) = (0, 0);
        scene.bodies.push(BodySpec::fixed(name, DVec3::Z * height, [shape]));
    }
    let mut crowd = CrowdSpec {
        floor: RectangleSpec { min: DVec2::splat(-PARK), max: DVec2::splat(PARK) },
        goals: GOALS.map(|(name, middle)| goal(name, middle)).to_vec(),
        networks: vec![strollers()],
        ..CrowdSpec::default()
    };
    // Birds stay above the people, also when they turn back at the border of their region.
    let settings = FlockSettings { center: DVec3::Z * 12.0, radius: 7.0, pull: 4.0, ..FlockSettings::default() };
    let mut flock = FlockSpec { obstacles: vec!["ground".to_string()], settings, ..FlockSpec::default() };
    for (index, [x, y]) in TREES.into_iter().enumerate() {
        let trunk = ShapeSpec::cylinder(0.25, 2.4).colored(DVec3::new(0.38, 0.27, 0.18));
        let leaves = ShapeSpec::sphere(1.3).at(DVec3::Z * 2.0).colored(DVec3::new(0.2, 0.42, 0.2));
        let name = format!("tree {index}");
        crowd.blocked.push(RectangleSpec { min: DVec2::new(x - 0.3, y - 0.3), max: DVec2::new(x + 0.3, y + 0.3) });
        flock.obstacles.push(name.clone());
        scene.bodies.push(BodySpec::fixed(name, DVec3::new(x, y, 1.2), [trunk, leaves]));
    }
    let mut random = Pcg64::seed_from_u64(2007);
    for index in 0..PEOPLE {
        let [column, row] = [index % 6, index / 6].map(|place| place as f64);
        let jitter = DVec2::new(random.random_range(-0.5..0.5), random.random_range(-0.5..0.5));
        let place = DVec2::new(-7.5 + 3.0 * column, -6.0 + 3.6 * row) + jitter;
        let color = scale(random.random_range(0.0..1.0));
        let body = person(format!("person {index}"), place, random.random_range(-3.1..3.1), color);
        crowd.bodies.push(body.name.clone());
        crowd.walk_to.push(GOALS[index % GOALS.len()].0.to_string());
        crowd.speeds.push(random.random_range(0.8..1.4));
        scene.bodies.push(body);
    }
    for index in 0..BIRDS {
        let [column, row] = [index % 8, index / 8].map(|place| place as f64);
        let place = DVec3::new(-4.2 + 1.2 * column, -3.0 + 1.2 * row, 12.0 + random.random_range(-0.4..0.4));
        let shape = ShapeSpec::new(ShapeKind::Ellipsoid(EllipsoidShape { semi_axes: BIRD })).with_density(BIRD_DENSITY);
        let heading: f64 = random.random_range(-3.1..3.1);
        let mut bird = BodySpec::new(format!("bird {index}"), place, [shape]);
        bird.orientation = Orientation::EulerDegrees(DVec3::Z * heading.to_degrees());
        bird.velocity = settings.speed * DVec3::new(libm::cos(heading), libm::sin(heading), 0.0);
        bird.color = Some(scale(index as f64 / BIRDS as f64));
        flock.bodies.push(bird.name.clone());
        scene.bodies.push(bird);
    }
    for index in 0..BALLS {
        let place = DVec3::new(-8.0 + 4.0 * index as f64, 6.0, 0.15 + 0.3 * index as f64);
        let ball = ShapeSpec::sphere(0.14).with_density(60.0).colored(DVec3::new(0.8, 0.16, 0.14));
        let mut ball = BodySpec::new(format!("ball {index}"), place, [ball]);
        ball.velocity = DVec3::new(random.random_range(-1.5..1.5), random.random_range(-2.0..0.0), 0.0);
        scene.bodies.push(ball);
    }
    let mut park = InhabitedScene::new(scene, walk.physiology);
    for (index, (place, heading)) in DOGS.into_iter().enumerate() {
        if let Some(root) = park.add("quadruped", &format!("dog {index} "), place, heading) {
            keep_away(&mut crowd, index, root);
        }
    }
    if !crowd.nodes.is_empty() {
        crowd.nodes.push(node("walk", BehaviourNodeKind::Walk(WalkNode {})));
    }
    park.scene.controllers.push(ControllerSpec::Flock(flock));
    park.scene.controllers.push(ControllerSpec::Crowd(Box::new(crowd)));
    park
}

/// A square of three metres round a point.
fn goal(name: &str, middle: [f64; 2]) -> GoalSpec {
    let (middle, half) = (DVec2::from_array(middle), DVec2::splat(1.5));
    GoalSpec { name: name.to_string(), min: middle - half, max: middle + half, pauses: false }
}

fn node(name: &str, kind: BehaviourNodeKind) -> BehaviourNodeSpec {
    BehaviourNodeSpec { kind, name: name.to_string() }
}

/// Makes everybody keep away from a dog.
fn keep_away(crowd: &mut CrowdSpec, index: usize, body: String) {
    let (dog, avoid) = (format!("dog_{index}"), format!("avoid_{index}"));
    let control = ControlNode { distance: 1.6, angle: 0.0, distance_weight: 2.0, angle_weight: 0.0 };
    crowd.nodes.push(node(&dog, BehaviourNodeKind::Object(ObjectNode { body })));
    crowd.nodes.push(node(&avoid, BehaviourNodeKind::Avoid(control)));
    for (name, from, to) in
        [(format!("see {dog}"), dog, avoid.clone()), (format!("mind {index}"), avoid, "walk".into())]
    {
        crowd.links.push(BehaviourLinkSpec { name, from, to, weight: 1.0, inhibits: false });
    }
}

/// People walk from gate to gate and rest at each.
fn strollers() -> NetworkSpec {
    let state = |name: String, actions: Vec<ActionSpec>, to: String, guard: &str| {
        let guard = Formula::parse(guard).unwrap_or_default();
        StateSpec { name, actions, transitions: vec![TransitionSpec { to, guard }] }
    };
    let rest = || ActionSpec::Wait(WaitAction { seconds: Formula::parse("3").unwrap_or_default() });
    let mut states = vec![state("stroll".to_string(), Vec::new(), "rest at the north gate".to_string(), "arrived")];
    for (index, (name, _)) in GOALS.iter().enumerate() {
        let next = GOALS[(index + 1) % GOALS.len()].0;
        let send = ActionSpec::Send(SendAction { goal: next.to_string() });
        states.push(state(format!("rest at the {name}"), vec![rest()], format!("to the {next}"), "1"));
        states.push(state(format!("to the {next}"), vec![send], format!("rest at the {next}"), "arrived"));
    }
    NetworkSpec { name: "strollers".to_string(), of: NetworkOwner::Pedestrians, spawned: false, states }
}
