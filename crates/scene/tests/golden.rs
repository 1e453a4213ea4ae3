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
    ("ball-off-table", 0xb05833022472502f),
    ("billiards", 0xc8b56068384208d5),
    ("bouncing-balls", 0x5cbac444b8234e50),
    ("bowling", 0x98ea5307f07dbcec),
    ("brick-wall", 0x17090d5df645869d),
    ("car-track", 0xfce4cce2ea544d3e),
    ("marble-machine", 0xf4adc9b971ea8d08),
    ("pistons", 0xb7d2e713a19ba2bf),
    ("quadruped-standing", 0xe85eab6e6ed3013a),
    ("spinning-cube", 0x648609378f74a60f),
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
