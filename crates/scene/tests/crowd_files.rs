//! Crowds in scene files: errors give file, line, field and the closest name.

use burgess_scene::RunOptions;
use burgess_scene::spec::SceneSpec;

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
