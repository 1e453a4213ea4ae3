//! Shared pages: one HTML file with the motion of a session.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use burgess_server::{IS_BUILT, MAX_SHARED_BYTES};
use serde_json::{Value, json};

use crate::client::{Answer, get, options, post, start};
use crate::support::TestSession;

/// The clip in a page: its head, and the floats of its poses.
fn clip_in(page: &Answer) -> (Value, Vec<f32>) {
    let text = std::str::from_utf8(&page.body).unwrap();
    let data = text.split("id=\"recording\">").nth(1).unwrap().split("</script>").next().unwrap();
    let bytes = STANDARD.decode(data).unwrap();
    let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    let head = serde_json::from_slice(&bytes[4..4 + length]).unwrap();
    let poses = bytes[4 + length..].chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap()));
    (head, poses.collect())
}

#[test]
fn a_shared_page_has_the_poses_of_the_session_bit_for_bit() {
    if !IS_BUILT {
        return;
    }
    let server = start(options());
    let source = json!({"type": "creature", "name": "quadruped"});
    let opened = post(server.address(), "/api/sessions", &json!({"source": source, "paused": true})).json();
    let id = opened["id"].as_str().unwrap();
    let session = server.hub().sessions.get(id).unwrap();
    let test = TestSession::of(server.hub().sessions.clone(), session);
    // A thrown ball changes the world while it is shown.
    test.seek(40);
    test.command(json!({"do": "throw", "from": [3, 3, 2], "velocity": [-1, 0, 0], "radius": 0.1, "density": 1000}));
    test.wait(|frame| frame.epoch > 0);
    let path = format!("/api/sessions/{id}/export?to=html&seconds=1");
    let page = get(server.address(), &path);
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")), "{:?}", page.head);
    assert!(page.header("content-disposition").unwrap().contains("quadruped"), "{}", page.head);
    assert!(page.body.len() <= MAX_SHARED_BYTES);
    let (head, poses) = clip_in(&page);
    let (frames, bodies) = (head["frames"].as_u64().unwrap() as usize, head["bodies"].as_u64().unwrap() as usize);
    let per_frame = opened["steps_per_frame"].as_u64().unwrap();
    let step = opened["step"].as_f64().unwrap();
    assert_eq!(
        (poses.len(), frames as u64),
        (7 * frames * bodies, (1.0 / (step * per_frame as f64)).round() as u64 + 1)
    );
    for frame in [0, 5, 20, frames - 1] {
        let shown = test.seek(frame as u64 * per_frame);
        let recorded = &poses[7 * bodies * frame..7 * bodies * (frame + 1)];
        assert_eq!(&recorded[..shown.poses.len()], &shown.poses[..], "frame {frame}");
    }
}

#[test]
fn the_length_of_a_page_is_checked() {
    if !IS_BUILT {
        return;
    }
    let server = start(options());
    let source = json!({"type": "scene", "name": "dominoes"});
    let opened = post(server.address(), "/api/sessions", &json!({"source": source, "paused": true})).json();
    let export = |query: &str| {
        get(server.address(), &format!("/api/sessions/{}/export?{query}", opened["id"].as_str().unwrap()))
    };
    for query in ["to=html&seconds=-1", "to=html&seconds=1e9", "to=html&seconds=NaN", "to=gltf&seconds=1", "to=pdf"] {
        assert_eq!(export(query).status, 400, "{query}");
    }
    // A page that would be too large has fewer frames per second, and says so if even that is not enough.
    let short = export("to=html&seconds=0");
    assert_eq!(clip_in(&short).0["frames"], 1);
    let refused = export("to=html&seconds=3600");
    assert!(refused.status == 400 && refused.error().contains("shorter time"), "{refused:?}");
}
