//! Random edits of living scenes: the session goes back and forth, and its take is played, with the same hash.

use std::ops::Range;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};

use crate::support::{TestSession, assert_exact};

/// Edits of one session.
const EDITS: usize = 10;

/// A random edit. Some are refused, for example a block where somebody stands.
fn edit(random: &mut Pcg64Mcg, people: &[&str], gates: &[&str]) -> Value {
    let [x, y]: [f64; 2] = std::array::from_fn(|_| random.random_range(-12.0..12.0));
    match random.random_range(0..7) {
        0 => json!({"do": "guide", "person": people[random.random_range(0..people.len())], "to": [x, y]}),
        1 => json!({"do": "block", "at": [x, y]}),
        2 if !gates.is_empty() => {
            json!({"do": "gate", "gate": gates[random.random_range(0..gates.len())], "open": random.random::<bool>()})
        }
        3 => json!({"do": "join", "at": [x, y]}),
        4 => json!({"do": "hurry", "factor": random.random_range(0.5..2.0)}),
        5 => json!({"do": "throw", "from": [x, y, 2], "velocity": [-x, -y, 0], "radius": 0.2, "density": 200}),
        _ => json!({"do": "body", "foot": [x, y, 0], "height": 1.7, "radius": 0.25}),
    }
}

fn assert_random_edits_replay(scene: &str, people: &[&str], gates: &[&str], seeds: Range<u64>) {
    for seed in seeds {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let test = TestSession::scene(scene, None);
        let mut step = 0;
        for _ in 0..EDITS {
            // Several edits may come at one step.
            step += if random.random_bool(0.6) { random.random_range(0..40) } else { 0 };
            test.seek(step);
            test.command(edit(&mut random, people, gates));
        }
        let last = step + 60;
        let hash = test.seek(last).hash;
        test.seek(last / 2);
        assert_eq!(test.seek(last).hash, hash, "{scene}, seed {seed}: back and forth");
        assert_exact(&test);
        let take = test.session.take();
        assert!(take.events.len() >= EDITS / 3, "{scene}, seed {seed}: {} edits", take.events.len());
        let take = serde_json::to_value(take).expect("a take");
        let again = TestSession::open(json!({"source": {"type": "take", "take": take}}));
        assert_eq!(again.seek(last).hash, hash, "{scene}, seed {seed}: the take");
    }
}

#[test]
fn random_edits_of_a_crossing_replay() {
    let gates = ["north crosswalk", "south crosswalk"];
    assert_random_edits_replay("crossing", &["person 3", "person 20", "person 25"], &gates, 0..2);
}

#[test]
fn random_edits_of_a_park_replay() {
    assert_random_edits_replay("park", &["person 0", "person 1", "person 7"], &[], 0..2);
}
