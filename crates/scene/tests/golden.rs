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
    ("ball-off-table", 0x4df0269325b1e092),
    ("billiards", 0x6efc2fed8b7eec9e),
    ("bouncing-balls", 0x3381477c48cf8023),
    ("bowling", 0xcd9d5276ee9de0bb),
    ("brick-wall", 0xfd5783c1135b8309),
    ("car-track", 0x1ca381249e2a3838),
    ("marble-machine", 0x543024b14d864e78),
    ("pistons", 0xa331de9e2d90bdb5),
    ("quadruped-standing", 0xecf60c49f7c826a8),
    ("spinning-cube", 0x616c0f70bfe6dd99),
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
