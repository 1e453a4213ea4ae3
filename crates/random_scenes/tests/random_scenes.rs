//! Random scenes run without mishaps: no failure, no energy from nowhere, nothing stays inside anything else, ties and
//! limits hold.

use burgess_random_scenes::{Watch, random_scene};
use burgess_scene::RunOptions;
use burgess_scene::spec::SceneSpec;

const SIZE: usize = 15;
const SECONDS: f64 = 3.0;

#[test]
fn random_scenes_run_without_mishaps() {
    for seed in 0..6 {
        let scene = random_scene(seed, SIZE);
        let mut run = scene.run(".", &RunOptions::default()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let mut watch = Watch::new(&scene, &mut run.simulation);
        while run.simulation.state().time < SECONDS {
            let stepped = run.simulation.step().map_err(Into::into).and_then(|()| watch.look(&mut run.simulation));
            stepped.unwrap_or_else(|mishap| panic!("seed {seed}: {mishap}"));
        }
    }
}

#[test]
fn random_scenes_are_written_and_read_back() {
    for seed in 0..6 {
        let scene = random_scene(seed, 40);
        let text = scene.to_toml().unwrap();
        assert_eq!(SceneSpec::from_toml(&text, "random.toml").unwrap(), scene, "seed {seed}");
    }
}

/// Runs a scene and watches it. Returns the energy at the end as a share of that at the start.
fn watched(text: &str, seconds: f64) -> f64 {
    let scene = SceneSpec::from_toml(text, "scene.toml").unwrap();
    let mut run = scene.run(".", &RunOptions::default()).unwrap();
    let mut watch = Watch::new(&scene, &mut run.simulation);
    let start = run.simulation.energy();
    while run.simulation.state().time < seconds {
        run.simulation.step().unwrap();
        watch.look(&mut run.simulation).unwrap();
    }
    run.simulation.energy() / start
}

/// A quaternion and its negative are one rotation: a weld must not take the long way round when the sign changes.
#[test]
fn welded_bodies_turn_over_without_a_jerk() {
    let text = "
gravity = [0, 0, 0]
exclusions = [['left', 'right']]
[[bodies]]
name = 'left'
angular_velocity = [0.3, 5, 0]
shapes = [{ type = 'box', size = [0.2, 0.2, 0.2] }]
[[bodies]]
name = 'right'
position = [0, 0.2, 0]
velocity = [0, 0, 0.06]
angular_velocity = [0.3, 5, 0]
shapes = [{ type = 'box', size = [0.2, 0.2, 0.2] }]
[[constraints]]
type = 'weld'
a = { body = 'left', position = [0, 0.1, 0] }
b = { body = 'right', position = [0, -0.1, 0] }
";
    // The midpoint rule with its weight slightly above one half takes a little.
    let kept = watched(text, 3.0);
    assert!((0.98..1.001).contains(&kept), "{kept}");
}
