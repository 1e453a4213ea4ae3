//! The interface for scripts: field names, one line on stdout, exit codes.

use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_burgess");

fn burgess(arguments: &str) -> Output {
    Command::new(PROGRAM).args(arguments.split_whitespace()).output().unwrap()
}

fn json(arguments: &str) -> serde_json::Value {
    let output = burgess(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1);
    serde_json::from_str(&text).unwrap()
}

#[test]
fn bounce_prints_all_fields_on_one_line() {
    let report = json("bounce --objects 12 --steps 200 --check --json");
    let fields = "objects world steps step_size broad_phase coherence pairs_created pairs_mean wall_seconds ns_per_step \
                  operations_per_step ns_per_query features_visited_mean fallbacks missed_pairs unfinished_queries";
    for field in fields.split_whitespace() {
        assert!(report.get(field).is_some(), "{field} is missing");
    }
    assert_eq!((&report["objects"], &report["steps"]), (&12.into(), &200.into()));
    assert_eq!((&report["missed_pairs"], &report["unfinished_queries"]), (&0.into(), &0.into()));
    assert_eq!((&report["broad_phase"], &report["coherence"]), (&"hashing".into(), &true.into()));
}

#[test]
fn counts_do_not_depend_on_how_pairs_are_found() {
    let count = |broad_phase: &str| {
        let report = json(&format!("bounce --objects 30 --world 8 --steps 500 --json {broad_phase}"));
        (report["pairs_created"].as_u64().unwrap(), report["pairs_mean"].as_f64().unwrap())
    };
    let hashing = count("");
    assert!(hashing.0 > 30);
    for other in ["--no-coherence", "--broad-phase sweep-and-prune", "--broad-phase exhaustive"] {
        assert_eq!(count(other), hashing, "{other}");
    }
}

#[test]
fn bad_input_is_refused_with_a_sentence() {
    for (arguments, word) in [
        ("bounce --objects 0", "objects"),
        ("bounce --objects many", "invalid value"),
        ("bounce --world -3", "world"),
        ("bounce --step-size -0.5", "step size"),
        ("bounce --world huge", "auto"),
        ("bounce --step-size nan", "step size"),
        ("bounce --vertices 2", "vertices"),
        ("bounce --no-coherence --broad-phase exhaustive", "--no-coherence"),
        ("bounce --check --broad-phase off", "--check"),
        ("bounce --world auto --step-size 1e-9", "step size"),
        ("bounce --world auto --objects 1", "objects"),
        ("evolve walk --evaluations abc", "expected a whole number"),
        ("evolve walk --seed -1", "expected a whole number"),
        ("evolve walk --seed 99999999999999999999", "too large"),
        ("simulate stack --seconds abc", "expected a number"),
        ("picture stack -o stack.png", "must end in .svg; "),
        ("fly", "unrecognized"),
        ("swim", "evolve swim` exists"),
        ("stack", "watch stack` exists"),
        ("evolve", "Examples:"),
    ] {
        let output = burgess(arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
        assert!(error.contains(word), "{arguments}: {error}");
        assert!(output.stdout.is_empty(), "{arguments}");
    }
}

#[test]
fn without_arguments_the_first_commands_are_shown() {
    let output = burgess("");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    // Commands are shown with the name with which the program was started, so that they can be copied.
    let program = env!("CARGO_BIN_EXE_burgess");
    for command in ["evolve walk", "watch walker", "serve", "simulate stack"] {
        assert!(text.contains(&format!("  {program} {command}")), "{text}");
    }
}

#[test]
fn hints_name_the_program_as_it_was_started() {
    let error = String::from_utf8(burgess("simulate no-such-scene").stderr).unwrap();
    assert!(error.contains(&format!("`{PROGRAM} scenes`")), "{error}");
    let help = String::from_utf8(burgess("evolve --help").stdout).unwrap();
    let expected =
        [format!("Usage: {PROGRAM} evolve "), format!("\n  {PROGRAM} evolve swim "), format!("`{PROGRAM} worker`")];
    for expected in expected {
        assert!(help.contains(&expected) && !help.contains("\n  burgess "), "{help}");
    }
}

#[cfg(unix)]
#[test]
fn the_name_of_the_program_may_be_any_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::process::CommandExt;
    for (name, shown) in
        [(&b"bin/\xff"[..], "'bin/\u{fffd}'"), (b"bin/o'brien", r"'bin/o'\''brien'"), (b"", "burgess"), (b"/", "/")]
    {
        let output = Command::new(PROGRAM).arg0(OsStr::from_bytes(name)).args(["evolve", "--help"]).output().unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(help.contains(&format!("\n  {shown} evolve swim ")), "{name:?}: {help}");
    }
}

#[test]
fn the_version_tells_the_commit() {
    let output = burgess("--version");
    let text = String::from_utf8(output.stdout).unwrap();
    let version = concat!("burgess ", env!("CARGO_PKG_VERSION"));
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let git = Command::new("git").args(["-C", root, "log", "-1", "--format=%h %cs"]).output();
    match git.ok().filter(|git| git.status.success() && std::path::Path::new(root).join(".git").exists()) {
        Some(git) => {
            let commit = String::from_utf8(git.stdout).unwrap();
            assert_eq!(text.trim(), format!("{version} ({})", commit.trim()));
        }
        None => assert!(text.trim() == version || text.trim().ends_with(')'), "{text}"),
    }
}

#[test]
fn completions_and_manual_pages_have_all_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = String::from_utf8(burgess(&format!("completions {shell}")).stdout).unwrap();
        assert!(["evolve", "tournament", "flow"].iter().all(|name| script.contains(name)), "{shell}");
    }
    let folder = crate::common::folder("man");
    let output = burgess(&format!("man -o {}", folder.display()));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let pages: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(pages.len() > 20, "{pages:?}");
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text.contains(".SH SYNOPSIS") && !text.contains(".SH EXTRA"), "{}", page.display());
        let examples = text.split_once(".SH EXAMPLES\n.nf\n").map_or("", |(_, rest)| rest);
        assert!(examples.contains("  burgess") && examples.contains(".fi\n"), "{}", page.display());
    }
}

#[test]
fn every_command_has_an_example_in_its_help() {
    let names_in = |help: &str| -> Vec<String> {
        let list = help.split("\nCommands:\n").nth(1).unwrap_or_default();
        let lines = list.lines().take_while(|line| !line.is_empty());
        let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        names.filter(|name| !name.is_empty() && *name != "help").map(str::to_string).collect()
    };
    let commands = names_in(&crate::common::printed(&["--help"]));
    assert!(commands.len() > 15, "{commands:?}");
    for command in &commands {
        let help = crate::common::printed(&[command, "--help"]);
        assert!(help.contains("\nExample"), "{command}");
        for inner in names_in(&help) {
            assert!(crate::common::printed(&[command, &inner, "--help"]).contains("\nExample"), "{command} {inner}");
        }
    }
}
