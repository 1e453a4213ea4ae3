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
    ("ball-off-table", 0x8e10f2fe1829fccb),
    ("billiards", 0xb4bfba1339ecc6ec),
    ("bouncing-balls", 0x42927142bbe934c6),
    ("bowling", 0x395f944936103049),
    ("brick-wall", 0xc68e7257ff7b6f82),
    ("car-track", 0x2413f23f277fe751),
    ("marble-machine", 0xd5237600eaced70c),
    ("pistons", 0xfdfac94c02829e15),
    ("quadruped-standing", 0x39ff90a2fd1205a6),
    ("spinning-cube", 0x4fffb8557e47246f),
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
