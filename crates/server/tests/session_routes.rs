//! The routes of sessions.

use crate::client::viewer::{block_on, connect};
use crate::client::{ask, get, options, post, start};
use serde_json::json;

#[test]
fn all_routes_of_a_session_answer() {
    let server = start(options());
    let address = server.address();
    let opened = post(address, "/api/sessions", &json!({"source": {"type": "scene", "name": "stack"}, "paused": true}));
    assert_eq!(opened.status, 201, "{opened:?}");
    let session = opened.json();
    assert_eq!((&session["id"], &session["kind"], &session["title"]), (&json!("s1"), &json!("scene"), &json!("stack")));
    assert_eq!(get(address, "/api/sessions/s1").json()["source"], json!({"type": "scene", "name": "stack"}));
    assert_eq!(get(address, "/api/sessions").json().as_array().map(Vec::len), Some(1));
    let appearance = get(address, "/api/sessions/s1/appearance").json();
    assert!(appearance["bodies"].as_array().is_some_and(|bodies| !bodies.is_empty()), "{appearance}");
    let take = get(address, "/api/sessions/s1/take").json();
    let again = post(address, "/api/sessions", &json!({"source": {"type": "take", "take": take}}));
    assert_eq!(again.status, 201, "{again:?}");
    assert_eq!(get(address, "/api/sessions/s1/brain").status, 404);
    for to in ["gltf", "mjcf", "toml"] {
        let file = get(address, &format!("/api/sessions/s1/export?to={to}"));
        assert_eq!(file.status, 200, "{to}: {file:?}");
        assert!(
            file.header("content-disposition").is_some_and(|name| name.starts_with("attachment; filename=\"stack"))
        );
        assert!(!file.body.is_empty());
    }
    assert!(get(address, "/api/sessions/s1/export?to=exe").error().contains("gltf"));
    assert_eq!(get(address, "/api/sessions/s1/export").status, 400);
    assert_eq!(get(address, "/api/sessions/s1/socket").status, 400, "the route needs a WebSocket");
    assert_eq!(ask(address, "DELETE", "/api/sessions/s1", &[], b"").status, 204);
    assert_eq!(get(address, "/api/sessions/s1/appearance").status, 404);
}

#[test]
fn missing_sources_are_reported() {
    let server = start(options());
    let missing = post(server.address(), "/api/sessions", &json!({"source": {"type": "scene", "name": "stak"}}));
    assert_eq!(missing.status, 404);
    assert!(missing.error().contains("stak"), "{missing:?}");
    let missing = post(server.address(), "/api/sessions", &json!({"source": {"type": "individual", "run": "none"}}));
    assert_eq!(missing.status, 404, "{missing:?}");
    let bad = post(server.address(), "/api/sessions", &json!({"source": {"type": "opera"}}));
    assert!((400..500).contains(&bad.status) && bad.error().contains("opera"), "{bad:?}");
}

#[test]
fn the_catalogue_lists_scenes_creatures_tasks_and_recordings() {
    let options = options();
    std::fs::create_dir_all(&options.runs).expect("a folder");
    std::fs::write(options.runs.join("one.bur"), b"BURGESSR and more").expect("a file");
    std::fs::write(options.runs.join("two.txt"), b"something else").expect("a file");
    let server = start(options);
    for list in ["scenes", "creatures", "tasks"] {
        let found = get(server.address(), &format!("/api/{list}")).json();
        let entries = found.as_array().expect("a list");
        assert!(!entries.is_empty() && entries.iter().all(|entry| entry["name"].is_string()), "{found}");
    }
    assert_eq!(get(server.address(), "/api/recordings").json(), json!([{"name": "one.bur", "bytes": 17}]));
}

#[test]
fn a_creature_shows_its_brain() {
    let server = start(options());
    let creature = get(server.address(), "/api/creatures").json()[0]["name"].clone();
    let opened = post(server.address(), "/api/sessions", &json!({"source": {"type": "creature", "name": creature}}));
    assert_eq!(opened.status, 201, "{opened:?}");
    let brain = get(server.address(), "/api/sessions/s1/brain").json();
    assert!(brain["neurons"].is_array() && brain["spectra"].is_array(), "{brain}");
    block_on(async {
        let mut viewer = connect(server.address(), "s1").await;
        assert!(viewer.frame().await.is_some());
    });
}
