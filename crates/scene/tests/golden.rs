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
    ("ball-off-table", 0x3e09a13fa82a67be),
    ("billiards", 0x5c1220a7db24375d),
    ("bouncing-balls", 0xb1d8b5005c6a929b),
    ("bowling", 0x33badd3531827af8),
    ("brick-wall", 0xfd5783c1135b8309),
    ("car-track", 0x53e93d04a93e78b6),
    ("marble-machine", 0x2be697725a136e14),
    ("pistons", 0xf96b5e681c8fdcd4),
    ("quadruped-standing", 0xd67f52725ab47b6a),
    ("spinning-cube", 0x80d5e8519904b470),
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
