//! Forces, springs, fields, impulses and fluids of scenes, compared with closed-form solutions.

use burgess_scene::RunningScene;

use crate::support::{GROUND, NO_GRAVITY, STEP, ball, refusal, run};

/// Starts a ball of 2 kg at the origin, without gravity, with a controller.
fn run_ball(controller: &str) -> RunningScene {
    run(&format!("{NO_GRAVITY}{}[[controllers]]\n{controller}", ball("ball", 2.0, [0.0; 3])))
}

#[test]
fn a_constant_force_accelerates_while_it_acts() {
    let mut run = run_ball(
        "
type = 'constant_force'
body = 'ball'
force = [6, 0, 0]
when = { from = 0.25, until = 0.75 }
",
    );
    run.simulation.run(1.0).unwrap();
    let state = run.simulation.state();
    // 3 m/s^2 for half a second, then constant velocity for a quarter of a second: the midpoint step is exact for both.
    assert!((state.v[3] - 1.5).abs() < 1e-12, "{}", state.v[3]);
    assert!((state.q[0] - (0.5 * 3.0 * 0.25 + 1.5 * 0.25)).abs() < 1e-12, "{}", state.q[0]);
}

#[test]
fn an_off_centre_force_in_the_body_frame_rotates_the_body() {
    let mut run = run_ball(
        "
type = 'constant_force'
body = 'ball'
force = [0, 3, 0]
point = [0.1, 0, 0]
frame = 'body'
torque = [0, 0, 0.7]
",
    );
    run.simulation.run(0.1).unwrap();
    // The moment of 1 N m about z does not depend on the ball's orientation; its inertia is 2/5 m r^2 = 0.008 kg m^2.
    let spin = run.simulation.state().v[2];
    assert!((spin - 0.1 / 0.008).abs() < 1e-9, "{spin}");
}

#[test]
fn a_spring_oscillates_with_its_period() {
    let spring = "
[[controllers]]
type = 'spring'
a = { position = [0, 0, 0] }
b = { body = 'ball' }
length = 1
stiffness = 8
";
    let mut run = run(&format!("{NO_GRAVITY}{}{spring}", ball("ball", 2.0, [1.5, 0.0, 0.0])));
    let frequency = (8.0f64 / 2.0).sqrt();
    let mut max_error: f64 = 0.0;
    for step in 1..=2400 {
        run.simulation.step().unwrap();
        let expected = 1.0 + 0.5 * libm::cos(frequency * step as f64 * STEP);
        max_error = max_error.max((run.simulation.state().q[0] - expected).abs());
    }
    // The midpoint step lags by (w h)^2 / 24 of the phase: 20 rad times 3e-6, times the amplitude.
    assert!(max_error < 1e-4, "{max_error}");
}

#[test]
fn a_damped_spring_dissipates_and_pulls_on_both_ends() {
    let spring = "
[[controllers]]
type = 'spring'
a = { body = 'a' }
b = { body = 'b' }
length = 1
stiffness = 20
damping = 4
";
    let (a, b) = (ball("a", 1.0, [-1.0, 0.0, 0.0]), ball("b", 3.0, [1.0, 0.0, 0.0]));
    let mut run = run(&format!("{NO_GRAVITY}{a}{b}{spring}"));
    run.simulation.run(20.0).unwrap();
    let (state, totals) = (run.simulation.state().clone(), run.simulation.observables());
    assert!((state.q[7] - state.q[0] - 1.0).abs() < 1e-6);
    assert!((totals.center_of_mass.x - 0.5).abs() < 1e-9 && totals.linear_momentum.length() < 1e-9);
}

#[test]
fn a_field_acts_only_on_bodies_in_its_region() {
    let fields = "
[[controllers]]
type = 'force_field'
acceleration = [3, 0, 0]
region = { min = [-1, -1, -1], max = [6, 1, 1] }
[[controllers]]
type = 'force_field'
bodies = ['in']
force = [0, 0, 4]
";
    let (inside, outside) = (ball("in", 2.0, [0.0; 3]), ball("out", 2.0, [0.0, 5.0, 0.0]));
    let mut run = run(&format!("{NO_GRAVITY}{inside}{outside}{fields}"));
    run.simulation.run(0.5).unwrap();
    let state = run.simulation.state();
    assert!((state.v[3] - 1.5).abs() < 1e-12 && (state.v[5] - 1.0).abs() < 1e-12, "{:?}", state.v);
    assert_eq!(state.v[6..], [0.0; 6]);
}

#[test]
fn an_impulse_acts_in_the_step_that_contains_its_time() {
    for (time, steps_before) in [(0.0, 0), (10.0 * STEP, 10), (10.4 * STEP, 10), (0.5, 120)] {
        let mut run = run_ball(&format!("type = 'impulse'\nbody = 'ball'\nimpulse = [0, 5, 0]\ntime = {time:?}\n"));
        for _ in 0..steps_before {
            run.simulation.step().unwrap();
        }
        assert_eq!(run.simulation.state().v[4], 0.0, "impulse at {time} s");
        for _ in 0..3 {
            run.simulation.step().unwrap();
            assert!((run.simulation.state().v[4] - 2.5).abs() < 1e-12, "impulse at {time} s");
        }
    }
}

#[test]
fn a_fluid_carries_bodies_along() {
    let mut run = run("
gravity = [0, 0, 0]
fluid = { type = 'linear', coefficient = 100, current = [0.5, 0, 0] }
[[bodies]]
name = 'block'
mass = 1
shapes = [{ type = 'box', size = [0.2, 0.2, 0.2] }]
");
    run.simulation.run(0.1).unwrap();
    // Two faces of 0.04 m^2: 8 N s/m on 1 kg. Drag is explicit, of first order in the step.
    let (found, expected) = (run.simulation.state().v[3], 0.5 * (1.0 - libm::exp(-0.8)));
    assert!((found - expected).abs() < 0.5 * 8.0 * STEP, "{found}, not {expected}");
}

#[test]
fn a_force_wakes_a_sleeping_body() {
    let pushed_box = "
[[bodies]]
name = 'box'
mass = 1
position = [0, 0, 0.1]
shapes = [{ type = 'box', size = [0.2, 0.2, 0.2] }]
[[controllers]]
type = 'constant_force'
body = 'box'
force = [20, 0, 0]
when = { from = 2, until = 2.5 }
";
    let mut run = run(&format!("[simulation]\nsleeping = true\n{GROUND}{pushed_box}"));
    run.simulation.run(2.0).unwrap();
    assert!(run.simulation.data().rest.sleeps(0));
    assert!(run.simulation.state().q[0].abs() < 1e-6);
    run.simulation.run(2.4).unwrap();
    // 20 N minus friction of half the weight.
    let (found, expected) = (run.simulation.state().v[3], (20.0 - 0.5 * 9.81) * 0.4);
    assert!((found - expected).abs() < 0.2, "{found}, not {expected}");
}

/// All rounds of decisions that are due are made within a step, so a short period would take for ever.
#[test]
fn flocks_that_decide_too_often_are_refused() {
    for period in ["1e-300", "1e-9", "0.00009"] {
        let flock = format!("[[controllers]]\ntype = 'flock'\nbodies = ['ball']\nperiod = {period}\n");
        let why = refusal(&format!("{}{flock}", ball("ball", 1.0, [0.0, 0.0, 5.0])));
        assert!(why.contains("controllers[0].period") && why.contains("at least 0.0001 s"), "{why}");
    }
}
