//! Random scenes run without mishaps: no failure, no energy from nowhere, nothing stays inside anything else, ties and
//! limits hold.

use burgess_scene::RunOptions;
use burgess_scene::random::{Watch, random_scene};
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
