//! Controllers in every paradigm, and snapshots taken while controllers act.

use burgess_scene::spec::Paradigm;

use crate::support::{NO_GRAVITY, run_in, scene, wheel};

/// All stateful controllers at once, so that a snapshot must contain the state of each.
fn busy_scene() -> String {
    format!(
        "{NO_GRAVITY}{}
[[bodies]]
name = 'ball'
position = [2, 0, 0]
shapes = [{{ type = 'sphere', radius = 0.1 }}]
[[controllers]]
type = 'motor_schedule'
joint = 'wheel'
keys = [{{ time = 0.1, target = 90 }}, {{ time = 0.6, target = -90 }}]
period = 0.7
between = 'linear'
[[controllers]]
type = 'impulse'
body = 'ball'
impulse = [0, 5, 0]
point = [0.1, 0, 0]
frame = 'body'
time = 0.4
[[controllers]]
type = 'spring'
a = {{ body = 'wheel', position = [1, 0, 0] }}
b = {{ body = 'ball' }}
stiffness = 30
damping = 1
when = {{ from = 0.3 }}
[[bodies]]
name = 'rotor'
mass = 1
inertia = [1, 1, 1]
joint = {{ type = 'revolute', axis = [1, 0, 0] }}
[[controllers]]
type = 'speed_limiter'
joints = ['rotor']
torque = 3
max_speed = 1
when = {{ from = 0.2, until = 0.5 }}
",
        wheel(", motor = { type = 'position', target = 0, stiffness = 40, damping = 2 }")
    )
}

#[test]
fn a_run_resumed_from_a_snapshot_ends_in_the_same_state() {
    let scene = scene(&busy_scene());
    for paradigm in Paradigm::ALL {
        let start = || run_in(&scene, paradigm).simulation;
        let mut whole = start();
        whole.run(1.0).unwrap();
        let expected = whole.state_hash();
        for taken_at in [0.05, 0.25, 0.399, 0.41, 0.55, 0.75] {
            let mut first = start();
            first.run(taken_at).unwrap();
            let snapshot = first.snapshot();
            // Restore into a simulation that is in a different state.
            let mut other = start();
            other.run(0.9).unwrap();
            other.restore(&snapshot).unwrap();
            other.run(1.0).unwrap();
            assert_eq!(other.state_hash(), expected, "{}, taken at {taken_at} s", paradigm.name());
        }
    }
}

#[test]
fn controllers_act_in_every_paradigm() {
    let scene = scene(
        "
gravity = [0, 0, 0]
fluid = { type = 'linear', coefficient = 2 }
[[bodies]]
name = 'pushed'
mass = 2
shapes = [{ type = 'sphere', radius = 0.01 }]
[[bodies]]
name = 'struck'
mass = 2
position = [0, 3, 0]
shapes = [{ type = 'sphere', radius = 0.01 }]
[[bodies]]
name = 'block'
mass = 1
position = [0, 6, 0]
velocity = [1, 0, 0]
shapes = [{ type = 'box', size = [1, 1, 1] }]
[[bodies]]
name = 'wheel'
mass = 1
inertia = [1, 1, 0.5]
joint = { type = 'revolute', axis = [0, 0, 1], in_parent = { position = [0, 9, 0] }, motor = { type = 'effort', effort = 0 } }
[[controllers]]
type = 'constant_force'
body = 'pushed'
force = [6, 0, 0]
[[controllers]]
type = 'impulse'
body = 'struck'
impulse = [4, 0, 0]
time = 0.25
[[controllers]]
type = 'motor_schedule'
joint = 'wheel'
keys = [{ time = 0.5, target = 1 }]
",
    );
    for paradigm in Paradigm::ALL {
        let mut run = run_in(&scene, paradigm);
        run.simulation.run(1.0).unwrap();
        let v = &run.simulation.state().v;
        // Two faces of 1 m^2 brake the block with 4 N s/m; drag on the balls is negligible.
        let expected = [(3, 3.0), (9, 2.0), (15, libm::exp(-4.0)), (18, 1.0)];
        for (dof, expected) in expected {
            assert!((v[dof] - expected).abs() < 0.01, "{}: {dof}: {} instead of {expected}", paradigm.name(), v[dof]);
        }
    }
}
