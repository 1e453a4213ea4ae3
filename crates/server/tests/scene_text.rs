//! Scenes as text: replacement in a session, exactness of replays, and scene files.

use std::path::Path;

use crate::client::{ask, get, options, post, start};
use crate::support::{Folder, TestSession, assert_exact};
use burgess_server::ServerOptions;
use burgess_server::session::{ENDED, Library, MAX_TEXT_BYTES, OpenRequest, Sessions, read_scene};
use serde_json::{Value, json};

const BALL: &str = "# A ball that falls.\nname = 'ball'\n\n[[bodies]]\nname = 'b'\nposition = [0, 0, 3]\n\
                    shapes = [{ type = 'sphere', radius = 0.5 }]\n";
const TWO: &str = "name = 'two'\n\n[[bodies]]\nname = 'b'\nposition = [0, 0, 3]\n\
                   shapes = [{ type = 'sphere', radius = 0.5 }]\n\n[[bodies]]\nname = 'c'\nposition = [2, 0, 3]\n\
                   shapes = [{ type = 'box', size = [0.6, 0.4, 0.2] }]\n";

fn text_request(text: &str) -> Value {
    json!({"source": {"type": "text", "name": "mine.toml", "text": text}})
}

/// Shows a text in a session, and waits until it is shown.
fn show(test: &TestSession, text: &str) {
    let before = test.frame().epoch;
    let scene = read_scene("mine.toml", text, &Library::new("/nowhere")).unwrap();
    test.session.show_scene(scene, "mine.toml".to_string(), text.to_string()).unwrap();
    test.wait(|frame| frame.epoch > before && frame.step == 0);
}

#[test]
fn the_text_of_a_built_in_scene_moves_like_the_scene() {
    for name in ["stack", "pendulum", "dominoes"] {
        let built_in = TestSession::scene(name, None);
        let text = built_in.session.scene_text().unwrap();
        let read = TestSession::open(text_request(&text));
        assert_eq!(read.session.about().title, name);
        // Every tenth frame has a hash.
        let step = 20 * built_in.session.about().steps_per_frame;
        let expected = built_in.seek(step).hash;
        assert!(expected != 0 && read.seek(step).hash == expected, "{name}");
        // Whitespace and comments do not matter.
        let spaced = TestSession::open(text_request(&format!("# a comment\n\n{text}\n\n")));
        assert_eq!(spaced.seek(step).hash, expected, "{name}");
    }
}

#[test]
fn an_edited_scene_is_shown_from_its_start_and_replays_exactly() {
    let test = TestSession::scene("stack", None);
    test.seek(40);
    test.command(json!({"do": "throw", "from": [5, 0, 2], "velocity": [-8, 0, 0], "radius": 0.1, "density": 1000}));
    test.wait(|frame| frame.epoch > 0);
    test.seek(80);
    show(&test, TWO);
    let about = test.session.about();
    assert_eq!((about.title.as_str(), test.frame().bodies(), test.frame().latest), ("two", 2, 0));
    assert_eq!(test.session.scene_text().unwrap(), TWO);
    assert!(test.session.take().events.is_empty());
    assert_eq!(serde_json::to_value(&about.source).unwrap(), text_request(TWO)["source"]);

    // Seeking, edits and returning to the first epoch of the new scene. Every tenth frame has a hash.
    assert_eq!(about.steps_per_frame, 4);
    let epoch = test.frame().epoch;
    let first = test.seek(80);
    assert_ne!(first.hash, 0);
    test.command(json!({"do": "throw", "from": [5, 0, 3], "velocity": [-8, 0, 0], "radius": 0.1, "density": 1000}));
    test.wait(|frame| frame.epoch > epoch);
    let thrown = test.seek(120);
    assert_eq!(thrown.bodies(), 3);
    let again = test.seek(20);
    assert_eq!((again.epoch, again.bodies()), (epoch, 2));
    assert_eq!(test.seek(120).hash, thrown.hash);
    assert_exact(&test);

    // The same as a new session of the text, and of the take.
    let fresh = TestSession::open(text_request(TWO));
    assert_eq!(fresh.seek(80).hash, first.hash);
    let take = serde_json::to_value(test.session.take()).unwrap();
    let replay = TestSession::open(json!({"source": {"type": "take", "take": take}}));
    assert_eq!(replay.seek(120).hash, thrown.hash);
    assert_exact(&replay);

    // An export is of the new scene.
    let exported = test.session.export(burgess_server::session::Format::Toml).unwrap();
    assert!(String::from_utf8(exported.bytes).unwrap().contains("name = \"two\""));
}

#[test]
fn a_scene_that_fails_while_it_runs_can_be_replaced() {
    let fast =
        format!("simulation = {{ max_speed = 5 }}\n{}", BALL.replace("position", "velocity = [10, 0, 0]\nposition"));
    let test = TestSession::open(text_request(BALL));
    show(&test, &fast);
    test.command(json!({"do": "step", "steps": 8}));
    test.wait(|frame| frame.flags & ENDED != 0);
    show(&test, BALL);
    let shown = test.seek(8);
    assert_eq!(shown.flags & ENDED, 0);
}

#[test]
fn other_subjects_are_not_replaced() {
    let scene = || read_scene("mine.toml", BALL, &Library::new("/nowhere")).unwrap();
    for source in [json!({"type": "bounce"}), json!({"type": "creature", "name": "quadruped"})] {
        let test = TestSession::open(json!({"source": source}));
        assert!(test.session.scene_text().is_err());
        assert!(test.session.show_scene(scene(), "mine.toml".to_string(), BALL.to_string()).is_err());
        assert_eq!(test.frame().epoch, 0);
    }
}

#[test]
fn texts_with_faults_do_not_open_sessions() {
    let sessions = Sessions::default();
    for text in ["name = ", "[[bodies]]\nname = 'b'\nshapes = [{ type = 'sphere', radius = nan }]\n"] {
        let request: OpenRequest = serde_json::from_value(text_request(text)).unwrap();
        let refused = sessions.open(request, &Library::new("/nowhere")).unwrap_err().to_string();
        assert!(refused.contains("line "), "{refused}");
    }
    assert!(sessions.list().is_empty());
}

#[test]
fn texts_include_files_of_the_folder_only() {
    let folder = Folder::new();
    std::fs::write(folder.0.join("ball.toml"), BALL).unwrap();
    std::fs::write(folder.0.join("bad.toml"), BALL.replace("0.5", "-1")).unwrap();
    std::fs::write(folder.0.join("loop.toml"), "include = [{ file = 'loop.toml' }]\n").unwrap();
    std::fs::write(
        folder.0.join("wedge.obj"),
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
    )
    .unwrap();
    std::fs::write(folder.0.join("broken.obj"), "f 1 2 3\n").unwrap();
    let library = Library::new(&folder.0);
    let read = |text: &str| read_scene("mine.toml", text, &library);
    let included = read("include = [{ file = 'ball.toml', prefix = 'x-' }]\n").unwrap();
    assert_eq!(included.bodies[0].name, "x-b");
    let mesh = |file: &str| format!("[[bodies]]\nname = 'm'\nshapes = [{{ type = 'mesh', file = '{file}' }}]\n");
    let meshed = read(&mesh("wedge.obj")).unwrap();
    assert!(meshed.self_contained("/nowhere").is_ok(), "it needs no files");
    let broken = read(&mesh("broken.obj")).unwrap_err();
    assert_eq!((broken.line, broken.field.as_str()), (Some(3), "bodies[0].shapes[0].file"));
    assert!(!broken.to_string().contains(&folder.0.display().to_string()), "{broken}");
    let bad = read("\ninclude = [{ file = 'bad.toml' }]\n").unwrap_err();
    assert_eq!((bad.line, bad.file.as_deref()), (Some(7), Some("bad.toml")), "{bad}");
    let cycle = read("include = [{ file = 'loop.toml' }]\n").unwrap_err();
    assert!(cycle.message.contains("includes itself"), "{cycle}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/hostname", folder.0.join("link.toml")).unwrap();
        assert_eq!(read("include = [{ file = 'link.toml' }]\n").unwrap_err().field, "include[0].file");
    }
}

#[test]
fn routes_check_replace_and_save_texts() {
    let options = options();
    let server = start(options.clone());
    let address = server.address();
    post(address, "/api/sessions", &json!({"source": {"type": "scene", "name": "stack"}, "paused": true}));
    let given = get(address, "/api/sessions/s1/scene").json();
    assert_eq!(given["name"], "stack");
    assert!(given["text"].as_str().unwrap().contains("[[bodies]]"));

    let check = |text: &str| post(address, "/api/sessions/s1/scene", &json!({"name": "mine.toml", "text": text}));
    let fault = check(&BALL.replace("0.5", "-1")).json();
    assert_eq!((&fault["fault"]["line"], &fault["fault"]["file"]), (&json!(7), &Value::Null), "{fault}");
    assert_eq!(get(address, "/api/sessions/s1/scene").json(), given, "the last good scene stays");
    assert_eq!(check(BALL).json(), json!({"fault": null}));
    let begin = std::time::Instant::now();
    while get(address, "/api/sessions/s1").json()["title"] != "ball" {
        assert!(begin.elapsed() < crate::client::TIMEOUT, "timeout");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert_eq!(get(address, "/api/sessions/s1/scene").json(), json!({"name": "mine.toml", "text": BALL}));
    // Lists of sessions leave the text out.
    assert_eq!(get(address, "/api/sessions").json()[0]["source"], json!({"type": "text", "name": "mine.toml"}));
    assert_eq!(get(address, "/api/sessions/s1").json()["source"]["text"], BALL);

    let save = |name: &str, text: &str, overwrite: bool| {
        post(address, "/api/scene-files", &json!({"name": name, "text": text, "overwrite": overwrite}))
    };
    assert_eq!(save("mine.toml", BALL, false).status, 201);
    let again = save("mine.toml", TWO, false);
    assert_eq!((again.status, again.error().contains("mine.toml")), (409, true), "{again:?}");
    assert_eq!(read(&options, "mine.toml"), BALL);
    assert_eq!(save("mine.toml", TWO, true).status, 201);
    assert_eq!(read(&options, "mine.toml"), TWO);
    assert_eq!(get(address, "/api/scene-files").json(), json!([{"name": "mine.toml", "bytes": TWO.len()}]));
    let opened = post(address, "/api/sessions", &json!({"source": {"type": "text", "name": "mine.toml"}}));
    assert_eq!((opened.status, &opened.json()["title"]), (201, &json!("two")));
    let missing = post(address, "/api/sessions", &json!({"source": {"type": "text", "name": "none.toml"}}));
    assert_eq!(missing.status, 404, "{missing:?}");

    for name in [
        "../out.toml",
        "/tmp/out.toml",
        "sub/out.toml",
        ".hidden.toml",
        "out",
        "out.txt",
        "",
        "a.burgess.toml",
        "a\u{0}.toml",
        "C:out.toml",
        "..\\out.toml",
        &format!("{}.toml", "x".repeat(300)),
    ] {
        let refused = save(name, BALL, true);
        assert_eq!(refused.status, 400, "{name}: {refused:?}");
    }
    let invalid = save("new.toml", "name = ", false);
    assert!(invalid.status == 400 && invalid.error().contains("line 1"), "{invalid:?}");
    let huge = format!("# {}\n{BALL}", "x".repeat(MAX_TEXT_BYTES));
    assert!(check(&huge).json()["fault"]["message"].as_str().unwrap().contains("expected at most"));
    assert_eq!(save("huge.toml", &huge, false).status, 400);
    #[cfg(unix)]
    {
        let outside = options.runs.with_extension("outside.toml");
        std::fs::write(&outside, BALL).unwrap();
        std::os::unix::fs::symlink(&outside, options.runs.join("link.toml")).unwrap();
        assert_eq!(save("link.toml", TWO, true).status, 400);
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), BALL);
        std::fs::remove_file(outside).unwrap();
        std::fs::remove_file(options.runs.join("link.toml")).unwrap();
    }
    let left: Vec<_> = std::fs::read_dir(&options.runs).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left, ["mine.toml"], "nothing else was written");
    assert_eq!(get(address, "/api/sessions/s9/scene").status, 404);
    std::fs::remove_dir_all(options.runs).unwrap();
}

fn read(options: &ServerOptions, name: &str) -> String {
    std::fs::read_to_string(Path::new(&options.runs).join(name)).unwrap()
}

#[test]
fn changes_need_the_token() {
    let options = ServerOptions { token: Some("a-long-token".to_string()), ..options() };
    let server = start(options.clone());
    let body = json!({"name": "mine.toml", "text": BALL}).to_string();
    let save = |headers: &[(&str, &str)]| {
        let headers = [&[("Content-Type", "application/json")], headers].concat();
        ask(server.address(), "POST", "/api/scene-files", &headers, body.as_bytes()).status
    };
    assert_eq!(save(&[]), 401);
    assert_eq!(save(&[("Authorization", "Bearer wrong-token")]), 401);
    assert_eq!(save(&[("Authorization", "Bearer a-long-token"), ("Origin", "http://elsewhere.example")]), 403);
    assert!(!options.runs.join("mine.toml").exists());
    assert_eq!(save(&[("Authorization", "Bearer a-long-token")]), 201);
    std::fs::remove_dir_all(options.runs).unwrap();
}
