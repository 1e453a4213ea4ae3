//! Crowds in scene files: errors give file, line, field and the closest name.

use burgess_scene::spec::{Measured, OfRegion, OfStream, SceneSpec, SensorSpec};
use burgess_scene::{RunOptions, builtin};
use glam::DVec2;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

const SCENE: &str = r#"name = "crowd"
[[bodies]]
name = "person"
shapes = [{ type = "capsule", radius = 0.13, length = 0.7, position = [0, 0, 0.95] }]
[bodies.joint]
type = "stack"
axes = [
  { type = "slide", axis = [1, 0, 0], position = -6 },
  { type = "slide", axis = [0, 1, 0] },
  { type = "hinge", axis = [0, 0, 1] },
]
[[bodies]]
name = "ball"
position = [0, 20, 1]
shapes = [{ type = "sphere", radius = 0.2 }]
[[controllers]]
type = "crowd"
bodies = ["person"]
walk_to = ["east"]
floor = { min = [-8, -4], max = [8, 4] }
signals = ["walk"]
goals = [{ name = "east", min = [6, -1], max = [7, 1] }]
gates = [{ name = "light", min = [-2, -4], max = [2, 4], open = "walk" }]
nodes = [
  { type = "location", name = "fountain", point = [4, 2] },
  { type = "attract", name = "look" },
  { type = "walk", name = "steps" },
]
links = [
  { from = "fountain", to = "look" },
  { name = "curiosity", from = "look", to = "steps" },
]
[[controllers.networks]]
name = "stroll"
[[controllers.networks.states]]
name = "go"
actions = [{ type = "unbind", link = "curiosity" }]
transitions = [{ to = "rest", if = "arrived" }]
[[controllers.networks.states]]
name = "rest"
"#;

fn refusal(text: &str) -> String {
    match SceneSpec::from_toml(text, "crowd.toml") {
        Ok(scene) => scene.run(".", &RunOptions::default()).expect_err("this crowd is wrong").to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_scene_itself_is_right() {
    SceneSpec::from_toml(SCENE, "crowd.toml").unwrap().run(".", &RunOptions::default()).unwrap();
}

#[test]
fn errors_name_the_line_and_the_closest_name() {
    let cases = [
        (
            r#"to = "look""#,
            r#"to = "lok""#,
            "crowd.toml:30: controllers[0].links[0].to: there is no node called 'lok'; did you mean 'look'?",
        ),
        (
            r#"from = "look", to"#,
            r#"from = "fountain", to"#,
            "crowd.toml:31: controllers[0].links[1]: link 1 leads from a perceptual node to a motor node; put a control node between them",
        ),
        (
            r#"link = "curiosity""#,
            r#"link = "curiosty""#,
            "crowd.toml:37: controllers[0].networks[0].states[0].actions[0].link: there is no link called 'curiosty'; did you mean 'curiosity'?",
        ),
        (
            r#"to = "rest""#,
            r#"to = "test""#,
            "crowd.toml:38: controllers[0].networks[0].states[0].transitions[0].to: there is no state called 'test'; did you mean 'rest'?",
        ),
        (
            r#"if = "arrived""#,
            r#"if = "arived""#,
            "crowd.toml:38: controllers[0].networks[0].states[0].transitions[0].if: column 1: unknown name 'arived'; did you mean 'arrived'?",
        ),
        (
            r#"if = "arrived""#,
            r#"if = "arrived >""#,
            "crowd.toml:38: controllers[0].networks[0].states[0].transitions[0].if: column 10: expected a number, a name or '(', found the end of the formula",
        ),
        (
            r#"open = "walk""#,
            r#"open = "wolk""#,
            "crowd.toml:23: controllers[0].gates[0].open: column 1: unknown name 'wolk'; did you mean 'walk'?",
        ),
        (
            r#"walk_to = ["east"]"#,
            r#"walk_to = ["eats"]"#,
            "crowd.toml:19: controllers[0].walk_to[0]: there is no goal called 'eats'; did you mean 'east'?",
        ),
        (
            r#"bodies = ["person"]"#,
            r#"bodies = ["persn"]"#,
            "crowd.toml:18: controllers[0].bodies[0]: there is no body called 'persn'; did you mean 'person'?",
        ),
        (
            r#"type = "attract""#,
            r#"type = "atract""#,
            "crowd.toml:26: controllers[0].nodes[1].type: unknown 'atract'; did you mean 'attract'?",
        ),
    ];
    for (right, wrong, expected) in cases {
        assert!(SCENE.contains(right), "{right}");
        assert_eq!(refusal(&SCENE.replacen(right, wrong, 1)), expected);
    }
    let ball = refusal(&SCENE.replacen(r#"bodies = ["person"]"#, r#"bodies = ["ball"]"#, 1));
    assert!(ball.starts_with("crowd.toml:18: controllers[0].bodies[0]: 'ball' must be on a stack joint"), "{ball}");
}

/// Sensors of random regions against a count over all people.
#[test]
fn sensors_measure_the_people_in_their_regions() {
    let mut random = Pcg64::seed_from_u64(11);
    let mut point = || DVec2::new(random.random_range(-11.0..11.0), random.random_range(-9.0..9.0));
    let mut scene = builtin::find("evacuation").unwrap().spec();
    let mut regions = Vec::new();
    scene.sensors.clear();
    for index in 0..20 {
        let (a, b, direction) = (point(), point(), point());
        let (min, max) = (a.min(b), a.max(b));
        regions.push((min, max, direction));
        let of = || OfRegion { min, max };
        let kinds = [
            Measured::CrowdDensity(of()),
            Measured::CrowdSpeed(of()),
            Measured::CrowdFlow(OfStream { min, max, direction }),
        ];
        for (number, kind) in kinds.into_iter().enumerate() {
            scene.sensors.push(SensorSpec { kind, name: format!("sensor {index} {number}") });
        }
    }
    let mut running = scene.run(".", &RunOptions::default()).unwrap();
    for _ in 0..300 {
        running.simulation.step().unwrap();
    }
    let mut values = vec![0.0; running.sensors.dimension()];
    running.read_sensors(&mut values);
    let data = running.simulation.data();
    let mut people = Vec::new();
    running.visit_walkers(|link, _| {
        let link = &data.world.model().links()[link];
        let pair = |numbers: &[f64], first: usize| DVec2::new(numbers[first], numbers[first + 1]);
        people.push((pair(&data.state.q, link.q), pair(&data.state.v, link.v)));
    });
    assert_eq!(people.len(), 200);
    let mut met = 0.0;
    for ((min, max, direction), found) in regions.into_iter().zip(values.chunks_exact(3)) {
        let inside = |(place, _): &&(DVec2, DVec2)| place.clamp(min, max) == *place;
        let velocities: Vec<DVec2> = people.iter().filter(inside).map(|(_, velocity)| *velocity).collect();
        let (count, size) = (velocities.len() as f64, max - min);
        let along = direction.normalize();
        let speed: f64 = velocities.iter().map(|velocity| velocity.length()).sum();
        let flow = velocities.iter().sum::<DVec2>().dot(along) / (size.x * along.x.abs() + size.y * along.y.abs());
        let expected = [count / (size.x * size.y), if count > 0.0 { speed / count } else { 0.0 }, flow];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{found} and {expected}");
        }
        met += count;
    }
    assert!(met > 100.0, "{met}");
}

/// While somebody walks to a goal that pauses, its networks do not send it on, however long they have waited.
#[test]
fn networks_pause_on_the_way_to_goals_that_pause() {
    let mut random = Pcg64::seed_from_u64(5);
    for _ in 0..6 {
        let wait: f64 = random.random_range(0.5..4.0);
        // Nothing attracts the person, and the gate is open.
        let still = SCENE.replace("to = \"steps\" }", "to = \"steps\", weight = 0 }");
        let text = still.replace("open = \"walk\"", "open = \"1\"").replace(
            "{ name = \"east\", min = [6, -1], max = [7, 1] }",
            "{ name = \"east\", min = [6, -1], max = [7, 1], pauses = true }, { name = \"west\", min = [-8, -1], max = [-7, 1] }",
        );
        let rest = format!(
            "name = \"go\"\nactions = [{{ type = \"wait\", seconds = \"{wait}\" }}]\ntransitions = [{{ to = \"rest\", if = \"1\" }}]"
        );
        let old = "name = \"go\"\nactions = [{ type = \"unbind\", link = \"curiosity\" }]\ntransitions = [{ to = \"rest\", if = \"arrived\" }]";
        assert!(text.contains(old));
        let send = "name = \"rest\"\nactions = [{ type = \"send\", goal = \"west\" }]";
        let pausing = text.replace("name = \"rest\"", send).replace(old, &rest);
        let eager = pausing.replace(", pauses = true", "");
        let sent_at = |text: &str| {
            let mut running =
                SceneSpec::from_toml(text, "crowd.toml").unwrap().run(".", &RunOptions::default()).unwrap();
            let mut farthest = f64::NEG_INFINITY;
            for _ in 0..6000 {
                running.simulation.step().unwrap();
                let mut goal = 0;
                running.visit_walkers(|_, walker| {
                    goal = walker.goal;
                    farthest = farthest.max(walker.gait.root().x);
                });
                if goal == 1 {
                    return (running.simulation.state().time, farthest);
                }
            }
            panic!("nobody was sent on")
        };
        let ((early, _), (late, farthest)) = (sent_at(&eager), sent_at(&pausing));
        assert!((early - wait).abs() < 0.1, "{early} s, waits {wait} s");
        // It was at its goal, which begins at x = 6, before it was sent on.
        assert!(late > 12.0 / 1.5 && farthest >= 6.0, "{late} s, {farthest} m");
    }
}
