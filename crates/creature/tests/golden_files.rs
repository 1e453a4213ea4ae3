//! Files of every version are still read as the same creature. A format that changes gets a new
//! version and new files here; the existing files must not change.

use std::path::{Path, PathBuf};

use burgess_creature::brain::Function;
use burgess_creature::graph::{InputGene, JointDrive, NeuronGene, Place};
use burgess_creature::store::{BINARY_VERSION, CreatureFile, JSON_VERSION, retrieve, store};
use burgess_creature::{AnyGenome, Family};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

const FAMILIES: [Family; 3] = [Family::Graph, Family::Legged, Family::Tuning];

/// The first and the newest version of a family's files.
fn versions(family: Family) -> std::ops::RangeInclusive<u8> {
    match family {
        Family::Graph => 1..=2,
        Family::Legged => 1..=1,
        Family::Tuning => 2..=2,
    }
}

fn newest(family: Family) -> u8 {
    *versions(family).end()
}

#[test]
fn both_formats_of_every_version_give_the_same_creatures() {
    assert_eq!((BINARY_VERSION, JSON_VERSION), (2, 2));
    for family in FAMILIES {
        for version in versions(family) {
            let file = golden(&format!("{}-{version}.json", family.name()));
            let creature = CreatureFile::read(&file).unwrap();
            assert_eq!(creature.genome.family(), family);
            let bytes = std::fs::read(golden(&format!("{}-{version}.genome", family.name()))).unwrap();
            assert_eq!(retrieve(&bytes).unwrap(), creature.genome, "{family:?}");
            assert_eq!(store(&creature.genome), bytes, "{family:?} {version}");
            if version == newest(family) {
                assert_eq!(creature.to_json(), std::fs::read_to_string(&file).unwrap(), "{}", file.display());
            }
        }
    }
}

#[test]
fn the_files_contain_the_expected_creatures() {
    for version in [1, 2] {
        let creature = CreatureFile::read(golden(&format!("graph-{version}.json"))).unwrap();
        assert_eq!((creature.name.as_str(), creature.task.as_deref()), ("golden-graph", Some("walk")));
        assert_eq!((creature.seed, creature.fitness), (Some(u64::MAX), Some(0.1)));
        let AnyGenome::Graph(genome) = creature.genome else { panic!("not a graph") };
        // Version 1 has neither.
        let (rhythm, drive) = if version == 1 { (1.0, JointDrive::Effort) } else { (1.7, JointDrive::Servo) };
        assert_eq!((genome.rhythm, genome.nodes[0].joint.drive), (rhythm, drive));
    }
    let creature = CreatureFile::read(golden("legged-1.json")).unwrap();
    assert_eq!(creature, CreatureFile::new("golden-legged", creature.genome.clone()));
}

/// The graph of version 1 with what version 2 adds.
fn graph_2() -> CreatureFile {
    let mut creature = CreatureFile::read(golden("graph-1.json")).unwrap();
    let AnyGenome::Graph(genome) = &mut creature.genome else { panic!("not a graph") };
    genome.rhythm = 1.7;
    genome.nodes[0].joint.drive = JointDrive::Servo;
    let inputs = [Place::Side, Place::Depth, Place::RootSensor].map(|place| InputGene::new(place, 3, 0.25));
    genome.global_neurons.push(NeuronGene::new(Function::Beat, inputs));
    genome.global_neurons.push(NeuronGene::new(Function::DoubleBeat, inputs));
    creature
}

#[test]
#[ignore = "makes the files of a new version: cargo test -p burgess-creature golden_files -- --ignored"]
fn write_missing_golden_files() {
    let json = golden("graph-2.json");
    if !json.exists() {
        std::fs::write(&json, graph_2().to_json()).unwrap();
    }
    for family in FAMILIES {
        let version = newest(family);
        let path = golden(&format!("{}-{version}.genome", family.name()));
        if !path.exists() {
            let creature = CreatureFile::read(golden(&format!("{}-{version}.json", family.name()))).unwrap();
            std::fs::write(path, store(&creature.genome)).unwrap();
        }
    }
}
