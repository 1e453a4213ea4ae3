//! State hashes of scenes after a thousand steps, equal on every machine and in every build profile. Run both:
//!
//! ```text
//! cargo test -p burgess-scene --test golden
//! cargo test -p burgess-scene --test golden --release
//! ```
//!
//! After an intended change of the arithmetic, insert the hashes that the failing test prints.

use burgess_scene::RunOptions;
use burgess_scene::builtin;

const GOLDEN: [(&str, u64); 10] = [
    ("ball-off-table", 0x939275f2a01229b2),
    ("billiards", 0x2bb79e02b4a6c331),
    ("bouncing-balls", 0x28158d6f17f57643),
    ("bowling", 0x86c9a66492e6393a),
    ("brick-wall", 0x5dc7e78912112e5d),
    ("car-track", 0x75430e677402b170),
    ("marble-machine", 0xb82f77ef0e65dbb3),
    ("pistons", 0xd630ac3a3aeb4a0b),
    ("quadruped-standing", 0x3ea61952672983a9),
    ("spinning-cube", 0x6715ab417d089eb0),
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
    assert!(wrong.is_empty(), "these hashes differ from the golden ones:\n{wrong}");
}
