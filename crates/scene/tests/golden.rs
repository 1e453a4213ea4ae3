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
    ("ball-off-table", 0x2cd7e62362a9d4d8),
    ("billiards", 0xead0f5a0420a0298),
    ("bouncing-balls", 0x5cbac444b8234e50),
    ("bowling", 0x6af0f38fbb1a4441),
    ("brick-wall", 0x58647e37ad90ac9c),
    ("car-track", 0xb31fc53c1bf2c624),
    ("marble-machine", 0xf644ede6c2cf3c1f),
    ("pistons", 0xa00a942e6d1d8eb3),
    ("quadruped-standing", 0x9e337fb59b3ab4f7),
    ("spinning-cube", 0x5de676e3683500d4),
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
