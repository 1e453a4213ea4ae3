//! Settings of the paradigms: every field has an effect, in its own paradigm only; invalid values are refused.

use burgess_files::Fault;
use burgess_scene::builtin;
use burgess_scene::spec::{Paradigm, SceneSpec, TimeSteppingTable, UpdateSpec};
use burgess_scene::{RunOptions, SceneFault};

/// Bodies that fall, bounce, slide, roll and rest on each other.
const BODIES: &str = "
[materials.default]
friction = 0.3
restitution = 0.4
tangential_restitution = 0.2

[[bodies]]
name = 'ground'
fixed = true
shapes = [{ type = 'half_space' }]

[[bodies]]
name = 'low'
position = [0, 0, 0.1]
velocity = [1, 0.3, 0]
shapes = [{ type = 'box', size = [0.3, 0.2, 0.2] }]

[[bodies]]
name = 'high'
position = [0.05, 0, 0.302]
shapes = [{ type = 'box', size = [0.2, 0.2, 0.2] }]

[[bodies]]
name = 'ball'
position = [1, 0, 0.1]
velocity = [0.3, 0, 0]
angular_velocity = [0, 9, 3]
shapes = [{ type = 'sphere', radius = 0.1 }]

[[bodies]]
name = 'falling'
position = [-1, 0, 0.4]
orientation = { axis = [1, 1, 0], angle_degrees = 30 }
velocity = [2, 0, -1]
angular_velocity = [3, 2, 1]
shapes = [{ type = 'box', size = [0.2, 0.3, 0.1] }]

[[bodies]]
name = 'sunk'
position = [-4, 0, 0.08]
shapes = [{ type = 'sphere', radius = 0.1 }]

[[bodies]]
name = 'rocking'
position = [-2.5, 0, 0.2]
orientation = { axis = [1, 0, 0], angle_degrees = 10 }
shapes = [{ type = 'box', size = [0.3, 0.3, 0.3] }]
";

/// A rope, for paradigms that support it.
const ROPE: &str = "
[[bodies]]
name = 'swinging'
position = [3, 0, 1]
velocity = [0, 4, 0]
shapes = [{ type = 'sphere', radius = 0.1 }]

[[constraints]]
type = 'distance'
length = 0.5
a = { position = [3.5, 0, 1] }
b = { body = 'swinging' }
";

fn scene(paradigm: Paradigm, line: &str) -> SceneSpec {
    let step = if paradigm == Paradigm::Penalty { 0.001 } else { 0.005 };
    let rope = if matches!(paradigm, Paradigm::Impulse | Paradigm::Hybrid) { "" } else { ROPE };
    let text = format!(
        "[simulation]\nparadigm = '{}'\nstep = {step}\nallow_overlap = true\n{line}\n{BODIES}{rope}",
        paradigm.name()
    );
    SceneSpec::from_toml(&text, "test").unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// Returns the hash of the final state, or the failure.
fn end(paradigm: Paradigm, line: &str) -> Result<u64, String> {
    let mut simulation = scene(paradigm, line).run(".", &RunOptions::default()).unwrap().simulation;
    simulation.run(0.5).map_err(|failure| failure.to_string())?;
    Ok(simulation.state_hash())
}

fn assert_all_have_an_effect(paradigm: Paradigm, lines: &[&str]) {
    let usual = end(paradigm, "");
    assert!(usual.is_ok(), "{usual:?}");
    let idle: Vec<_> = lines.iter().filter(|line| end(paradigm, line) == usual).collect();
    assert!(idle.is_empty(), "these change nothing: {idle:?}");
}

#[test]
fn time_stepping_settings_have_an_effect() {
    assert_all_have_an_effect(
        Paradigm::TimeStepping,
        &[
            "iterations = 1\ntime_stepping.direct_rows = 0",
            "tolerance = 0.1\ntime_stepping.direct_rows = 0",
            "time_stepping.recovery_speed = 0.001",
            "time_stepping.recovery_share = 0.9",
            "time_stepping.bounce_threshold = 50",
            "time_stepping.direct_rows = 0",
            "time_stepping.direct_rows = 0\ntime_stepping.absolute_tolerance = 0.1",
        ],
    );
}

#[test]
fn impulse_settings_have_an_effect() {
    assert_all_have_an_effect(
        Paradigm::Impulse,
        &[
            "impulse.order = 'simultaneous'",
            "impulse.law = 'newton'",
            "impulse.law = 'poisson'",
            "impulse.law = 'stronge'",
            "impulse.points = 'closest'",
            "impulse.points = 'region'",
            "impulse.epsilon_share = 0.02",
            "impulse.max_restitution = 4",
            "impulse.budget = 1",
        ],
    );
}

#[test]
fn analytical_settings_have_an_effect() {
    assert_all_have_an_effect(
        Paradigm::Analytical,
        &[
            "analytical.method = 'gauss-seidel'",
            "analytical.method = 'arnold'",
            "analytical.update = 'partly-lazy'",
            "analytical.update = 'lazy'",
            "analytical.most_exact = 1",
            "analytical.contact_tolerance = 0.002",
            "analytical.penetration_tolerance = 0.0001",
            "analytical.feedback = 0.5",
            "analytical.rest_share = 5",
            "analytical.rolling_terms = false",
        ],
    );
}

#[test]
fn penalty_settings_have_an_effect() {
    assert_all_have_an_effect(
        Paradigm::Penalty,
        &[
            "penalty.stiffness = 1e5",
            "penalty.stiffness = 1e5\npenalty.damping = 100",
            "penalty.sweeps = 1",
            "penalty.tolerance = 0.01",
            "penalty.recovery_speed = 0",
        ],
    );
    let undamped = end(Paradigm::Penalty, "penalty.stiffness = 1e5");
    assert_ne!(undamped, end(Paradigm::Penalty, "penalty.stiffness = 1e5\npenalty.damping = 100"));
}

#[test]
fn hybrid_settings_have_an_effect() {
    assert_all_have_an_effect(
        Paradigm::Hybrid,
        &[
            "hybrid.lasting_after = 20",
            "hybrid.law = 'newton'",
            "hybrid.law = 'stronge'",
            "hybrid.forces = { update = 'lazy' }",
            "hybrid.forces = { method = 'gauss-seidel' }",
            "hybrid.forces = { feedback = 0.5 }",
        ],
    );
}

#[test]
fn tables_of_other_paradigms_are_ignored() {
    let line = "impulse.law = 'newton'\nhybrid.lasting_after = 9\npenalty.sweeps = 3\nanalytical.update = 'lazy'";
    assert_eq!(end(Paradigm::TimeStepping, line), end(Paradigm::TimeStepping, ""));
    let mut scene = scene(Paradigm::TimeStepping, line);
    scene.bodies.retain(|body| body.name != "swinging");
    scene.constraints.clear();
    let options = RunOptions { paradigm: Some(Paradigm::Impulse), ..RunOptions::default() };
    let mut chosen = scene.run(".", &options).unwrap().simulation;
    chosen.run(0.5).unwrap();
    assert_eq!(Ok(chosen.state_hash()), end(Paradigm::Impulse, "impulse.law = 'newton'"));
}

#[test]
fn invalid_settings_are_refused_with_their_location() {
    let refused = [
        ("impulse.order = 'simultaneous'\nimpulse.law = 'newton'", "simulation.impulse.law"),
        ("impulse.epsilon_share = 0", "simulation.impulse.epsilon_share"),
        ("impulse.max_restitution = -1", "simulation.impulse.max_restitution"),
        ("impulse.budget = 0", "simulation.impulse.budget"),
        ("analytical.feedback = 2", "simulation.analytical.feedback"),
        ("analytical.contact_tolerance = nan", "simulation.analytical.contact_tolerance"),
        ("hybrid.forces.rest_share = -1", "simulation.hybrid.forces.rest_share"),
        ("penalty.damping = 1", "simulation.penalty.damping"),
        ("penalty.stiffness = 0", "simulation.penalty.stiffness"),
        ("penalty.sweeps = 0", "simulation.penalty.sweeps"),
        ("time_stepping.recovery_share = 1.5", "simulation.time_stepping.recovery_share"),
        ("time_stepping.recovery_speed = inf", "simulation.time_stepping.recovery_speed"),
    ];
    for (line, place) in refused {
        let error = SceneSpec::from_toml(&format!("[simulation]\n{line}"), "test").unwrap_err();
        assert!(
            matches!(*error.fault, SceneFault::File(Fault::OutOfRange { .. } | Fault::Conflict(_))),
            "{line}: {error}"
        );
        assert_eq!(error.location.field.to_string(), place, "{line}: {error}");
    }
}

/// The ball reaches the edge at 0.3 s, 0.3 of the way through the eleventh step. With lazy updates the block supports
/// it to the end of that step. With eager updates it falls from the edge on, as far as a Runge-Kutta step resolves a
/// jump.
#[test]
fn lazy_updates_support_the_ball_beyond_the_edge() {
    let step = 0.3 / 10.3;
    let drop_after_fifteen_steps = |update: &str| {
        let text = format!(
            "
[simulation]
step = {step}
paradigm = 'analytical'
analytical.update = '{update}'

[[bodies]]
name = 'block'
fixed = true
position = [-1, 0, -0.5]
shapes = [{{ type = 'box', size = [2, 2, 1] }}]

[[bodies]]
name = 'ball'
position = [-1.8, 0, 0.5]
velocity = [6, 0, 0]
angular_velocity = [0, 12, 0]
shapes = [{{ type = 'sphere', radius = 0.5 }}]
"
        );
        let scene = SceneSpec::from_toml(&text, "test").unwrap();
        let mut simulation = scene.run(".", &RunOptions::default()).unwrap().simulation;
        (0..15).for_each(|_| simulation.step().unwrap());
        0.5 - simulation.state().q[2]
    };
    let fall = |seconds: f64| 0.5 * 9.81 * seconds * seconds;
    let (from_the_edge, from_the_next_step) = (fall(4.7 * step), fall(4.0 * step));
    let (eager, lazy) = (drop_after_fifteen_steps("eager"), drop_after_fifteen_steps("lazy"));
    // A contact stays within its tolerance of 1 mm.
    assert!((lazy - from_the_next_step).abs() < 1e-3, "lazy: {lazy} m, expected {from_the_next_step} m");
    // The jump has a weight of 1/6 of the step instead of 0.3.
    let missed = from_the_edge - lazy;
    assert!((eager - from_the_edge).abs() < 0.3 * missed, "eager: {eager} m, expected {from_the_edge} m");
}

/// Changing the update strategy of the built-in scene has a visible effect.
#[test]
fn the_ball_off_the_table_falls_later_with_lazy_updates() {
    let height = |update| {
        let mut scene = builtin::find("ball-off-table").unwrap().spec();
        assert!(scene.to_toml().unwrap().contains("update = \"eager\""));
        scene.simulation.analytical.update = Some(update);
        let options = RunOptions { paradigm: Some(Paradigm::Analytical), ..RunOptions::default() };
        let mut simulation = scene.run(".", &options).unwrap().simulation;
        simulation.run(0.4).unwrap();
        simulation.state().q[2]
    };
    let (eager, lazy) = (height(UpdateSpec::Eager), height(UpdateSpec::Lazy));
    assert!(lazy > eager, "eager {eager} m, lazy {lazy} m");
}

/// The solver's own limit on the work for large groups applies only if the scene gives no `iterations`.
#[test]
fn iterations_override_the_limit_for_large_groups() {
    let table = TimeSteppingTable::default();
    let (usual, given) = (table.settings(None, None).solver, table.settings(Some(7000), None).solver);
    assert_eq!(given.sweeps, 7000);
    let group = 20_000;
    assert!(usual.contacts / group < usual.sweeps, "a large group is swept less often");
    assert!(given.contacts / group > given.sweeps && given.new_contacts / group > given.sweeps);
}
