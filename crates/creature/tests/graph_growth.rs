//! Growth of handmade graph genomes (Fontijne (2000) sections 4.2 to 4.4).

use burgess_creature::brain::{Brain, Function, Input, Network, Source};
use burgess_creature::develop::{Placement, develop};
use burgess_creature::graph::handmade::{centipede, tree, walker};
use burgess_creature::graph::{
    Address, Connection, GraphGenome, InputGene, JointDrive, JointGene, JointType, MIN_DETERMINANT, NeuronGene, Node,
    Place, ROOT_SENSES, Replication, ShapeKind, WORLD_SENSES,
};
use burgess_creature::senses::{Sense, sense_index};
use burgess_creature::{Body, Drive, Genome, JointAxis, PartShape, Phenotype, Physiology, Random, Unviable};
use burgess_geometry::Pose;
use burgess_scene::spec::SceneSpec;
use glam::{DMat3, DQuat, DVec3};

/// Rounding of a dozen composed poses of about 1 m.
const ROUNDING: f64 = 1e-13;

const XYZ: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

fn grown(genome: &GraphGenome) -> Phenotype {
    assert_eq!(genome.validate(), Ok(()));
    genome.grow(&Physiology::default()).unwrap()
}

fn network(phenotype: &Phenotype) -> &Network {
    match &phenotype.brain {
        Brain::Network(network) => network,
        Brain::Spectral(_) => panic!("graph genomes have networks"),
    }
}

fn node(shape: ShapeKind, size: [f64; 3]) -> Node {
    Node::new(shape, DVec3::from_array(size), JointGene::new(JointType::Revolute, XYZ, 0.5))
}

fn genome(nodes: Vec<Node>, connections: Vec<Connection>) -> GraphGenome {
    GraphGenome {
        root: 0,
        replication: Replication::PerPath,
        nodes,
        connections,
        global_neurons: Vec::new(),
        rhythm: 1.0,
    }
}

/// A chain of sticks from one node.
fn chain(limit: u8) -> GraphGenome {
    let mut stick = node(ShapeKind::Box, [0.05, 0.05, 0.1]);
    stick.recursion_limit = limit;
    genome(vec![stick], vec![Connection::new(0, 0, DVec3::Z)])
}

fn origins(body: &Body) -> Vec<usize> {
    body.parts.iter().map(|part| part.origin).collect()
}

fn parent(body: &Body, part: usize) -> usize {
    body.parts[part].attachment.as_ref().unwrap().parent
}

/// Poses of all parts at joint angles.
fn posed(body: &Body, angle: impl Fn(usize, usize) -> f64) -> Vec<Pose> {
    let mut poses: Vec<Pose> = Vec::new();
    for (index, part) in body.parts.iter().enumerate() {
        let pose = match &part.attachment {
            None => Pose::IDENTITY,
            Some(on) => {
                let turns = on.axes.iter().enumerate();
                let turn = turns.fold(DQuat::IDENTITY, |turned, (axis, hinge)| {
                    turned * DQuat::from_axis_angle(hinge.direction, angle(index, axis))
                });
                let turned = Pose::new(turn, DVec3::ZERO);
                poses[on.parent].compose(&on.in_parent).compose(&turned).compose(&on.in_child.inverse())
            }
        };
        poses.push(pose);
    }
    poses
}

#[test]
fn a_centipede_has_a_pair_of_mirrored_legs_on_every_segment() {
    let body = grown(&centipede()).body;
    let count = |origin| body.parts.iter().filter(|part| part.origin == origin).count();
    assert_eq!((count(0), count(1), count(2)), (1, 6, 12));
    assert_eq!(body.parts.iter().filter(|part| part.mirrored).count(), 6);
    let segments: Vec<usize> = (0..body.parts.len()).filter(|&part| body.parts[part].origin == 1).collect();
    for (place, &segment) in segments.iter().enumerate() {
        let at = body.parts[segment].pose.translation;
        // Straight behind the head (0.08 m), each 0.14 m long.
        let expected = DVec3::new(-0.08 - 0.07 - 0.14 * place as f64, 0.0, 0.0);
        assert!(at.distance(expected) < ROUNDING, "{at}");
        assert_eq!(parent(&body, segment), if place == 0 { 0 } else { segments[place - 1] });
        let legs: Vec<_> = body.parts.iter().filter(|part| part.origin == 2).collect();
        let legs: Vec<_> = legs.into_iter().filter(|leg| leg.attachment.as_ref().unwrap().parent == segment).collect();
        let [right, left] = legs[..] else { panic!("{} legs", legs.len()) };
        assert!(right.mirrored && !left.mirrored);
        let image = left.pose.translation * DVec3::new(1.0, -1.0, 1.0);
        assert!(right.pose.translation.distance(image) < ROUNDING);
        assert!(left.pose.translation.y > 0.06 && left.pose.translation.z < -0.01);
    }
}

#[test]
fn the_limbs_of_a_tree_shrink_and_double_at_every_fork() {
    let body = grown(&tree()).body;
    assert_eq!(body.parts.len(), 1 + 2 + 4 + 8);
    let level = |part: usize| {
        let up = |&part: &usize| body.parts[part].attachment.as_ref().map(|on| on.parent);
        std::iter::successors(Some(part), up).count() as i32 - 1
    };
    for (index, part) in body.parts.iter().enumerate() {
        let PartShape::Capsule { radius, half_length } = part.shape else { panic!("not a capsule") };
        let scale = libm::pow(0.7, f64::from(level(index)));
        assert!((radius - 0.05 * scale).abs() < ROUNDING && (half_length - 0.2 * scale).abs() < ROUNDING);
    }
    let mirrored = body.parts.iter().filter(|part| part.mirrored).count();
    assert_eq!(mirrored, 7, "half of all but the root, as reflections of reflections are none");
}

#[test]
fn a_limb_and_its_twin_are_mirror_images_at_all_equal_angles() {
    let mut random = Random::new(3);
    let mirror = DMat3::from_diagonal(DVec3::new(1.0, -1.0, 1.0));
    for kind in [JointType::Revolute, JointType::Universal, JointType::Ball] {
        for shape in ShapeKind::ALL {
            // Random axes and positions, and a reflection within the limb.
            let axes = [DVec3::new(0.6, 0.0, 0.8), DVec3::new(0.0, 1.0, 0.0), DVec3::new(-0.8, 0.0, 0.6)];
            let mut limb = node(shape, [0.06, 0.08, 0.12]);
            limb.joint = JointGene::new(kind, axes, 0.7);
            let mut finger = node(ShapeKind::Cone, [0.015, 0.015, 0.04]);
            finger.joint = JointGene::new(kind, axes, 0.7);
            let limb_on = Connection::new(0, 1, DVec3::new(0.3, 0.9, 0.2)).turned(random.turn(0.3));
            let finger_on = Connection::new(1, 2, DVec3::new(0.2, 0.9, 0.2)).turned(random.turn(0.1)).scaled(0.8);
            let trunk = node(shape, [0.2, 0.15, 0.1]);
            let graph = genome(
                vec![trunk, limb, finger],
                vec![limb_on.clone(), limb_on.reflected(), finger_on.clone().reflected(), finger_on],
            );
            let body = grown(&graph).body;
            assert_eq!(origins(&body), [0, 1, 1, 2, 2, 2, 2]);
            let angles = [0.4, -0.6, 0.5];
            // Angles by node and not by part, so that the mirror image has the same.
            let poses = posed(&body, |part, axis| angles[axis] * if body.parts[part].origin == 1 { 1.0 } else { -0.7 });
            for (first, second) in [(1, 2), (3, 5), (4, 6)] {
                let (original, image) = (&poses[first], &poses[second]);
                let gap = image.translation.distance(mirror * original.translation);
                assert!(gap < ROUNDING, "{kind:?} {shape:?}, parts {first} and {second}: {gap} m");
                let turned = mirror * original.matrix() * mirror;
                assert!((image.matrix() - turned).to_cols_array().iter().all(|off| off.abs() < ROUNDING));
            }
        }
    }
}

#[test]
fn parts_touch_where_the_connection_says() {
    let graph = genome(
        vec![node(ShapeKind::Box, [0.2, 0.1, 0.05]), node(ShapeKind::Cone, [0.04, 0.04, 0.1])],
        vec![Connection::new(0, 1, DVec3::X).scaled(0.5)],
    );
    let body = grown(&graph).body;
    let cone = &body.parts[1];
    assert_eq!(cone.shape, PartShape::Cone { radius: 0.02, half_length: 0.05 });
    // Its base is on the face, its apex points along x, and y is y.
    assert!(cone.pose.translation.distance(DVec3::new(0.25, 0.0, 0.0)) < ROUNDING);
    assert!(cone.pose.transform_vector(DVec3::Z).distance(DVec3::X) < ROUNDING);
    assert!(cone.pose.transform_vector(DVec3::Y).distance(DVec3::Y) < ROUNDING);
    let on = cone.attachment.as_ref().unwrap();
    assert_eq!(on.area, cone.shape.section(DVec3::Z), "the thinner of the two");
    // On a side, x stays x.
    let side = genome(graph.nodes.clone(), vec![Connection::new(0, 1, DVec3::NEG_Z)]);
    let body = grown(&side).body;
    assert!(body.parts[1].pose.transform_vector(DVec3::X).distance(DVec3::X) < ROUNDING);
    assert!(body.parts[1].pose.transform_vector(DVec3::Z).distance(DVec3::NEG_Z) < ROUNDING);
}

#[test]
fn passages_are_counted_on_the_path_or_in_the_whole_creature() {
    // Two arms of a repeated node: three segments each, or three in total.
    let mut segment = node(ShapeKind::Capsule, [0.03, 0.03, 0.1]);
    segment.recursion_limit = 3;
    let shoulder = Connection::new(0, 1, DVec3::Y);
    let mut graph = genome(
        vec![node(ShapeKind::Box, [0.1, 0.1, 0.1]), segment],
        vec![shoulder.clone(), shoulder.reflected(), Connection::new(1, 1, DVec3::Z)],
    );
    assert_eq!(origins(&grown(&graph).body), [0, 1, 1, 1, 1, 1, 1]);
    graph.replication = Replication::PerCreature;
    let body = grown(&graph).body;
    assert_eq!(origins(&body), [0, 1, 1, 1]);
    // Breadth first: both shoulders before the first elbow.
    assert_eq!([1, 2, 3].map(|part| parent(&body, part)), [0, 0, 1]);
}

#[test]
fn terminal_connections_are_for_the_end_of_a_chain() {
    let mut graph = chain(3);
    graph.nodes.push(node(ShapeKind::Sphere, [0.08, 0.08, 0.08]));
    graph.connections.push(Connection::new(0, 1, DVec3::Z).terminal());
    for replication in [Replication::PerPath, Replication::PerCreature] {
        graph.replication = replication;
        let body = grown(&graph).body;
        assert_eq!(origins(&body), [0, 0, 0, 1]);
        assert_eq!(parent(&body, 3), 2);
    }
}

#[test]
fn endless_growth_ends_at_the_maximum_number_of_parts() {
    let mut physiology = Physiology::default();
    physiology.viability.max_volume = 1e3;
    let mut hydra = chain(16);
    hydra.nodes[0].size = DVec3::new(0.02, 0.02, 0.1);
    // Four copies of itself around its end, each smaller.
    let aside = [DVec3::X, DVec3::Y, DVec3::NEG_X, DVec3::NEG_Y];
    hydra.connections = aside.map(|side| Connection::new(0, 0, DVec3::Z + 0.2 * side).scaled(0.6)).to_vec();
    hydra.connections.extend(vec![Connection::new(0, 0, DVec3::Z); 80]);
    assert_eq!(hydra.grow(&physiology).unwrap().body.parts.len(), physiology.viability.max_parts);
    physiology.viability.max_parts = usize::MAX;
    assert!(hydra.grow(&physiology).map_or(0, |grown| grown.body.parts.len()) <= 256);
    hydra.nodes[0].recursion_limit = 1;
    assert_eq!(hydra.grow(&physiology), Err(Unviable::TooFewParts { parts: 1, least: 2 }));
}

#[test]
fn a_part_without_space_is_turned_upright_or_left_out() {
    let (trunk, limb) = (node(ShapeKind::Box, [0.2, 0.2, 0.2]), node(ShapeKind::Box, [0.05, 0.05, 0.15]));
    let on = Connection::new(0, 1, DVec3::Y);
    // Turned over, the limb is inside the trunk. It then leans half as much, or not at all.
    for (angle, outward) in [(2.8, libm::cos(1.4)), (-2.8, libm::cos(1.4))] {
        let inside = on.clone().turned(DQuat::from_rotation_x(angle));
        let body = grown(&genome(vec![trunk.clone(), limb.clone()], vec![inside])).body;
        let y = body.parts[1].pose.transform_vector(DVec3::Z).y;
        assert!((y - outward).abs() < ROUNDING, "{angle}: {y}");
    }
    // The second of two in the same place is left out, with what is attached to it.
    let twice = genome(vec![trunk, limb.clone(), limb], vec![on.clone(), on, Connection::new(1, 2, DVec3::Z)]);
    assert_eq!(origins(&grown(&twice).body), [0, 1, 2]);
}

#[test]
fn thin_small_and_large_parts_are_brought_within_their_limits() {
    let viability = Physiology::default().viability;
    let stick = |size: [f64; 3]| {
        let sticks = vec![node(ShapeKind::Capsule, size), node(ShapeKind::Box, size)];
        grown(&genome(sticks, vec![Connection::new(0, 1, DVec3::Z)])).body
    };
    let thin = stick([0.002, 0.002, 1.0]);
    for part in &thin.parts {
        let sides = part.shape.half_sides();
        assert!(sides.min_element() >= viability.min_thickness * sides.max_element());
    }
    for body in [stick([0.002, 0.002, 0.002]), stick([1.9, 1.9, 1.9])] {
        assert!((viability.min_volume..=viability.max_volume).contains(&body.volume()), "{}", body.volume());
        assert!(body.parts.iter().all(|part| part.shape.volume() >= viability.min_part_volume));
    }
}

#[test]
fn servos_pull_towards_angles_within_the_strength_of_the_joint() {
    let physiology = Physiology::default();
    let mut limb = node(ShapeKind::Capsule, [0.03, 0.03, 0.1]);
    limb.joint.kind = JointType::Universal;
    limb.joint.drive = JointDrive::Servo;
    let graph = genome(vec![node(ShapeKind::Box, [0.1, 0.1, 0.1]), limb], vec![Connection::new(0, 1, DVec3::Y)]);
    let body = grown(&graph).body;
    let on = body.parts[1].attachment.as_ref().unwrap();
    let effort = physiology.max_effort(on.area);
    assert_eq!(on.drive, Drive::Servo { stiffness: 5.0 * effort, damping: 0.25 * effort });
    assert!(on.axes.iter().all(|axis| axis.limit_spring == Some([50.0 * effort, effort])));
    let mut scene = SceneSpec::default();
    develop(&body, &physiology, &Placement::new(Pose::IDENTITY), &mut scene);
    // Two square axes share the strength.
    let each = effort / libm::sqrt(2.0);
    for muscle in &scene.actuators {
        let [low, high] = muscle.force_range.unwrap();
        assert!((high - each).abs() < 1e-12 * effort && low == -high);
    }
}

#[test]
fn mirrored_parts_and_those_further_from_the_root_beat_later() {
    let beat = NeuronGene::new(
        Function::Beat,
        [InputGene::constant(0.1), InputGene::new(Place::Side, 0, 0.25), InputGene::new(Place::Depth, 0, 0.2)],
    );
    let lateral = ROOT_SENSES.iter().position(|sense| *sense == Sense::TargetY).unwrap() as u16;
    let feel = NeuronGene::new(
        Function::Sum,
        [InputGene::new(Place::RootSensor, lateral, 2.0), InputGene::new(Place::RootSensor, 0, 2.0)],
    );
    let mut limb = node(ShapeKind::Capsule, [0.03, 0.03, 0.1]);
    limb.recursion_limit = 2;
    limb.neurons = vec![beat, feel];
    let on = Connection::new(0, 1, DVec3::Y);
    let mut graph = genome(
        vec![node(ShapeKind::Box, [0.1, 0.1, 0.1]), limb],
        vec![on.clone(), on.reflected(), Connection::new(1, 1, DVec3::Z)],
    );
    graph.rhythm = 2.0;
    let phenotype = grown(&graph);
    let network = network(&phenotype);
    assert_eq!(network.rhythm, 2.0);
    let weights = |neuron: usize| network.neurons[neuron].inputs.map(|input| input.weight);
    assert_eq!([0, 2, 4, 6].map(weights), [[0.1, 0.25, 0.2], [0.1, -0.25, 0.2], [0.1, 0.25, 0.4], [0.1, -0.25, 0.4]]);
    assert_eq!([1, 3].map(weights), [[2.0, 2.0, 0.0], [-2.0, 2.0, 0.0]]);
    assert_eq!(network.neurons[1].inputs[0].source, Source::Sense(sense_index(0, Sense::TargetY)));
}

#[test]
fn addresses_are_resolved_modulo_the_candidates() {
    let constant = |value| NeuronGene::new(Function::Constant, [InputGene::constant(value)]);
    let probe = |inputs: [Address; 3]| NeuronGene {
        function: Function::Sum,
        inputs: inputs.map(|source| InputGene { source, weight: 2.0 }),
    };
    let at = Address::new;
    let mut trunk = node(ShapeKind::Box, [0.1, 0.1, 0.1]);
    trunk.neurons = vec![
        constant(1.0),
        probe([at(Place::Parent, 0), at(Place::Child(1), 3), at(Place::Child(5), 0)]),
        probe([at(Place::Local, 4), at(Place::Global, 7), at(Place::LocalSensor, Sense::Angle0.channel() as u16)]),
    ];
    let mut limb = node(ShapeKind::Capsule, [0.03, 0.03, 0.1]);
    limb.neurons = vec![
        probe([at(Place::Parent, 4), at(Place::Child(0), 0), at(Place::WorldSensor, 8 + 3)]),
        probe([
            at(Place::LocalSensor, Sense::Angle2.channel() as u16),
            at(Place::LocalSensor, Sense::Contact.channel() as u16 + 18),
            at(Place::One, 9),
        ]),
    ];
    limb.effectors[0] = InputGene::new(Place::Local, 1, 0.5);
    let shoulder = Connection::new(0, 1, DVec3::Y);
    let mut graph = genome(vec![trunk, limb], vec![shoulder.clone(), shoulder.reflected()]);
    graph.global_neurons =
        vec![probe([at(Place::Child(2), 0), at(Place::Parent, 0), at(Place::Local, 3)]), constant(0.5)];
    let phenotype = grown(&graph);
    let network = network(&phenotype);
    let sources = |neuron: usize| network.neurons[neuron].inputs.map(|input| input.source);
    // Two global neurons, three of the trunk, two of each limb.
    use Source::{Neuron, Nothing, One};
    assert_eq!(network.neurons.len(), 2 + 3 + 2 + 2);
    assert_eq!(sources(0), [Neuron(7), Nothing, Neuron(1)]);
    assert_eq!(sources(3), [Nothing, Neuron(8), Neuron(7)]);
    assert_eq!(sources(4), [Neuron(3), Neuron(1), Nothing]);
    let world = Source::Sense(sense_index(0, WORLD_SENSES[3]));
    for (limb, first) in [(1, 5), (2, 7)] {
        assert_eq!(sources(first), [Neuron(3), Nothing, world]);
        let angle = Source::Sense(sense_index(limb, Sense::Angle0));
        assert_eq!(sources(first + 1), [angle, Source::Sense(sense_index(limb, Sense::Contact)), One]);
        assert_eq!(network.effectors[limb - 1], Input { source: Neuron(first + 1), weight: 0.5 });
    }
    // Without global neurons the input is zero.
    graph.global_neurons.clear();
    let phenotype = grown(&graph);
    assert_eq!(self::network(&phenotype).neurons[2].inputs[1].source, Nothing);
}

#[test]
fn three_hinges_stay_away_from_singularities() {
    let mut random = Random::new(5);
    let settings = burgess_creature::graph::GraphSettings { joints: vec![JointType::Ball], ..Default::default() };
    let mut axes_seen = 0;
    for _ in 0..300 {
        let graph = GraphGenome::random(&settings, &mut random).mutate(&settings, &mut random);
        let Ok(phenotype) = graph.grow(&Physiology::default()) else { continue };
        for part in &phenotype.body.parts[1..] {
            let axes = &part.attachment.as_ref().unwrap().axes;
            let [first, second, third] = axes[..] else { continue };
            let [low, high] = second.limit;
            assert!(low <= 0.0 && high >= 0.0 && high > low);
            for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
                let turned = DQuat::from_axis_angle(second.direction, low + share * (high - low)) * third.direction;
                let determinant = first.direction.cross(second.direction).dot(turned);
                assert!(determinant.abs() > MIN_DETERMINANT - 1e-9, "{determinant}");
            }
            axes_seen += axes.iter().map(|axis: &JointAxis| axis.limit[1]).filter(|limit| *limit > 0.0).count();
        }
    }
    assert!(axes_seen > 1000);
}

#[test]
fn invalid_genomes_are_refused_and_never_grow() {
    type Spoil = fn(&mut GraphGenome);
    let refusals: [(&str, Spoil); 7] = [
        ("its root is node 9", |graph| graph.root = 9),
        ("it refers to node 7", |graph| graph.connections[0].child = 7),
        ("half a side is NaN", |graph| graph.nodes[0].size.x = f64::NAN),
        ("the scale is inf", |graph| graph.connections[0].scale = f64::INFINITY),
        ("the angle between the first two axes", |graph| graph.nodes[1].joint.axes[1] = DVec3::X),
        ("it has 0 nodes", |graph| graph.nodes.clear()),
        ("it has 100000 connections", |graph| graph.connections = vec![Connection::new(0, 0, DVec3::X); 100_000]),
    ];
    for (reason, spoil) in refusals {
        let mut graph = centipede();
        spoil(&mut graph);
        let found = graph.validate().unwrap_err();
        assert!(found.contains(reason), "{found}");
        assert!(matches!(graph.grow(&Physiology::default()), Err(Unviable::Unbuildable { .. })));
        let settings = Default::default();
        let mended = graph.mutate(&settings, &mut Random::new(1));
        assert_eq!(mended.validate(), Ok(()));
        assert!(!graph.describe().is_empty());
    }
}

#[test]
fn a_genome_is_described() {
    let text = centipede().describe();
    assert!(text.contains("3 nodes (3 reachable), 4 connections (1 reflected, 0 at ends only)"), "{text}");
    assert!(text.contains("19 parts (6 box, 12 capsule, 1 ellipsoid)"), "{text}");
    assert!(text.contains("30 axes in all (6 revolute, 12 universal)"), "{text}");
}

#[test]
fn legs_swing_forward_about_their_first_axis_and_up_about_their_second() {
    for graph in [centipede(), walker()] {
        let body = grown(&graph).body;
        let (rest, forward, up) = (
            posed(&body, |_, _| 0.0),
            posed(&body, |part, axis| if body.parts[part].axes() == 2 && axis == 0 { 0.3 } else { 0.0 }),
            posed(&body, |part, axis| if body.parts[part].axes() == 2 && axis == 1 { 0.3 } else { 0.0 }),
        );
        for (index, part) in body.parts.iter().enumerate().filter(|(_, part)| part.axes() == 2) {
            let moved = |poses: &[Pose]| poses[index].translation - rest[index].translation;
            assert!(moved(&forward).x > 0.01 && moved(&forward).z.abs() < ROUNDING, "{index} {}", moved(&forward));
            assert!(moved(&up).z > 0.01 && moved(&up).x.abs() < ROUNDING, "{index} {}", moved(&up));
            assert!(part.pose.translation.z < -0.02);
        }
    }
}
