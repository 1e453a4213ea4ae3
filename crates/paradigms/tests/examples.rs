//! The example programs run as documented.

#[path = "../examples/own_body_behaviour.rs"]
mod own_body_behaviour;
#[path = "../examples/own_paradigm.rs"]
mod own_paradigm;

use burgess_paradigms::Paradigm;

#[test]
fn careful_steps_stop_the_bullet_that_passes_fixed_ones() {
    let [fixed, careful] = own_paradigm::compare().unwrap();
    assert!(fixed.0 > 1.0 && fixed.1 > 99.0, "{fixed:?}");
    assert!(careful.0 < -0.02 && careful.1 < -50.0, "{careful:?}");
}

#[test]
fn an_upright_body_does_not_turn_where_another_does() {
    for paradigm in [Paradigm::TimeStepping, Paradigm::Analytical] {
        let [ordinary, upright] = own_body_behaviour::turned(paradigm).unwrap();
        assert!(ordinary.0 > 10.0, "{paradigm:?}: {ordinary:?}");
        // The post stands at 0.8 m, in the way of the corner.
        assert!(upright.0 == 0.0 && upright.1 < 0.56, "{paradigm:?}: {upright:?}");
    }
}
