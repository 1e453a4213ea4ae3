//! What the overview shows: lists that are read only when something has changed, pictures and clips, open sessions.

use std::fs;
use std::path::Path;
use std::time::Duration;

use burgess_scene::RunOptions;
use burgess_scene::builtin::find;
use burgess_server::Handle;
use burgess_server::session::{Library, Limits, OpenRequest, Sessions, Source};
use serde_json::{Value, json};

use crate::client::{Answer, ask, get, options, post, start};
use crate::runs::{make_run, wait_until};

/// Number of copies of a run: more than the server reads before it responds.
const COPIES: usize = 30;

/// Starts a server with a run and copies of it, and returns the folder, too.
fn server_with_copies() -> (Handle, std::path::PathBuf) {
    let options = options();
    make_run(&options.runs, "one", 1);
    for copy in 0..COPIES {
        copy_run(&options.runs, "one", &format!("copy-{copy}"));
    }
    let folder = options.runs.clone();
    (start(options), folder)
}

fn copy_run(folder: &Path, from: &str, to: &str) {
    fs::copy(folder.join(format!("{from}.burgess")), folder.join(format!("{to}.burgess"))).unwrap();
}

fn names(runs: &Value) -> Vec<&str> {
    runs.as_array().unwrap().iter().map(|run| run["name"].as_str().unwrap()).collect()
}

fn named<'a>(runs: &'a Value, name: &str) -> &'a Value {
    runs.as_array().unwrap().iter().find(|run| run["name"] == name).unwrap()
}

/// Asks again for what a response contained.
fn again(server: &Handle, path: &str, before: &Answer) -> Answer {
    ask(server.address(), "GET", path, &[("If-None-Match", before.header("etag").unwrap())], b"")
}

fn versions(server: &Handle) -> Value {
    get(server.address(), "/api/versions").json()
}

#[test]
fn runs_are_listed_again_only_if_a_file_has_changed() {
    let (server, folder) = server_with_copies();
    let first = get(server.address(), "/api/runs");
    assert_eq!(first.json().as_array().unwrap().len(), COPIES + 1);
    assert!(first.json().as_array().unwrap().iter().all(|run| run["error"].is_null() && run["modified"].is_u64()));
    assert_eq!(again(&server, "/api/runs", &first).status, 304);
    let before = versions(&server);
    assert_eq!(versions(&server)["runs"], before["runs"]);

    copy_run(&folder, "one", "later");
    assert_ne!(versions(&server)["runs"], before["runs"]);
    let second = again(&server, "/api/runs", &first);
    assert_eq!((second.status, second.json().as_array().unwrap().len()), (200, COPIES + 2));
    fs::remove_file(folder.join("later.burgess")).unwrap();
    fs::remove_file(folder.join("copy-3.burgess")).unwrap();
    let third = again(&server, "/api/runs", &second);
    assert_eq!(third.json().as_array().unwrap().len(), COPIES);
    assert!(!names(&third.json()).contains(&"copy-3"));
    // A file that is replaced by another one of the same name is read again.
    fs::write(folder.join("copy-4.burgess"), "not a run any more").unwrap();
    let fourth = again(&server, "/api/runs", &third).json();
    assert_eq!(named(&fourth, "copy-4")["state"], "unreadable");
}

#[test]
fn runs_that_cannot_be_read_are_listed_with_the_reason() {
    let (server, folder) = server_with_copies();
    let whole = fs::read(folder.join("one.burgess")).unwrap();
    fs::write(folder.join("empty.burgess"), "").unwrap();
    fs::write(folder.join("text.burgess"), "this is not a run").unwrap();
    fs::write(folder.join("cut.burgess"), &whole[..whole.len() / 3]).unwrap();
    let mut changed = whole.clone();
    changed[5000..9000].fill(0x5a);
    fs::write(folder.join("changed.burgess"), changed).unwrap();
    fs::write(folder.join("odd:name.burgess"), &whole).unwrap();
    let long = "n".repeat(240);
    fs::write(folder.join(format!("{long}.burgess")), &whole).unwrap();
    // Other files and folders are not runs.
    fs::write(folder.join("notes.txt"), "hello").unwrap();
    fs::write(folder.join(".hidden.burgess"), &whole).unwrap();
    fs::write(folder.join("one.burgess-backup"), &whole).unwrap();
    fs::create_dir(folder.join("folder.burgess")).unwrap();
    let runs = get(server.address(), "/api/runs").json();
    for name in ["empty", "text", "cut", "changed", "odd:name", &long] {
        let run = named(&runs, name);
        let error = run["error"].as_str().unwrap_or_default();
        assert!(run["state"] == "unreadable" && run["task"] == "" && error.len() > 10, "{run}");
        assert!(!error.contains(folder.to_str().unwrap()), "{error}");
    }
    assert_eq!(runs.as_array().unwrap().len(), COPIES + 1 + 6);
    let page = get(server.address(), "/api/run-page?task=&limit=10").json();
    assert_eq!((page["found"].as_u64(), page["total"].as_u64()), (Some(6), Some(COPIES as u64 + 7)));
}

#[test]
fn the_version_changes_until_all_files_are_read() {
    let (server, _) = server_with_copies();
    // As the page asks: again only when the version has changed.
    let ask_page = || get(server.address(), "/api/run-page?limit=1").json();
    let mut page = ask_page();
    wait_until(|| {
        if versions(&server)["runs"] != page["version"] {
            page = ask_page();
        }
        page["unread"] == 0
    });
    assert_eq!(page["total"].as_u64(), Some(COPIES as u64 + 1));
}

#[test]
fn a_page_of_runs_answers_before_all_files_are_read() {
    let (server, _) = server_with_copies();
    let path = "/api/run-page?sort=name&limit=3&search=COPY";
    let first = get(server.address(), path).json();
    assert_eq!(first["unread"].as_u64().unwrap() + first["total"].as_u64().unwrap(), COPIES as u64 + 1, "{first}");
    wait_until(|| get(server.address(), path).json()["unread"] == 0);
    let page = get(server.address(), path);
    assert_eq!(names(&page.json()["runs"]), ["copy-0", "copy-1", "copy-2"]);
    assert_eq!(page.json()["found"], COPIES);
    assert_eq!(page.json()["tasks"], json!({"walk": COPIES}));
    assert_eq!(page.json()["version"], versions(&server)["runs"]);
    assert_eq!(again(&server, path, &page).status, 304);
    assert_eq!(again(&server, "/api/run-page?sort=name&limit=4", &page).status, 200, "another question");
    assert_eq!(get(server.address(), "/api/run-page?sort=colour").status, 400);
    assert_eq!(get(server.address(), "/api/run-page?colour=red").status, 400);
    let beyond = get(server.address(), "/api/run-page?offset=5000").json();
    assert!(beyond["runs"].as_array().unwrap().is_empty() && beyond["found"] == COPIES + 1);
}

#[test]
fn each_start_of_a_server_has_its_own_id() {
    let id = |server: &Handle| get(server.address(), "/api").json()["start"].as_str().unwrap().to_string();
    let (one, other) = (start(options()), start(options()));
    assert_eq!(id(&one), id(&one));
    assert_eq!(versions(&one)["start"], id(&one));
    assert_ne!(id(&one), id(&other));
}

fn request(name: &str) -> OpenRequest {
    OpenRequest { paused: true, ..OpenRequest::of(Source::Scene { name: name.to_string() }) }
}

#[test]
fn sessions_end_when_nobody_has_watched_them_for_the_time_limit() {
    let idle = Duration::from_secs(600);
    let sessions = Sessions::new(Limits { idle: Some(idle), ..Limits::default() });
    let library = Library::new("/nowhere");
    let left = sessions.open(request("pendulum"), &library).unwrap();
    let watched = sessions.open(request("pendulum"), &library).unwrap();
    let scene = find("pendulum").unwrap().spec();
    let own = sessions.open_scene(&scene, "own", &RunOptions::default()).unwrap();
    let viewer = watched.join().unwrap();
    let (begin, moment) = (left.unwatched_since().unwrap(), Duration::from_nanos(1));
    assert_eq!(sessions.end_idle(begin + idle - moment), 0);
    assert_eq!(sessions.end_idle(begin + idle), 1);
    assert!(left.is_over() && sessions.get(left.id()).is_none());
    assert_eq!(sessions.end_idle(begin + 1000 * idle), 0, "somebody watches, or the program opened it");
    drop(viewer);
    let begin = watched.unwatched_since().unwrap();
    assert_eq!(sessions.end_idle(begin + idle - moment), 0, "the time begins when the last viewer leaves");
    assert_eq!(sessions.end_idle(begin + idle), 1);
    assert!(!own.is_over() && sessions.list().len() == 1);

    let lasting = Sessions::new(Limits { idle: None, ..Limits::default() });
    let session = lasting.open(request("pendulum"), &library).unwrap();
    assert_eq!(lasting.end_idle(session.unwatched_since().unwrap() + 1000 * idle), 0);
}

#[test]
fn sessions_are_listed_with_age_and_viewers_and_can_all_be_ended() {
    let server = start(options());
    let before = versions(&server);
    for name in ["pendulum", "stack"] {
        let opened = post(
            server.address(),
            "/api/sessions",
            &json!({"source": {"type": "scene", "name": name}, "paused": true}),
        );
        assert_eq!(opened.status, 201);
    }
    assert_ne!(versions(&server)["sessions"], before["sessions"]);
    let listed = get(server.address(), "/api/sessions").json();
    assert!(listed[0]["age"].as_f64() >= listed[1]["age"].as_f64() && listed[0]["viewers"] == 0, "{listed}");
    assert_eq!(ask(server.address(), "DELETE", "/api/sessions", &[], b"").status, 204);
    assert_eq!(get(server.address(), "/api/sessions").json(), json!([]));
    assert_eq!(versions(&server)["sessions"], before["sessions"]);
}

#[track_caller]
fn assert_picture(server: &Handle, path: &str) -> Answer {
    let answer = get(server.address(), path);
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("image/svg+xml")), "{path}: {answer:?}");
    assert!(answer.body.starts_with(b"<svg") && answer.body.ends_with(b"</svg>\n"), "{path}");
    assert_eq!(again(server, path, &answer).status, 304, "{path}");
    answer
}

/// Number of frames, bodies and poses of a clip.
fn clip_sizes(answer: &Answer) -> (u64, u64, usize) {
    let length = u32::from_le_bytes(answer.body[..4].try_into().unwrap()) as usize;
    let head: Value = serde_json::from_slice(&answer.body[4..4 + length]).unwrap();
    let (frames, bodies) = (head["frames"].as_u64().unwrap(), head["bodies"].as_u64().unwrap());
    (frames, bodies, (answer.body.len() - 4 - length) / 28)
}

#[test]
fn scenes_creatures_and_sessions_have_pictures_and_clips() {
    let server = start(options());
    for path in ["/api/scenes/dominoes", "/api/creatures/walker", "/api/bounce"] {
        assert_picture(&server, &format!("{path}/picture.svg"));
        let clip = get(server.address(), &format!("{path}/clip"));
        let (frames, bodies, poses) = clip_sizes(&clip);
        assert!(frames > 10 && bodies > 1 && poses as u64 == frames * bodies, "{path}: {frames} {bodies} {poses}");
        assert_eq!(get(server.address(), &format!("{path}/clip")).body, clip.body, "{path}");
    }
    for path in ["/api/scenes/nothing", "/api/creatures/stack", "/api/recordings/nothing.bur"] {
        assert_eq!(get(server.address(), &format!("{path}/picture.svg")).status, 404, "{path}");
        assert_eq!(get(server.address(), &format!("{path}/clip")).status, 404, "{path}");
    }
    let source = json!({"type": "scene", "name": "pendulum"});
    let opened = post(server.address(), "/api/sessions", &json!({"source": source, "paused": true})).json();
    let path = format!("/api/sessions/{}/picture.svg", opened["id"].as_str().unwrap());
    let start = assert_picture(&server, &path);
    let session = server.hub().sessions.get(opened["id"].as_str().unwrap()).unwrap();
    let viewer = session.join().unwrap();
    viewer.command(r#"{"do": "step", "steps": 100}"#).unwrap();
    // The picture is that of the current step.
    wait_until(|| get(server.address(), &path).body != start.body);
}

#[test]
fn the_portrait_of_a_champion_is_drawn_once_for_each_version_of_its_file() {
    let (server, folder) = server_with_copies();
    let runs = get(server.address(), "/api/runs").json();
    let champion = named(&runs, "copy-1")["champion"].as_u64().unwrap();
    let path = format!("/api/runs/copy-1/individuals/{champion}/portrait.svg");
    let first = assert_picture(&server, &path);
    make_run(&folder, "other", 2);
    copy_run(&folder, "other", "copy-1");
    assert_ne!(get(server.address(), &path).body, first.body, "the file is another one");
}

#[test]
fn names_in_pictures_are_escaped() {
    let options = options();
    make_run(&options.runs, "<b>&\"", 1);
    let server = start(options);
    let runs = get(server.address(), "/api/runs").json();
    let champion = runs[0]["champion"].as_u64().unwrap();
    let picture = assert_picture(&server, &format!("/api/runs/%3Cb%3E%26%22/individuals/{champion}/portrait.svg"));
    let text = String::from_utf8(picture.body).unwrap();
    assert!(text.contains("of &lt;b&gt;&amp;&quot;</title>") && !text.contains("<b>"), "{}", &text[..400]);
}
