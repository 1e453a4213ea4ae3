//! A street with two crosswalks, traffic lights, cars, and people who walk to and fro (Granieri et al. 1995, section
//! 3).

use burgess_agents::pedestrians::Lane;
use glam::{DVec2, DVec3};
use rand::RngExt as _;
use rand::SeedableRng as _;
use rand_pcg::Pcg64;

use super::parts::people::{car, formula, person};
use super::parts::{ground, looks, studio_scene};
use crate::spec::{
    ActionSpec, BehaviourLinkSpec, BehaviourNodeKind, BehaviourNodeSpec, BodySpec, ControlNode, ControllerSpec,
    CrowdSpec, GateSpec, GoalSpec, LaneSpec, NetworkOwner, NetworkSpec, RectangleSpec, SceneSpec, SendAction,
    ShapeSpec, SignalAction, StateSpec, StopSpec, TerrainNode, TransitionSpec, VehicleSpec, WaitAction, WalkNode,
};

const PEOPLE: usize = 60;
const CARS: usize = 6;
/// Half the sides of the lane, in m.
const LANE: DVec2 = DVec2::new(24.0, 10.0);
/// Length by which the corners of the lane are cut, in m.
const CORNER: f64 = 6.0;
/// Half the width of the road, and of a crosswalk, in m.
const ROAD: f64 = 2.0;
const CROSSWALK: f64 = 2.0;
/// Half the sides of the floor, in m.
const FLOOR: DVec2 = DVec2::new(15.0, 17.0);
/// Length and width of a car, in m.
const CAR: [f64; 2] = [4.0, 1.8];
/// Distance of the stop lines from the crosswalks, in m.
const STOP_DISTANCE: f64 = 1.0;
/// A puddle that people walk round.
const PUDDLE: RectangleSpec = RectangleSpec { min: DVec2::new(1.5, -1.5), max: DVec2::new(4.5, 1.0) };

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 120.0, DVec3::new(14.0, -32.0, 16.0), DVec3::new(0.0, -3.0, 0.0));
    scene.display.cameras.push(looks::camera_at("from above", DVec3::new(0.0, -0.5, 50.0), DVec3::ZERO));
    scene.simulation.step = 1.0 / 60.0;
    scene.bodies.push(ground("default"));
    add_ground_marks(&mut scene);
    let mut crowd = CrowdSpec {
        floor: RectangleSpec { min: -FLOOR, max: FLOOR },
        goals: goals(),
        blocked: blocked(),
        gates: gates(),
        signals: ["walk", "drive"].map(str::to_string).to_vec(),
        networks: vec![lights(), strollers()],
        nodes: nodes(),
        links: links(),
        lanes: vec![lane()],
        ..CrowdSpec::default()
    };
    let mut random = Pcg64::seed_from_u64(1995);
    for index in 0..PEOPLE {
        let [column, row] = [index % 10, index / 10].map(|place| place as f64);
        let jitter = DVec2::new(random.random_range(-0.4..0.4), random.random_range(-0.4..0.4));
        // Two rows each in the south, in the middle and in the north.
        let side = [-14.5, 0.0, 14.5][(row as usize / 2) % 3];
        let place = DVec2::new(-11.0 + 2.3 * column, side + 1.4 * (row % 2.0) - 0.7) + jitter;
        let hurried = random.random_range(0.0..1.0);
        let (speed, color) = match hurried {
            share if share < 0.25 => (random.random_range(1.6..1.9), looks::RED),
            share if share < 0.5 => (random.random_range(0.6..0.8), looks::IVORY),
            _ => (random.random_range(1.1..1.5), looks::BLUE.lerp(looks::GREEN, random.random_range(0.0..1.0))),
        };
        let body = person(format!("person {index}"), place, random.random_range(-3.1..3.1), color);
        crowd.bodies.push(body.name.clone());
        crowd.walk_to.push(["plaza", "south", "north"][index % 3].to_string());
        crowd.speeds.push(speed);
        scene.bodies.push(body);
    }
    let route = Lane { points: lane().points, stops: Vec::new() };
    for index in 0..CARS {
        let start = route.length() * (index as f64 + 0.4) / CARS as f64;
        let color = looks::scale((index as f64 * 0.37).fract());
        let (place, heading) = route.pose(start);
        let body = car(format!("car {index}"), place, heading, CAR, color);
        let [length, width] = CAR;
        let lane = "round the block".to_string();
        crowd.vehicles.push(VehicleSpec { body: body.name.clone(), lane, start, speed: 9.0, length, width });
        scene.bodies.push(body);
    }
    scene.controllers.push(ControllerSpec::Crowd(Box::new(crowd)));
    scene
}

/// The road, the stripes of the crosswalks and the puddle, flat on the ground.
fn add_ground_marks(scene: &mut SceneSpec) {
    let mut flat = |name: String, min: DVec2, max: DVec2, height: f64, color: DVec3| {
        let shape = ShapeSpec::cuboid((max - min).extend(0.02)).at(DVec3::ZERO);
        let mut body = BodySpec::fixed(name, (0.5 * (min + max)).extend(height), [shape]);
        body.color = Some(color);
        scene.bodies.push(body);
    };
    let asphalt = DVec3::splat(0.25);
    let outer = LANE + DVec2::splat(ROAD);
    let inner = LANE - DVec2::splat(ROAD);
    flat("south road".to_string(), DVec2::new(-outer.x, -outer.y), DVec2::new(outer.x, -inner.y), 0.0, asphalt);
    flat("north road".to_string(), DVec2::new(-outer.x, inner.y), DVec2::new(outer.x, outer.y), 0.0, asphalt);
    flat("west road".to_string(), DVec2::new(-outer.x, -inner.y), DVec2::new(-inner.x, inner.y), 0.0, asphalt);
    flat("east road".to_string(), DVec2::new(inner.x, -inner.y), DVec2::new(outer.x, inner.y), 0.0, asphalt);
    for (side, sign) in [("south", -1.0), ("north", 1.0)] {
        for stripe in 0..4 {
            let x = -CROSSWALK + 0.25 + f64::from(stripe);
            let (min, max) = (DVec2::new(x, sign * LANE.y - ROAD), DVec2::new(x + 0.5, sign * LANE.y + ROAD));
            flat(format!("{side} stripe {stripe}"), min, max, 0.01, looks::IVORY);
        }
    }
    flat("puddle".to_string(), PUDDLE.min, PUDDLE.max, 0.0, looks::BLUE);
}

fn goals() -> Vec<GoalSpec> {
    let goal = |name: &str, min: [f64; 2], max: [f64; 2]| GoalSpec {
        name: name.to_string(),
        min: DVec2::from_array(min),
        max: DVec2::from_array(max),
        pauses: false,
    };
    vec![
        goal("plaza", [-12.0, -3.0], [12.0, 3.0]),
        goal("south", [-14.0, -16.5], [14.0, -15.0]),
        goal("north", [-14.0, 15.0], [14.0, 16.5]),
    ]
}

/// The road beside the crosswalks.
fn blocked() -> Vec<RectangleSpec> {
    let part = |west: f64, east: f64, middle: f64| RectangleSpec {
        min: DVec2::new(west, middle - ROAD),
        max: DVec2::new(east, middle + ROAD),
    };
    [-LANE.y, LANE.y].into_iter().flat_map(|y| [part(-FLOOR.x, -CROSSWALK, y), part(CROSSWALK, FLOOR.x, y)]).collect()
}

fn gates() -> Vec<GateSpec> {
    let gate = |name: &str, middle: f64| GateSpec {
        name: name.to_string(),
        min: DVec2::new(-CROSSWALK, middle - ROAD),
        max: DVec2::new(CROSSWALK, middle + ROAD),
        detour: false,
        open: Some(formula("walk")),
    };
    vec![gate("south crosswalk", -LANE.y), gate("north crosswalk", LANE.y)]
}

/// A rectangle with cut corners, driven counterclockwise from its south-west.
fn lane() -> LaneSpec {
    let DVec2 { x, y } = LANE;
    let c = CORNER;
    let corners = [[c - x, -y], [x - c, -y], [x, c - y], [x, y - c], [x - c, y], [c - x, y], [-x, y - c], [-x, c - y]];
    let first = x - c - CROSSWALK - STOP_DISTANCE;
    let half = 2.0 * (x + y) - 4.0 * c + 2.0 * std::f64::consts::SQRT_2 * c;
    let stop = |at: f64| StopSpec { at, closed: formula("1 - drive") };
    let points = corners.map(DVec2::from_array).to_vec();
    LaneSpec { name: "round the block".to_string(), points, stops: vec![stop(first), stop(first + half)] }
}

fn state(name: &str, actions: Vec<ActionSpec>, to: &str, guard: &str) -> StateSpec {
    let transitions = vec![TransitionSpec { to: to.to_string(), guard: formula(guard) }];
    StateSpec { name: name.to_string(), actions, transitions }
}

/// The traffic lights.
fn lights() -> NetworkSpec {
    let show = |walk: &str, drive: &str| {
        let signal = |name: &str, value: &str| {
            ActionSpec::Signal(SignalAction { name: name.to_string(), value: formula(value) })
        };
        vec![signal("walk", walk), signal("drive", drive)]
    };
    let states = vec![
        state("walk", show("1", "0"), "clear the crosswalks", "state_time > 14"),
        state("clear the crosswalks", show("0", "0"), "drive", "state_time > 9"),
        state("drive", show("0", "1"), "clear the road", "state_time > 16"),
        state("clear the road", show("0", "0"), "walk", "state_time > 4"),
    ];
    NetworkSpec { name: "lights".to_string(), of: NetworkOwner::Scene, spawned: false, states }
}

/// People walk from side to side and rest for a while.
fn strollers() -> NetworkSpec {
    let send = |goal: &str| vec![ActionSpec::Send(SendAction { goal: goal.to_string() })];
    let rest = || vec![ActionSpec::Wait(WaitAction { seconds: formula("3") })];
    let states = vec![
        state("on the way", Vec::new(), "rest in the plaza", "arrived"),
        state("rest in the plaza", rest(), "to the south", "1"),
        state("to the south", send("south"), "rest in the south", "arrived"),
        state("rest in the south", rest(), "to the plaza", "1"),
        state("to the plaza", send("plaza"), "rest again", "arrived"),
        state("rest again", rest(), "to the north", "1"),
        state("to the north", send("north"), "rest in the north", "arrived"),
        state("rest in the north", rest(), "back to the plaza", "1"),
        state("back to the plaza", send("plaza"), "rest in the plaza", "arrived"),
    ];
    NetworkSpec { name: "strollers".to_string(), of: NetworkOwner::Pedestrians, spawned: false, states }
}

/// Everybody avoids the puddle.
fn nodes() -> Vec<BehaviourNodeSpec> {
    let node = |name: &str, kind: BehaviourNodeKind| BehaviourNodeSpec { kind, name: name.to_string() };
    let control = ControlNode { distance: 0.4, angle: 0.0, distance_weight: 4.0, angle_weight: 0.0 };
    vec![
        node("puddle", BehaviourNodeKind::Terrain(TerrainNode { regions: vec![PUDDLE] })),
        node("keep_dry", BehaviourNodeKind::Avoid(control)),
        node("walk", BehaviourNodeKind::Walk(WalkNode {})),
    ]
}

fn links() -> Vec<BehaviourLinkSpec> {
    let link = |name: &str, from: &str, to: &str| BehaviourLinkSpec {
        name: name.to_string(),
        from: from.to_string(),
        to: to.to_string(),
        weight: 1.0,
        inhibits: false,
    };
    vec![link("see the puddle", "puddle", "keep_dry"), link("avoid the puddle", "keep_dry", "walk")]
}
