//! The same bits in every build profile. Run both:
//!
//! ```text
//! cargo test -p burgess-dynamics --test golden
//! cargo test -p burgess-dynamics --test golden --release
//! ```
//!
//! After an intended change of the arithmetic, update the hashes to those that the failing test prints.

mod motion_support;

use burgess_dynamics::State;
use burgess_dynamics::integrators::{Integrator, Rk4, SemiImplicitMidpoint};
use glam::DVec3;
use motion_support::{Joints, random_tree, run, spinning_box};

/// Returns the FNV-1a hash of the bits of a state, with NaN and signed zero normalised.
fn hash(state: &State) -> u64 {
    let numbers = state.q.iter().chain(&state.v).chain([&state.time]);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for number in numbers {
        let canonical = if number.is_nan() { f64::NAN } else { number + 0.0 };
        for byte in canonical.to_bits().to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}

#[test]
fn states_after_many_steps_have_their_golden_hashes() {
    let down = DVec3::new(0.0, 0.0, -9.81);
    let scenes = [
        ("box", spinning_box(10.0), [0x4f433964c5b6d7b4, 0x1ebdf388fe575d15]),
        (
            "hinges",
            random_tree(1, 12, Joints::Revolute, true, DVec3::ZERO, 2.0),
            [0x490570081c2e7d49, 0xac0d4a22abd0d1f1],
        ),
        (
            "balls",
            random_tree(2, 8, Joints::Spherical, true, DVec3::ZERO, 1.0),
            [0xbd5ee3d55e63b558, 0x63d05a3b1bac44d6],
        ),
        ("all joints", random_tree(3, 10, Joints::Mixed, true, down, 1.0), [0x71647914ea61e30f, 0xbe643e90ad7692da]),
        ("fixed", random_tree(4, 6, Joints::Revolute, false, down, 1.0), [0xb20a3dc081acef0c, 0x1d3190f3149c5339]),
    ];
    let mut wrong = String::new();
    for (name, (model, start), golden) in scenes {
        let after = |integrator: &mut dyn Integrator, step: f64, steps: usize| {
            let mut state = start.clone();
            run(integrator, &model, &mut state, &mut (), step, steps).unwrap();
            assert!(state.q.iter().chain(&state.v).all(|x| x.is_finite()), "{name}");
            hash(&state)
        };
        let found =
            [after(&mut SemiImplicitMidpoint::new(&model), 1.0 / 240.0, 1000), after(&mut Rk4::new(&model), 1e-3, 100)];
        if found != golden {
            wrong += &format!("{name}: [{:#018x}, {:#018x}]\n", found[0], found[1]);
        }
    }
    assert!(wrong.is_empty(), "other bits than the golden ones:\n{wrong}");
}
