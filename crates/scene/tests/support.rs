//! Set-up that several tests share.

use burgess_scene::spec::{Paradigm, SceneSpec};
use burgess_scene::{RunOptions, RunningScene};

/// Default time step, in s.
pub const STEP: f64 = 1.0 / 240.0;

/// Setting that switches gravity off, for the top of a scene file.
pub const NO_GRAVITY: &str = "gravity = [0, 0, 0]\n";

/// Body table of flat, fixed ground at z = 0.
pub const GROUND: &str = "[[bodies]]\nname = 'ground'\nfixed = true\nshapes = [{ type = 'half_space' }]\n";

/// Parses a scene file.
pub fn scene(text: &str) -> SceneSpec {
    SceneSpec::from_toml(text, "scene.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// Starts a scene file with default options.
pub fn run(text: &str) -> RunningScene {
    scene(text).run(".", &RunOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Starts a scene in a paradigm.
pub fn run_in(scene: &SceneSpec, paradigm: Paradigm) -> RunningScene {
    let options = RunOptions { paradigm: Some(paradigm), ..RunOptions::default() };
    scene.run(".", &options).unwrap_or_else(|error| panic!("{}: {error}", paradigm.name()))
}

/// Returns the error of a scene file that must not build.
pub fn refusal(text: &str) -> String {
    SceneSpec::from_toml(text, "test").and_then(|scene| scene.build(".")).unwrap_err().to_string()
}

/// Body table of a sphere of radius 0.1 m. `mass` is in kg, `position` in m.
pub fn ball(name: &str, mass: f64, position: [f64; 3]) -> String {
    format!(
        "[[bodies]]\nname = '{name}'\nmass = {mass:?}\nposition = {position:?}\n\
         shapes = [{{ type = 'sphere', radius = 0.1 }}]\n"
    )
}

/// Body table of a wheel with an inertia of 0.5 kg m^2 on an axle along z. Its angles are in degrees; `fields` is
/// appended to its joint.
pub fn wheel(fields: &str) -> String {
    format!(
        "[[bodies]]\nname = 'wheel'\nmass = 1\ninertia = [1, 1, 0.5]\n\
         joint = {{ type = 'revolute', axis = [0, 0, 1], angle_unit = 'degrees'{fields} }}\n"
    )
}
