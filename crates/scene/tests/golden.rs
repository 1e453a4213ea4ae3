//! The same bits on every machine and in every build profile: state hashes of scenes after a thousand steps. Run both:
//!
//! ```text
//! cargo test -p burgess-scene --test golden
//! cargo test -p burgess-scene --test golden --release
//! ```
//!
//! When a change of the arithmetic is meant, put in the hashes that the failing test prints.

use burgess_scene::RunOptions;
use burgess_scene::builtin;

const GOLDEN: [(&str, u64); 10] = [
    ("ball-off-table", 0),
    ("billiards", 0),
    ("bouncing-balls", 0),
    ("bowling", 0),
    ("brick-wall", 0),
    ("car-track", 0),
    ("marble-machine", 0),
    ("pistons", 0),
    ("quadruped-standing", 0),
    ("spinning-cube", 0),
];

#[test]
fn scenes_have_their_golden_hashes_after_a_thousand_steps() {
    let mut wrong = String::new();
    for (name, golden) in GOLDEN {
        let mut running = builtin::find(name).unwrap().spec().run(".", &RunOptions::default()).unwrap();
        for _ in 0..1000 {
            running.simulation.step().unwrap();
        }
        let found = running.simulation.state_hash();
        if found != golden {
            wrong += &format!("    (\"{name}\", {found:#018x}),\n");
        }
    }
    assert!(wrong.is_empty(), "other bits than the golden ones:\n{wrong}");
}
