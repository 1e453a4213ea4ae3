//! Sources of sessions: those that can be opened, and those that are refused.

use crate::support::{Folder, TestSession, assert_exact};
use burgess_scene::recording::{FileRecorder, RecordedBodies};
use burgess_scene::{RunOptions, builtin};
use burgess_server::session::{
    ENDED, Format, Library, LibraryError, Limits, OpenError, OpenRequest, SectionKind, Sessions,
};
use serde_json::{Value, json};

#[test]
fn every_built_in_scene_is_shown_and_simulated() {
    for scene in builtin::all() {
        let test = TestSession::scene(scene.name, None);
        let first = test.frame();
        let appearance: Value = serde_json::from_slice(&test.session.appearance()).unwrap();
        assert_eq!(appearance["bodies"].as_array().unwrap().len(), first.bodies(), "{}", scene.name);
        let meshes = appearance["meshes"].as_array().unwrap().len() as u64;
        for shape in appearance["shapes"].as_array().unwrap() {
            assert!(shape["body"].is_null() || shape["body"].as_u64() < Some(first.bodies() as u64));
            assert!(shape["kind"] != "mesh" || shape["mesh"].as_u64() < Some(meshes));
            let quaternion: f64 =
                (3..7).map(|part| shape["pose"][part].as_f64().unwrap()).map(|part| part * part).sum();
            assert!((quaternion - 1.0).abs() < 1e-9, "{}", scene.name);
        }
        let later = test.seek(8);
        assert!(later.flags & ENDED == 0, "{}", scene.name);
        assert_eq!(test.session.about().title, scene.name);
        test.sessions.close_all();
    }
}

#[test]
fn equal_meshes_are_sent_once() {
    let test = TestSession::scene("bowling", None);
    let appearance: Value = serde_json::from_slice(&test.session.appearance()).unwrap();
    let shapes = appearance["shapes"].as_array().unwrap().iter().filter(|shape| shape["kind"] == "mesh").count();
    let meshes = appearance["meshes"].as_array().unwrap().len();
    assert!(meshes <= shapes, "{meshes} meshes for {shapes} shapes");
    let mut known: Vec<&Value> = Vec::new();
    for mesh in appearance["meshes"].as_array().unwrap() {
        assert!(!known.contains(&mesh));
        known.push(mesh);
    }
}

#[test]
fn bounce_is_the_same_with_hashing_and_without() {
    let test = TestSession::open(json!({"source": {"type": "bounce", "objects": 40, "world": 8}}));
    let about = test.session.about();
    assert!(about.overlays.contains(&SectionKind::Tiles));
    test.seek(50);
    let tiles = test.section(SectionKind::Tiles);
    assert!(!tiles.is_empty() && tiles.chunks(5).all(|tile| tile[3] > 0.0 && tile[4] >= 1.0));
    let closest = test.section(SectionKind::Closest);
    assert!(!closest.is_empty() && closest.chunks(10).all(|pair| pair[8] <= 3.0 && pair[9] <= 3.0));
    assert_eq!(test.section(SectionKind::Counters).len(), about.counters.len());
    let hashed = test.seek(200);
    test.seek(60);
    test.command(json!({"do": "hashing", "on": false}));
    test.wait(|frame| frame.epoch == 1);
    assert!(!test.session.about().overlays.contains(&SectionKind::Tiles));
    let unhashed = test.seek(200);
    assert_eq!((hashed.poses, hashed.hash), (unhashed.poses.clone(), unhashed.hash));
    test.seek(30);
    assert_eq!(test.seek(200).poses, unhashed.poses);
    assert_exact(&test);
    let mut test = test;
    test.command(json!({"do": "throw", "from": [0, 0, 0], "velocity": [0, 0, 0], "radius": 1, "density": 1}));
    test.message("refused");
}

/// Records half a second of a scene at 60 frames per second.
pub fn record(folder: &Folder, name: &str) {
    let scene = builtin::find(name).unwrap().spec();
    let mut running = scene.run("", &RunOptions::default()).unwrap();
    let bodies = RecordedBodies::new(&scene, &running.bodies);
    let mut header = bodies.header(60.0, scene.to_toml().unwrap());
    header.statistics = vec!["energy (J)".to_string()];
    let mut file = FileRecorder::create(folder.0.join(format!("{name}.bur")), header).unwrap();
    let mut poses = Vec::new();
    for _ in 0..=30 {
        let energy = running.simulation.energy();
        bodies.poses(running.simulation.world(), &running.simulation.data().workspace, &mut poses);
        file.frame(running.simulation.state().time, &poses, &[energy]).unwrap();
        (0..4).for_each(|_| running.simulation.step().unwrap());
    }
    file.finish().unwrap();
}

#[test]
fn recordings_are_shown_in_any_order() {
    let folder = Folder::new();
    record(&folder, "bouncing-balls");
    let library = Library::new(&folder.0);
    // Databases are never opened as plain files.
    for run in ["walk-1.burgess", "walk-1.burgess-shm", "walk-1.burgess-wal"] {
        std::fs::write(folder.0.join(run), "not a recording").unwrap();
        assert!(library.recording(run).is_err(), "{run}");
    }
    let mut test =
        TestSession::open_in(json!({"source": {"type": "recording", "name": "bouncing-balls.bur"}}), &library);
    let live = TestSession::scene("bouncing-balls", None);
    assert_eq!((test.frame().latest, test.session.about().steps_per_frame), (30, 1));
    for step in [30, 3, 17] {
        let (frame, expected) = (test.seek(step), live.seek(4 * step));
        assert!((frame.time - expected.time).abs() < 1e-12);
        // Positions are recorded in single precision, quaternions to 1e-6.
        let worst = frame.poses.iter().zip(&expected.poses).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(worst < 1e-5, "{worst}");
    }
    assert_eq!(test.section(SectionKind::Counters).len(), 1);
    let [here, there] = [live.session.appearance(), test.session.appearance()];
    assert_eq!(here, there);
    test.command(json!({"do": "grab", "body": 0, "point": [0, 0, 0], "to": [0, 0, 1]}));
    assert!(test.message("refused")["why"].as_str().unwrap().contains("recording"));
    test.command(json!({"do": "play"}));
    let end = test.wait(|frame| frame.step == 30 && frame.flags & ENDED != 0);
    assert_eq!(end.flags & burgess_server::session::PLAYING, 0);
    assert_exact(&test);
    assert!(test.session.export(Format::Gltf).unwrap().bytes.starts_with(b"glTF"));
    assert!(test.session.export(Format::Mjcf).is_err());
}

#[test]
fn a_session_can_be_exported() {
    let test = TestSession::scene("pendulum", None);
    test.seek(40);
    test.command(json!({"do": "throw", "from": [3, 3, 3], "velocity": [0, 0, 0], "radius": 0.1, "density": 500}));
    test.seek(80);
    let gltf = test.session.export(Format::Gltf).unwrap();
    assert!(gltf.bytes.starts_with(b"glTF"));
    assert_eq!((gltf.name.as_str(), gltf.media_type), ("pendulum.glb", "model/gltf-binary"));
    let toml = String::from_utf8(test.session.export(Format::Toml).unwrap().bytes).unwrap();
    assert!(toml.contains("thrown-1"));
    assert!(test.session.export(Format::Mjcf).unwrap().bytes.starts_with(b"<"));
    assert_eq!(Format::from_name("glb"), None);
}

#[test]
fn impossible_sources_are_refused_with_a_message() {
    let sessions = Sessions::default();
    let library = Library::new("/nowhere");
    let refused = |request: Value| {
        let request: OpenRequest = serde_json::from_value(request).unwrap();
        sessions.open(request, &library).err().unwrap()
    };
    let missing = |source: Value| {
        let error = refused(json!({"source": source}));
        assert!(matches!(error, OpenError::Missing(_)), "{error}");
    };
    missing(json!({"type": "scene", "name": "stak"}));
    missing(json!({"type": "creature", "name": "dragon"}));
    missing(json!({"type": "creature", "name": "quadruped", "task": "fly"}));
    missing(json!({"type": "individual", "run": "walk-1"}));
    missing(json!({"type": "recording", "name": "stack.bur"}));
    let stack = json!({"type": "scene", "name": "stack"});
    let senseless = [
        json!({"source": stack, "paradigm": "magic"}),
        json!({"source": stack, "step": 0}),
        json!({"source": stack, "step": -1.0}),
        json!({"source": stack, "step": 7}),
        json!({"source": stack, "keyframe": "nowhere"}),
        json!({"source": {"type": "bounce", "objects": 0}}),
        json!({"source": {"type": "bounce", "objects": 1000000}}),
        json!({"source": {"type": "bounce", "world": -3}}),
        json!({"source": {"type": "bounce", "vertices": 3}}),
        json!({"source": {"type": "bounce", "broad_phase": "best"}}),
        json!({"source": {"type": "bounce"}, "step": 0.001}),
        json!({"source": {"type": "file", "name": "/etc/passwd"}}),
        json!({"source": {"type": "recording", "name": "../stack.bur"}}),
    ];
    for request in senseless {
        let error = refused(request.clone());
        assert!(matches!(error, OpenError::Refused(_)), "{request}: {error}");
    }
    let take = |change: &dyn Fn(&mut Value)| {
        let mut take = json!({"version": 1, "source": stack, "latest": 100, "events": [], "hashes": []});
        change(&mut take);
        let error = refused(json!({"source": {"type": "take", "take": take}}));
        assert!(matches!(error, OpenError::Refused(_)), "{error}");
    };
    take(&|take| take["version"] = 2.into());
    take(&|take| take["hashes"] = json!([[0, "rubbish"]]));
    take(&|take| take["events"] = json!([{"step": 101, "deed": {"do": "release", "hand": 1}}]));
    take(&|take| take["events"] = json!([{"step": 7, "deed": {"do": "change", "friction": -1}}]));
    take(&|take| take["source"] = json!({"type": "file", "name": "mine.toml"}));
    let unknown = serde_json::from_value::<OpenRequest>(json!({"source": stack, "pased": true}));
    assert!(unknown.unwrap_err().to_string().contains("unknown field"));
    assert!(sessions.list().is_empty());
}

#[test]
fn a_take_with_impossible_edits_reports_the_reason() {
    let event =
        json!({"step": 5, "deed": {"do": "grab", "hand": 1, "body": 4000, "point": [0, 0, 0], "to": [0, 0, 0]}});
    let take = json!({"version": 1, "source": {"type": "scene", "name": "stack"}, "latest": 100, "events": [event], "hashes": []});
    let mut test = TestSession::open(json!({"source": {"type": "take", "take": take}}));
    test.command(json!({"do": "seek", "step": 50}));
    let end = test.wait(|frame| frame.flags & ENDED != 0);
    assert_eq!(end.step, 4);
    let status = test.message_where("status", |message| !message["ended"].is_null());
    assert!(status["ended"].as_str().unwrap().contains("there is no body 4000"), "{status}");
}

#[test]
fn the_number_of_sessions_is_limited() {
    let sessions = Sessions::new(Limits { sessions: 2, ..Limits::default() });
    let open = || {
        let request = json!({"source": {"type": "scene", "name": "pendulum"}});
        sessions.open(serde_json::from_value(request).unwrap(), &Library::new("/nowhere"))
    };
    let (first, second) = (open().unwrap(), open().unwrap());
    let watching = first.join().unwrap();
    let third = open().unwrap();
    assert!(second.is_over() && second.join().is_none() && sessions.get(second.id()).is_none());
    let also_watching = third.join().unwrap();
    assert_eq!(open().err(), Some(OpenError::TooMany(2)));
    drop(watching);
    let fourth = open().unwrap();
    assert!(first.is_over());
    let ids: Vec<String> = sessions.list().iter().map(|session| session.id().to_string()).collect();
    assert_eq!(ids, [third.id(), fourth.id()]);
    assert!(
        sessions.close(third.id()) && !sessions.close(third.id()) && !sessions.close("s999") && !sessions.close("x")
    );
    let mut frames = also_watching.frames.clone();
    while frames.has_changed().is_ok() {
        frames.mark_unchanged();
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[test]
fn no_name_leaves_the_folder() {
    let (folder, outside) = (Folder::new(), Folder::new());
    record(&outside, "pendulum");
    std::fs::write(folder.0.join("here.bur"), b"x").unwrap();
    std::os::unix::fs::symlink(outside.0.join("pendulum.bur"), folder.0.join("link.bur")).unwrap();
    std::os::unix::fs::symlink("/nowhere/at/all", folder.0.join("broken.bur")).unwrap();
    std::os::unix::fs::symlink(folder.0.join("here.bur"), folder.0.join("inside.bur")).unwrap();
    std::os::unix::fs::symlink(&outside.0, folder.0.join("folder")).unwrap();
    std::fs::create_dir(folder.0.join("runs")).unwrap();
    let library = Library::new(&folder.0);
    assert!(library.recording("here.bur").is_ok() && library.recording("inside.bur").is_ok());
    assert!(matches!(library.recording("runs"), Err(LibraryError::Missing { .. })));
    assert!(matches!(library.recording("other.bur"), Err(LibraryError::Missing { .. })));
    let outer = outside.0.file_name().unwrap().to_string_lossy().into_owned();
    let tricks = [
        "",
        ".",
        "..",
        "../here.bur",
        "/etc/passwd",
        "runs/../here.bur",
        "a/b",
        "a\\b",
        "here.bur\0",
        "\0",
        ".hidden",
        "link.bur",
        "broken.bur",
        "folder",
        "folder/pendulum.bur",
        "C:here.bur",
        "here.bur/",
        "./here.bur",
        "\n",
        &"x".repeat(300),
        &format!("../{outer}/pendulum.bur"),
    ];
    for name in tricks {
        assert!(matches!(library.recording(name), Err(LibraryError::Name(_))), "{name:?}");
        assert!(library.run(name).is_err() && library.individual(name, None).is_err(), "{name:?}");
    }
}
