//! Behaviour nets: the two phases, sensors, control nodes, and paths with and without the fan.

use std::f64::consts::PI;

use burgess_agents::crowd::{Crowd, CrowdSettings, Goal, Influence, Near, Region, Walker};
use burgess_agents::net::{
    Averaging, BehaviourNet, Control, Link, LinkKind, Node, NodeKind, Output, Pose2, Sensor, Surroundings,
};
use glam::DVec2;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use crate::support::{RATE, floor};

const EMPTY: Surroundings = Surroundings { objects: &[], others: &[] };

fn node(name: &str, kind: NodeKind) -> Node {
    Node { name: name.to_string(), kind }
}

fn carry(from: usize, to: usize, weight: f64) -> Link {
    Link { from, to, weight, kind: LinkKind::Carry }
}

fn control(avoid: bool, distance: f64, distance_weight: f64, angle_weight: f64) -> NodeKind {
    NodeKind::Control(Control { avoid, distance, angle: 0.0, distance_weight, angle_weight })
}

/// Random nets, loops included, give the same outputs for any order of nodes and links.
#[test]
fn the_order_of_nodes_does_not_matter() {
    for seed in 0..50 {
        let mut random = Pcg64::seed_from_u64(seed);
        let count = random.random_range(3..12);
        let kind = |random: &mut Pcg64| match random.random_range(0..3) {
            0 => NodeKind::Perceptual(Sensor::Location(DVec2::new(random.random_range(-5.0..5.0), 2.0))),
            1 => control(true, random.random_range(1.0..9.0), random.random_range(0.1..0.5), 0.1),
            _ => control(false, random.random_range(0.0..2.0), random.random_range(0.1..0.5), 0.1),
        };
        let nodes: Vec<Node> = (0..count).map(|index| node(&format!("n{index}"), kind(&mut random))).collect();
        let is_control = |index: usize| matches!(nodes[index].kind, NodeKind::Control(_));
        let mut links = Vec::new();
        for _ in 0..2 * count {
            let (from, to) = (random.random_range(0..count), random.random_range(0..count));
            let inhibits = random.random_range(0.0..1.0) < 0.3;
            let kind = if inhibits { LinkKind::Inhibit } else { LinkKind::Carry };
            if is_control(to) {
                links.push(Link { from, to, weight: random.random_range(-0.5..0.5), kind });
            }
        }
        let mut order: Vec<usize> = (0..count).collect();
        for index in 0..count {
            order.swap(index, random.random_range(index..count));
        }
        let place = |index: usize| order.iter().position(|&node| node == index).unwrap();
        let shuffled = BehaviourNet::new(
            order.iter().map(|&index| nodes[index].clone()).collect(),
            links.iter().map(|link| Link { from: place(link.from), to: place(link.to), ..*link }).collect(),
        )
        .unwrap();
        let net = BehaviourNet::new(nodes.clone(), links).unwrap();
        let run = |net: &BehaviourNet| {
            let mut numbers = vec![0.0; net.numbers()];
            net.start(&mut numbers);
            let mut inputs = Vec::new();
            for step in 0..20 {
                let pose = Pose2 { position: DVec2::new(0.1 * f64::from(step), 0.0), heading: 0.05 * f64::from(step) };
                net.step(&mut numbers, &pose, &EMPTY, &mut inputs);
            }
            numbers
        };
        let (one, other) = (run(&net), run(&shuffled));
        for index in 0..count {
            assert_eq!(one[2 * index..2 * index + 2], other[2 * place(index)..2 * place(index) + 2], "seed {seed}");
        }
    }
}

/// Every link delays by one step: a chain passes a value on node by node.
#[test]
fn links_delay_by_one_step() {
    let pass = || control(false, 0.0, 1.0, 0.0);
    let nodes = vec![
        node("a", NodeKind::Perceptual(Sensor::Location(DVec2::new(3.0, 0.0)))),
        node("b", pass()),
        node("c", pass()),
        node("walk", NodeKind::Walk),
    ];
    let net = BehaviourNet::new(nodes, vec![carry(0, 1, 1.0), carry(1, 2, 1.0), carry(2, 3, 1.0)]).unwrap();
    let mut numbers = vec![0.0; net.numbers()];
    net.start(&mut numbers);
    let mut inputs = Vec::new();
    for step in 0..4 {
        net.step(&mut numbers, &Pose2::default(), &EMPTY, &mut inputs);
        let reached: Vec<bool> = (0..4).map(|node| numbers[2 * node] == 3.0).collect();
        assert_eq!(reached, (0..4).map(|node| node <= step).collect::<Vec<_>>());
    }
}

/// Sensors against their definitions, from random poses.
#[test]
fn sensors_perceive_distances_and_angles() {
    let mut random = Pcg64::seed_from_u64(3);
    for _ in 0..200 {
        let mut point = || DVec2::new(random.random_range(-4.0..4.0), random.random_range(-4.0..4.0));
        let (position, target, a, b) = (point(), point(), point(), point());
        let others: Vec<Pose2> = (0..6).map(|_| Pose2 { position: point(), heading: 0.0 }).collect();
        let pose = Pose2 { position, heading: random.random_range(-3.0..3.0) };
        let surroundings = Surroundings { objects: &[target], others: &others };
        let seen = Sensor::Location(target).perceive(&pose, &surroundings);
        let (sin, cos) = libm::sincos(pose.heading + seen.angle);
        assert!((position + seen.distance * DVec2::new(cos, sin) - target).length() < 1e-12 && seen.angle.abs() <= PI);
        assert_eq!(Sensor::Object(0).perceive(&pose, &surroundings), seen);
        // The nearest point of a line, by sampling.
        let line = Sensor::Line(a, b).perceive(&pose, &surroundings).distance;
        let sampled = (0..=1000).map(|index| position.distance(a.lerp(b, f64::from(index) / 1000.0)));
        assert!((line - sampled.fold(f64::INFINITY, f64::min)).abs() < 0.01);
        let region = Region { min: a.min(b), max: a.max(b) };
        let terrain = Sensor::Terrain(vec![region]).perceive(&pose, &surroundings).distance;
        assert_eq!(terrain == 0.0, region.contains(position));
        // All others in the sector, and only those.
        let (distance, angle) = (3.0, 1.2);
        let in_sector = others.iter().map(|other| pose.to_point(other.position));
        let in_sector: Vec<Output> =
            in_sector.filter(|seen| seen.distance <= distance && seen.angle.abs() <= angle).collect();
        let nearest = Sensor::Proximity { distance, angle, averaging: Averaging::Nearest };
        let expected = in_sector.iter().map(|seen| seen.distance).fold(f64::INFINITY, f64::min);
        assert_eq!(nearest.perceive(&pose, &surroundings).distance, expected);
        let mean = Sensor::Proximity { distance, angle, averaging: Averaging::Mean }.perceive(&pose, &surroundings);
        assert_eq!(mean.distance.is_finite(), !in_sector.is_empty());
        assert!(in_sector.is_empty() || mean.distance <= distance);
    }
}

/// Attract and avoid turn the right way: a walker that follows them comes nearer, or gets away.
#[test]
fn controls_turn_the_right_way() {
    let mut random = Pcg64::seed_from_u64(5);
    for _ in 0..200 {
        let input = Output { distance: random.random_range(0.1..3.0), angle: random.random_range(-3.1..3.1) };
        let attract = Control { avoid: false, distance: 0.0, angle: 0.0, distance_weight: 1.0, angle_weight: 0.3 };
        let avoid = Control { avoid: true, distance: 4.0, ..attract };
        let after = |control: &Control| (input.angle - control.emit(input).angle).abs();
        assert!(after(&attract) < input.angle.abs());
        // Away from something is the angle pi.
        assert!(after(&avoid) > input.angle.abs());
        assert!(attract.emit(input).distance > 0.0 && avoid.emit(input).distance < 0.0);
        let far = Output { distance: 5.0, ..input };
        assert_eq!(avoid.emit(far), Output::default());
    }
}

/// Links of the wrong kind are refused.
#[test]
fn wrong_links_are_refused() {
    let nodes = vec![
        node("see", NodeKind::Perceptual(Sensor::Location(DVec2::ZERO))),
        node("come", control(false, 0.0, 1.0, 0.0)),
        node("walk", NodeKind::Walk),
    ];
    for (link, message) in [
        (carry(0, 2, 1.0), "put a control node between them"),
        (carry(2, 1, 1.0), "motor nodes emit nothing"),
        (carry(1, 0, 1.0), "perceptual nodes have no inputs"),
        (carry(1, 9, 1.0), "names node 9"),
    ] {
        let error = BehaviourNet::new(nodes.clone(), vec![link]).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// A goal beside a wall that is avoided up to a threshold (Granieri et al. 1995, figures 1 and 2).
fn goal_behind_a_wall() -> BehaviourNet {
    let nodes = vec![
        node("goal", NodeKind::Perceptual(Sensor::Location(DVec2::new(14.0, 7.0)))),
        node("wall", NodeKind::Perceptual(Sensor::Line(DVec2::new(0.0, 5.0), DVec2::new(12.0, 5.0)))),
        node("come", control(false, 0.2, 1.0, 0.2)),
        node("keep away", control(true, 1.0, 3.0, 0.8)),
        node("walk", NodeKind::Walk),
    ];
    let links = vec![carry(0, 2, 1.0), carry(1, 3, 1.0), carry(2, 4, 1.0), carry(3, 4, 1.0)];
    BehaviourNet::new(nodes, links).unwrap()
}

struct OfNet<'a>(&'a BehaviourNet, &'a [f64]);

impl Influence for OfNet<'_> {
    fn energy(&self, _walker: usize, _root: DVec2, _others: &[Near], place: DVec2, heading: f64) -> f64 {
        self.0.energy(self.1, &Pose2 { position: place, heading }, &EMPTY)
    }
}

/// Mean turn between steps of a path, in rad.
fn mean_turn(path: &[DVec2]) -> f64 {
    let steps: Vec<DVec2> = path.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| step.length() > 0.02).collect();
    let turns: f64 = steps.windows(2).map(|pair| pair[0].angle_to(pair[1]).abs()).sum();
    turns / (steps.len() - 1) as f64
}

/// Without the fan the path along a threshold saws; with it, it does not.
#[test]
fn the_fan_does_not_saw() {
    let net = goal_behind_a_wall();
    let mut numbers = vec![0.0; net.numbers()];
    net.start(&mut numbers);
    let start = DVec2::new(0.0, 3.0);
    let near_end = |place: DVec2| place.x > 11.0;

    // Directly: a long step in the direction that the control nodes ask for together.
    let (mut pose, mut direct) = (Pose2 { position: start, heading: 0.0 }, vec![start]);
    while !near_end(pose.position) && direct.len() < 100 {
        pose.heading += net.blend(&numbers, &pose, &EMPTY).angle;
        let (sin, cos) = libm::sincos(pose.heading);
        pose.position += 0.75 * DVec2::new(cos, sin);
        direct.push(pose.position);
    }

    let mut crowd = Crowd::new(CrowdSettings::default(), floor([16.0, 8.0], Vec::new()), vec![Goal::Free]);
    crowd.walkers.push(Walker::new(start + DVec2::X, 0.0, 0, 1.34));
    let mut sampled = Vec::new();
    let mut landed = None;
    for _ in 0..(40.0 * RATE) as usize {
        crowd.step(1.0 / RATE, &OfNet(&net, &numbers));
        let to = crowd.walkers[0].gait.root_to();
        if landed != Some(to) {
            sampled.push(to);
            landed = Some(to);
        }
        if near_end(crowd.walkers[0].gait.root()) {
            break;
        }
    }
    let (saw, smooth) = (mean_turn(&direct), mean_turn(&sampled));
    println!("mean turn per step: {saw:.3} rad directly, {smooth:.3} rad with the fan");
    assert!(near_end(*sampled.last().unwrap()), "{sampled:?}");
    assert!(saw > 0.15 && smooth < 0.25 * saw, "{saw} and {smooth}");
}
