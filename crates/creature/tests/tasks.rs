//! Task files: reading, writing and errors.

use burgess_creature::task::{Amount, Counts, Formula, Ground, Measure, Measures, Task};

fn error(text: &str) -> String {
    Task::from_toml(text, "t.toml").map(|task| task.to_toml()).unwrap_err().to_string()
}

const LEAST: &str = "name = 'least'\nfitness = 'distance'\n";

#[test]
fn defaults_are_written_out() {
    let task = Task::from_toml(LEAST, "t.toml").unwrap();
    assert_eq!(task.arena.ground, Ground::Flat);
    assert_eq!(task.trials.counts, Counts::Lowest);
    let text = task.to_toml();
    for line in ["settle = 2.0", "friction = 0.8", "entanglement = 0.05", "brain_rate = 60.0", "max_parts = 24"] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert_eq!(Task::from_toml(&text, "t.toml").unwrap(), task);
}

#[test]
fn every_preset_is_written_and_read_again() {
    let names: Vec<String> = Task::presets().map(|task| task.name).collect();
    assert_eq!(names.len(), Task::preset_texts().count());
    for (name, text) in Task::preset_texts() {
        let task = Task::from_toml(text, name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(task.name, name);
        assert!(!task.description.is_empty());
        assert_eq!(Task::preset(name).unwrap(), task);
        assert_eq!(Task::from_toml(&task.to_toml(), name).unwrap_or_else(|error| panic!("{error}")), task);
        // The whole syllabus is valid and ends.
        for generation in [1, 50, 100_000] {
            task.at_generation(generation).check().unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        assert_eq!(task.at_generation(100_000).parameters, task.at_generation(200_000).parameters);
        assert_eq!(task.at_generation(0), task);
    }
    let unknown = Task::preset("wolk").unwrap_err();
    assert_eq!(unknown.to_string(), "there is no task called 'wolk'; did you mean 'walk'?");
}

#[test]
fn errors_name_file_line_and_field() {
    let with = |more: &str| error(&format!("{LEAST}{more}"));
    assert_eq!(error("fitness = '1'"), "t.toml:1: name: missing");
    assert_eq!(error("name = 'x'"), "t.toml:1: fitness: missing");
    assert_eq!(
        error("name = 'x'\nfitness = '1 +'"),
        "t.toml:2: fitness: column 4: expected a number, a name or '(', found the end of the formula"
    );
    assert_eq!(with("duraton = 3"), "t.toml:3: duraton: unknown field; did you mean 'duration'?");
    assert_eq!(with("duration = -3"), "t.toml:3: duration: must be positive, found -3");
    assert_eq!(with("duration = 'long'"), "t.toml:3: duration: must be a number, found the string \"long\"");
    assert_eq!(with("transient = 10"), "t.toml:3: transient: must be less than the duration, found 10");
    assert_eq!(with("step = 1"), "t.toml:3: step: must be from 0.00001 to 0.05, found 1");
    assert_eq!(with("[trials]\ncount = 0"), "t.toml:4: trials.count: must be from 1 to 100, found 0");
    assert_eq!(
        with("[trials]\ncount = -1"),
        "t.toml:4: trials.count: must be a whole number that is not negative, found -1"
    );
    assert_eq!(
        with("[trials]\ncounts = 'best'"),
        "t.toml:4: trials.counts: unknown 'best'; expected one of lowest, mean"
    );
    assert_eq!(with("arena = { ground = 'flatt' }"), "t.toml:3: arena.ground: unknown 'flatt'; did you mean 'flat'?");
    assert_eq!(with("arena = { friction = 'slip' }"), "t.toml:3: arena.friction: column 1: unknown name 'slip'");
    assert_eq!(
        with("arena = { gravity = [0, 0] }"),
        "t.toml:3: arena.gravity: must be an array of 3 elements, found 2 elements"
    );
    assert_eq!(
        with("parameters = { slip = -1 }\narena = { friction = 'slip' }"),
        "t.toml:4: arena.friction: must be at least 0, found -1"
    );
    assert_eq!(
        with("parameters = { distance = 1 }"),
        "t.toml:3: parameters: there is another measure called 'distance'"
    );
    assert_eq!(
        with("parameters = { reach = 1 }\nsyllabus = { rech = { per_generation = 1, until = 2 } }"),
        "t.toml:4: syllabus: there is no parameter called 'rech'; did you mean 'reach'?"
    );
    assert_eq!(with("target = { at = 'ball' }"), "t.toml:3: target.at: there is no ball in this task");
    assert_eq!(with("target = { at = 'places' }"), "t.toml:3: target.places: missing");
    assert_eq!(
        with("limits = { steps = 100 }"),
        "t.toml:3: limits.steps: the trials take 2880 steps, and there may be 100"
    );
    assert_eq!(with("physiology = { brain_rate = 0 }"), "t.toml:3: physiology: brain_rate is 0, expected 1 to 1000");
    assert!(with("[[").starts_with("t.toml:3: "), "{}", with("[["));
}

#[test]
fn a_fitness_uses_only_measures_that_the_task_has() {
    let of =
        |fitness: &str, more: &str| Task::from_toml(&format!("name = 'x'\nfitness = '{fitness}'\n{more}"), "t.toml");
    let cases = [
        ("distance + targets", "tasks with positions to reach", "target = { at = 'places', places = [[1, 0, 0]] }"),
        ("target_progress", "tasks with positions to reach", "target = { at = 'random_places' }"),
        ("ball_gap", "tasks with a ball", "[ball]"),
        ("cube_gap", "contests with a cube", "[contest]"),
        ("opponent_gap", "contests", "[contest]"),
        ("ring_time", "contests with a ring", "contest = { ring = 2 }"),
        ("ball_advance", "contests with a ball", "ball = {}\n[contest]"),
    ];
    for (fitness, tasks, needed) in cases {
        let name = fitness.trim_start_matches("distance + ");
        let expected =
            format!("t.toml:2: fitness: '{name}' is measured only in {tasks}, and this task is not one of them");
        assert_eq!(of(fitness, "").unwrap_err().to_string(), expected);
        of(fitness, needed).unwrap();
    }
    // Any measure of the opponent can be used, but only in a contest.
    of("opponent_forward", "[contest]").unwrap();
    assert_eq!(
        of("opponent_forward", "").unwrap_err().to_string(),
        "t.toml:2: fitness: column 1: unknown name 'opponent_forward'; did you mean 'opponent_gap'?"
    );
    assert_eq!(
        of("opponent_ring_time", "[contest]").unwrap_err().to_string(),
        "t.toml:2: fitness: 'ring_time' is measured only in contests with a ring, and this task is not one of them"
    );
    assert_eq!(
        of("distance", "target = { at = 'opponent' }").unwrap_err().to_string(),
        "t.toml:3: target.at: there is no opponent in this task: it has no contest"
    );
    assert_eq!(
        of("distance", "contest = { cube = 0 }\ntarget = { at = 'cube' }").unwrap_err().to_string(),
        "t.toml:4: target.at: the contest of this task has no cube"
    );
    // A target that is the ball has no positions to reach.
    assert!(of("targets", "target = { at = 'ball' }\n[ball]").is_err());
}

#[test]
fn a_syllabus_changes_parameters_up_to_their_end() {
    let task = Task::preset("jump-away").unwrap();
    let gravity = |task: &Task| Amount::vector(&task.arena.gravity, &task.parameters).z;
    assert_eq!(gravity(&task), -3.27);
    assert!((gravity(&task.at_generation(10)) + 3.92).abs() < 1e-12);
    assert_eq!(gravity(&task.at_generation(1000)), -9.81);
    let mut easier = task.clone();
    easier.syllabus.get_mut("gravity").unwrap().per_generation = -1.0;
    easier.syllabus.get_mut("gravity").unwrap().until = Amount::Number(1.0);
    assert_eq!(gravity(&easier.at_generation(5)), -1.0);
}

#[test]
fn a_syllabus_must_stay_within_the_bounds_of_a_task() {
    let refusal = |text: &str| {
        let text = format!("name = 't'\nfitness = 'forward'\n{text}");
        Task::from_toml(&text, "t.toml").map_or_else(|error| error.to_string(), |_| "fine".to_string())
    };
    let slippery = |lesson: &str| {
        refusal(&format!("parameters.mu = 0.5\narena.friction = 'mu'\nsyllabus.mu = {{ per_generation = {lesson} }}"))
    };
    assert_eq!(slippery("-0.1, until = 0"), "fine");
    assert_eq!(slippery("0.1, until = 0.5"), "fine");
    assert_eq!(
        slippery("-0.1, until = -0.2"),
        "t.toml:4: arena.friction: must be at least 0, found -0.2, at the end of the syllabus of 'mu'"
    );
    assert_eq!(
        slippery("0.1, until = 0.2"),
        "t.toml:5: syllabus: 'mu' begins at 0.5 and never comes to 0.2 in steps of 0.1"
    );
    assert_eq!(
        slippery("-0.1, until = 2"),
        "t.toml:5: syllabus: 'mu' begins at 0.5 and never comes to 2 in steps of -0.1"
    );
    let two = |formula: &str| {
        let lesson = "{ per_generation = 1, until = 2 }";
        let lessons = format!("parameters = {{ a = 1, b = 1 }}\nsyllabus = {{ a = {lesson}, b = {lesson} }}");
        refusal(&format!("{lessons}\narena.friction = '{formula}'"))
    };
    assert_eq!(two("a + b"), "fine");
    // Each may reach its end alone, but not both; and the reverse.
    assert!(
        two("3.5 - a - b").ends_with("must be at least 0, found -0.5, at the end of the syllabus of all parameters")
    );
    assert!(two("a - b").ends_with("must be at least 0, found -1, at the end of the syllabus of 'b'"));
}

#[test]
fn a_fitness_is_never_negative() {
    let task = Task { fitness: Formula::parse("forward").unwrap(), ..Task::default() };
    let mut measures = Measures::default();
    measures[Measure::Forward] = -2.0;
    assert_eq!(task.score(&measures), 0.0);
    measures[Measure::Forward] = 2.0;
    assert_eq!(task.score(&measures), 2.0);
}

#[test]
fn measures_are_found_by_name() {
    let mut measures = Measures::default();
    for (index, measure) in Measure::ALL.into_iter().enumerate() {
        assert_eq!(Measure::from_name(measure.name()), Some(measure));
        assert!(measure.description().ends_with('.'), "{}", measure.description());
        measures[measure] = index as f64 + 0.5;
    }
    let text = serde_json::to_string(&measures).unwrap();
    assert_eq!(serde_json::from_str::<Measures>(&text).unwrap(), measures);
    assert_eq!(measures.get("sideways"), Some(1.5));
    assert_eq!(measures.get("nothing"), None);
}

#[test]
fn the_guide_lists_all_measures_and_tasks() {
    let guide = include_str!("../../../docs/tasks.md");
    let quoted = |name: &str| guide.contains(&format!("`{name}`"));
    for measure in Measure::ALL {
        let (name, unit, tasks) = (measure.name(), measure.unit(), measure.availability().description());
        let description = measure.description().replace('|', "\\|");
        let row = format!("| `{name}` | {unit} | {description} | {tasks} |");
        assert!(guide.contains(&row), "not in the guide: {row}");
    }
    for (name, _) in Task::preset_texts() {
        assert!(quoted(name), "{name} is not in the guide");
    }
}
