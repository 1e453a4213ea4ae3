//! Thousands of random, mutated and recombined graph genomes: all are valid, and grow or are refused with a reason.

use std::collections::BTreeMap;

use burgess_creature::brain::{Brain, Source};
use burgess_creature::graph::{GraphGenome, GraphSettings, MAX_NODES, Node, Replication};
use burgess_creature::senses::{Sense, sense_index};
use burgess_creature::{Genome, Phenotype, Physiology, Random, Recombination};
use glam::DVec3;

/// Checks that every number of a phenotype is valid.
fn assert_sound(phenotype: &Phenotype) {
    let parts = &phenotype.body.parts;
    for (index, part) in parts.iter().enumerate() {
        assert!(part.pose.translation.is_finite() && part.pose.rotation.is_normalized());
        assert!(part.shape.shape().is_ok() && part.shape.volume() > 0.0);
        assert_eq!(part.attachment.is_none(), index == 0);
        let Some(on) = &part.attachment else { continue };
        assert!(on.parent < index && on.area > 0.0 && on.area.is_finite());
        assert!(on.in_parent.translation.is_finite() && on.in_parent.rotation.is_normalized());
        for axis in &on.axes {
            assert!(axis.direction.is_normalized());
            assert!(axis.limit[0] <= 0.0 && axis.limit[1] >= 0.0 && axis.limit[0] < axis.limit[1]);
        }
    }
    let Brain::Network(network) = &phenotype.brain else { panic!("no network") };
    assert_eq!(network.effectors.len(), phenotype.body.axes());
    let inputs = network.neurons.iter().flat_map(|neuron| neuron.inputs).chain(network.effectors.iter().copied());
    for input in inputs {
        assert!(input.weight.is_finite());
        match input.source {
            Source::Neuron(index) => assert!(index < network.neurons.len()),
            Source::Sense(index) => assert!(index < parts.len() * Sense::COUNT),
            Source::Nothing | Source::One => {}
        }
    }
}

/// Random genomes, mutated and recombined with each other for ten generations.
fn lines(count: usize, seed: u64, mut visit: impl FnMut(&GraphGenome)) {
    let mut settings = GraphSettings::default();
    settings.rates.graph.replication = 0.01;
    let mut pool: Vec<GraphGenome> = Vec::new();
    for index in 0..count {
        let mut random = Random::for_purpose(seed, &[index as u64]);
        if index % 2 == 1 {
            settings.replication = Replication::PerCreature;
        } else {
            settings.replication = Replication::PerPath;
        }
        let mut genome = GraphGenome::random(&settings, &mut random);
        visit(&genome);
        for round in 0..10 {
            genome = genome.mutate(&settings, &mut random);
            if let Some(other) = random.choice(&pool) {
                genome = genome.recombine(other, Recombination::ALL[round % 4], &settings, &mut random);
            }
            visit(&genome);
        }
        if pool.len() < 50 {
            pool.push(genome);
        } else {
            pool[index % 50] = genome;
        }
    }
}

fn grow_all(count: usize, seed: u64) {
    let physiology = Physiology::default();
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    lines(count, seed, |genome| {
        assert_eq!(genome.validate(), Ok(()));
        assert_eq!(GraphGenome::retrieve(&genome.store()).as_ref(), Ok(genome));
        let outcome = match genome.grow(&physiology) {
            Ok(phenotype) => {
                assert_sound(&phenotype);
                "viable"
            }
            Err(reason) => {
                assert!(!reason.to_string().is_empty());
                reason.name()
            }
        };
        *outcomes.entry(outcome).or_default() += 1;
    });
    println!("{outcomes:?}");
    assert!(!outcomes.contains_key("unbuildable") && !outcomes.contains_key("not_finite"), "{outcomes:?}");
    assert!(outcomes["viable"] > count, "{outcomes:?}");
}

#[test]
fn descendants_are_valid_and_grow_or_are_refused_with_a_reason() {
    grow_all(1000, 1);
}

/// A hundred thousand lineages of ten generations each:
/// `cargo test -p burgess-creature graph_operators -- --ignored --nocapture`
#[test]
#[ignore = "minutes"]
fn a_hundred_thousand_lines_are_valid_and_grow_or_are_refused_with_a_reason() {
    grow_all(100_000, 2);
}

#[test]
fn random_genomes_are_viable_and_often_have_mirrored_limbs() {
    let (settings, physiology) = (GraphSettings::default(), Physiology::default());
    let (mut viable, mut mirrored, mut handy) = (0, 0, 0);
    for index in 0..2000 {
        let genome = GraphGenome::random(&settings, &mut Random::new(index));
        if let Ok(phenotype) = genome.grow(&physiology) {
            let parts = &phenotype.body.parts;
            viable += 1;
            mirrored += usize::from(parts.iter().any(|part| part.mirrored));
            handy += usize::from((3..=12).contains(&parts.len()));
            assert!((0.1..5.0).contains(&phenotype.body.length()), "{}", phenotype.body.length());
        }
    }
    println!("{viable} viable, {mirrored} with mirrored parts, {handy} of 3 to 12 parts");
    assert!(viable > 1900, "{viable}");
    assert!(10 * mirrored > 6 * viable && 10 * handy > 7 * viable, "{mirrored} {handy} {viable}");
}

#[test]
fn operators_are_reproducible() {
    let settings = GraphSettings::default();
    let child = || {
        let mut random = Random::new(9);
        let mother = GraphGenome::random(&settings, &mut random);
        let father = GraphGenome::random(&settings, &mut random);
        let child = mother.recombine(&father, Recombination::Crossover, &settings, &mut random);
        child.mutate(&settings, &mut random)
    };
    assert_eq!(child(), child());
}

#[test]
fn mutation_changes_something_and_not_everything() {
    let settings = GraphSettings::default();
    let mut same_nodes = 0;
    for index in 0..500 {
        let mut random = Random::new(index);
        let genome = GraphGenome::random(&settings, &mut random);
        let mutant = genome.mutate(&settings, &mut random);
        assert_ne!(mutant, genome);
        let structure = |node: &Node| (node.shape, node.joint.kind, node.recursion_limit, node.neurons.len());
        let structures: Vec<_> = mutant.nodes.iter().map(structure).collect();
        let kept = genome.nodes.iter().filter(|node| structures.contains(&structure(node))).count();
        same_nodes += usize::from(2 * kept >= genome.nodes.len());
    }
    assert!(same_nodes > 400, "{same_nodes}");
}

#[test]
fn intermediate_recombination_is_the_mean_where_structures_match() {
    let settings = GraphSettings::default();
    let (mut sizes, mut weights) = (0, 0);
    for index in 0..200 {
        let mut random = Random::new(index);
        let mother = GraphGenome::random(&settings, &mut random);
        let father = mother.mutate(&settings, &mut random);
        let child = mother.recombine(&father, Recombination::Intermediate, &settings, &mut random);
        assert_eq!(child.validate(), Ok(()));
        assert_eq!((child.nodes.len(), child.connections.len()), (mother.nodes.len(), mother.connections.len()));
        for ((own, a), b) in child.nodes.iter().zip(&mother.nodes).zip(&father.nodes) {
            assert_eq!((own.shape, own.joint.kind, own.neurons.len()), (a.shape, a.joint.kind, a.neurons.len()));
            if a.shape == b.shape {
                assert_eq!(own.size, 0.5 * (a.size + b.size));
                sizes += usize::from(own.size != a.size);
            }
            for ((own, a), b) in own.effectors.iter().zip(&a.effectors).zip(&b.effectors) {
                let expected = if a.source == b.source { 0.5 * (a.weight + b.weight) } else { a.weight };
                assert_eq!((own.source, own.weight), (a.source, expected));
                weights += usize::from(own.weight != a.weight);
            }
        }
        assert_eq!(mother.recombine(&mother, Recombination::Intermediate, &settings, &mut random).nodes, mother.nodes);
    }
    assert!(sizes > 20 && weights > 10, "{sizes} sizes and {weights} weights between both");
}

/// Two parents, and their children of all kinds.
fn children(settings: &GraphSettings, mut visit: impl FnMut(&GraphGenome, &GraphGenome)) {
    for index in 0..300 {
        let mut random = Random::new(index);
        let mother = GraphGenome::random(settings, &mut random);
        let father = GraphGenome::random(settings, &mut random);
        visit(&mother, &mother.mutate(settings, &mut random));
        for how in Recombination::ALL {
            visit(&mother, &mother.recombine(&father, how, settings, &mut random));
        }
    }
}

fn without_brain(genome: &GraphGenome) -> GraphGenome {
    let mut genome = genome.clone();
    for node in &mut genome.nodes {
        node.neurons.clear();
        node.effectors = [burgess_creature::graph::InputGene::SILENT; 3];
    }
    genome.global_neurons.clear();
    genome.rhythm = 1.0;
    genome
}

#[test]
fn a_frozen_body_stays_and_its_brain_evolves() {
    let mut settings = GraphSettings::default();
    settings.freeze_body();
    let mut changed = 0;
    children(&settings, |mother, child| {
        assert_eq!(without_brain(child), without_brain(mother));
        changed += usize::from(child != mother);
    });
    assert!(changed > 900, "{changed} of 1500");
}

#[test]
fn a_frozen_brain_stays_and_its_body_evolves() {
    let mut settings = GraphSettings::default();
    settings.freeze_brain();
    let brain = |node: &Node| (node.neurons.clone(), node.effectors);
    let mut changed = 0;
    children(&settings, |mother, child| {
        assert_eq!(child.global_neurons, mother.global_neurons);
        let brains: Vec<_> = mother.nodes.iter().map(brain).collect();
        assert!(child.nodes.iter().all(|node| brains.contains(&brain(node))));
        changed += usize::from(child != mother);
    });
    assert!(changed > 900, "{changed} of 1500");
}

#[test]
fn frozen_shapes_stay_and_everything_else_evolves() {
    let mut settings = GraphSettings::default();
    settings.freeze_shapes();
    let shape = |node: &Node| (node.shape, node.size.to_array().map(f64::to_bits));
    let mut changed = 0;
    children(&settings, |mother, child| {
        let shapes: Vec<_> = mother.nodes.iter().map(shape).collect();
        assert!(child.nodes.iter().all(|node| shapes.contains(&shape(node))));
        changed += usize::from(child != mother);
    });
    assert!(changed > 900, "{changed} of 1500");
}

#[test]
fn nothing_changes_if_everything_is_frozen() {
    let mut settings = GraphSettings::default();
    settings.freeze_body();
    settings.freeze_brain();
    children(&settings, |mother, child| assert_eq!(child, mother));
}

#[test]
fn genes_of_the_second_parent_are_inherited() {
    let settings = GraphSettings { nodes: [3, 5], ..Default::default() };
    let (mut crossed, mut grafted, mut exchanged) = (0, 0, 0);
    for index in 0..200 {
        let mut random = Random::new(index);
        let mother = GraphGenome::random(&settings, &mut random);
        let father = GraphGenome::random(&settings, &mut random);
        let mut child = |how| mother.recombine(&father, how, &settings, &mut random);
        let from = |parent: &GraphGenome, child: &GraphGenome| {
            child.nodes.iter().filter(|node| parent.nodes.contains(node)).count()
        };
        let cross = child(Recombination::Crossover);
        crossed += usize::from(from(&father, &cross) > 0 && from(&mother, &cross) > 0);
        let graft = child(Recombination::Grafting);
        assert_eq!(from(&mother, &graft), mother.nodes.len());
        let reached = graft.reachable();
        grafted +=
            usize::from((0..graft.nodes.len()).any(|node| reached[node] && father.nodes.contains(&graft.nodes[node])));
        let exchange = child(Recombination::Exchange);
        assert_eq!(exchange.connections, mother.connections);
        exchanged += usize::from(exchange != mother);
    }
    assert!(crossed > 100 && grafted > 190 && exchanged > 190, "{crossed} {grafted} {exchanged}");
}

#[test]
fn unreachable_nodes_are_kept_up_to_a_limit() {
    let settings = GraphSettings::default();
    let mut random = Random::new(4);
    let mut genome = GraphGenome::random(&settings, &mut random);
    let node = genome.nodes[0].clone();
    genome.nodes.push(node.clone());
    let mut frozen = settings.clone();
    frozen.freeze_body();
    assert_eq!(genome.mutate(&frozen, &mut random).nodes.len(), genome.nodes.len(), "one that may be used again");
    genome.nodes.resize(MAX_NODES, node);
    assert!(genome.mutate(&frozen, &mut random).nodes.len() < 12, "garbage");
}

#[test]
fn invalid_settings_do_no_harm() {
    let odd = [f64::NAN, f64::INFINITY, -f64::INFINITY, -1.0, 1e300];
    for value in odd {
        let mut settings = GraphSettings {
            nodes: [usize::MAX, usize::MAX],
            half_size: [value; 2],
            scale: [-value, value],
            lean: value,
            turn: [value, -value],
            twins: value,
            repeats: [255, 0],
            shapes: Vec::new(),
            joints: Vec::new(),
            functions: Vec::new(),
            ..Default::default()
        };
        settings.magnitudes.size = value;
        settings.magnitudes.position = value;
        settings.magnitudes.weight = value;
        settings.rates.touched_nodes = value;
        let genome = GraphGenome::random(&settings, &mut Random::new(1));
        assert_eq!(genome.validate(), Ok(()));
        let mutant = genome.mutate(&settings, &mut Random::new(2));
        assert_eq!(mutant.validate(), Ok(()));
        assert!(mutant.nodes.iter().all(|node| node.size.cmpgt(DVec3::ZERO).all()));
    }
}

#[test]
fn json_is_exact_and_strict() {
    for index in 0..200 {
        let genome = GraphGenome::random(&GraphSettings::default(), &mut Random::new(index));
        let text = serde_json::to_string(&genome).unwrap();
        assert_eq!(serde_json::from_str::<GraphGenome>(&text).unwrap(), genome);
        let spoilt = text.replacen("\"root\"", "\"colour\":1,\"root\"", 1);
        assert!(serde_json::from_str::<GraphGenome>(&spoilt).unwrap_err().to_string().contains("colour"));
    }
}

#[test]
fn axes_that_steer_follow_the_target_with_opposite_signs_at_both_sides() {
    let settings = GraphSettings { steering: 1.0, reflexes: 0.0, neurons: [0, 0], ..GraphSettings::default() };
    let direction = Source::Sense(sense_index(0, Sense::TargetY));
    let (mut steering, mut bodies, mut pairs) = (0, 0, 0);
    for seed in 0..200 {
        let genome = GraphGenome::random(&settings, &mut Random::new(seed));
        let Ok(phenotype) = genome.grow(&Physiology::default()) else { continue };
        let Brain::Network(network) = &phenotype.brain else { panic!("no network") };
        bodies += 1;
        let mut first = genome.global_neurons.len();
        // Weights of the direction in the parts of each node, and whether the part is mirrored.
        let mut weights: BTreeMap<usize, Vec<(bool, Vec<f64>)>> = BTreeMap::new();
        for part in &phenotype.body.parts {
            let count = genome.nodes[part.origin].neurons.len();
            let inputs = network.neurons[first..first + count].iter().flat_map(|neuron| neuron.inputs);
            let own = inputs.filter(|input| input.source == direction).map(|input| input.weight).collect();
            weights.entry(part.origin).or_default().push((part.mirrored, own));
            first += count;
        }
        steering += usize::from(weights.values().flatten().any(|(_, own)| !own.is_empty()));
        for parts in weights.values() {
            let (mirrored, own) = &parts[0];
            for (other_mirrored, other) in &parts[1..] {
                let sign = if mirrored == other_mirrored { 1.0 } else { -1.0 };
                assert!(own.iter().zip(other).all(|(a, b)| *a == sign * b), "{seed}: {own:?} {other:?}");
                pairs += usize::from(sign < 0.0 && !own.is_empty());
            }
        }
    }
    assert!(bodies > 150 && steering > bodies * 9 / 10 && pairs > 50, "{bodies} {steering} {pairs}");
}

#[test]
fn settings_without_steering_are_stored_as_before_there_was_any() {
    let stored = serde_json::to_string(&GraphSettings::default()).unwrap();
    assert!(!stored.contains("steering"), "{stored}");
    let steering = GraphSettings { steering: 0.5, ..GraphSettings::default() };
    let stored = serde_json::to_string(&steering).unwrap();
    assert_eq!(serde_json::from_str::<GraphSettings>(&stored).unwrap(), steering);
}
