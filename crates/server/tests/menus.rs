//! Menus on walls, and the body of the user: every press is a command to the session, and sessions replay exactly.

use burgess_server::session::{Frame, SectionKind, Session};
use burgess_server::{Handle, Server};
use burgess_walls::CaveText;
use burgess_walls::frame::NetworkObject;
use burgess_walls::menu::{HandMode, ItemKind, MenuLayout, MenuView};
use glam::{DQuat, DVec2, DVec3};
use serde_json::{Value, json};

use crate::client::viewer::block_on;
use crate::client::wall::Wall;
use crate::client::{get, options, own_folder, post};
use crate::support::{TestSession, assert_exact};

const VERSION: &str = "version=1";

/// A server whose walls show a paused scene on the preset `two`.
fn with_walls(scene: &str, more: &str) -> Handle {
    let server = Server::bind(options()).expect("a free port");
    let text = CaveText::preset("two").expect("a preset").text.replace("0.0333", "0.05");
    let folder = own_folder();
    std::fs::create_dir_all(&folder).expect("a folder");
    let text = CaveText::read(format!("{more}\n{text}"), "two.toml").expect("a cave");
    server.hub().walls.open(text, folder.join("cave.toml"));
    let request = json!({"source": {"type": "scene", "name": scene}, "paused": true});
    let session = serde_json::from_value(request).expect("a request");
    let session = server.hub().sessions.open(session, &server.hub().library).expect("a session");
    server.hub().walls.show(session).expect("shown");
    server.run_in_background().expect("threads")
}

/// A wall, and the menu of its last frames.
struct Seen {
    wall: Wall,
    menu: MenuView,
}

impl Seen {
    async fn connect(server: &Handle) -> Self {
        let wall = Wall::connect(server.address(), "left", VERSION).await;
        Self { wall, menu: MenuView::default() }
    }

    /// Handles what arrives until the menu fulfils a condition.
    async fn until(&mut self, fits: impl Fn(&MenuView) -> bool) {
        loop {
            self.wall.obey().await;
            let Some(frame) = &self.wall.frame else { continue };
            if let Some(part) = frame.part("menu") {
                self.menu.take(&part.bytes).expect("a menu");
            }
            if fits(&self.menu) {
                return;
            }
        }
    }

    async fn point(&mut self, place: Option<DVec2>, pressed: bool) {
        self.wall
            .command(json!({"do": "point", "place": place.map(|place| place.to_array()), "pressed": pressed}))
            .await;
    }

    /// Presses an item of the menu and lets it go, `shift` m to the right of its middle.
    async fn press(&mut self, id: &str, shift: f64) {
        let place = place_of(id) + DVec2::new(shift, 0.0);
        self.point(Some(place), false).await;
        self.point(Some(place), true).await;
        self.point(Some(place), false).await;
    }
}

fn place_of(id: &str) -> DVec2 {
    DVec2::from_array(MenuLayout::default().item(id).expect("an item").place)
}

fn kinds(session: &Session) -> Vec<String> {
    let take = serde_json::to_value(session.take()).expect("a take");
    let events = take["events"].as_array().expect("events").iter();
    events.map(|event| event["deed"]["do"].as_str().expect("a kind").to_string()).collect()
}

#[test]
fn a_wall_opens_the_menu_and_presses_its_items() {
    let server = with_walls("stack", "");
    let session = server.hub().sessions.get("s1").expect("a session");
    block_on(async {
        let mut seen = Seen::connect(&server).await;
        seen.until(|menu| !menu.scene.is_empty() && !menu.open && !menu.playing).await;
        assert!((seen.menu.gravity - 1.0).abs() < 1e-9 && seen.menu.speed == 1.0, "{:?}", seen.menu);
        // While it is closed, nothing is pressed.
        seen.press("play", 0.0).await;
        seen.wall.command(json!({"do": "menu", "open": true})).await;
        seen.until(|menu| menu.open).await;
        assert!(!seen.menu.playing && seen.menu.position[0] < 0.0, "in front of the left wall: {:?}", seen.menu);
        seen.press("play", 0.0).await;
        seen.until(|menu| menu.playing).await;
        seen.press("play", 0.0).await;
        seen.until(|menu| !menu.playing).await;
        seen.press("speed", 0.14).await;
        // A quarter of the slider to the right of its middle: the root of ten.
        seen.until(|menu| (menu.speed - 10.0_f64.sqrt()).abs() < 1e-9).await;
        seen.press("hand-throw", 0.0).await;
        seen.until(|menu| menu.hand == HandMode::Throw).await;
        seen.press("gravity", -5.0).await;
        seen.press("gravity", -0.14).await;
        seen.until(|menu| (menu.gravity - 0.5).abs() < 1e-9).await;
        assert_eq!(kinds(&session), ["change"]);
        // Pointing is seen on all walls.
        seen.point(Some(place_of("scene-dominoes")), false).await;
        seen.until(|menu| menu.pointed.iter().any(|pointed| pointed.item == "scene-dominoes")).await;
        seen.press("close", 0.0).await;
        seen.until(|menu| !menu.open && menu.pointed.is_empty()).await;
    });
}

#[test]
fn every_scene_and_creature_of_the_menu_is_built_in() {
    let names: Vec<String> = burgess_scene::builtin::all().iter().map(|scene| scene.name.to_string()).collect();
    let items = MenuLayout::default().items.into_iter().filter(|item| item.kind != ItemKind::Label);
    let scenes: Vec<String> = items.filter_map(|item| Some(item.id.strip_prefix("scene-")?.to_string())).collect();
    assert_eq!(scenes.len(), 8);
    for name in scenes.iter().filter(|name| !names.contains(name)) {
        TestSession::open(json!({"source": {"type": "creature", "name": name}}));
    }
}

#[test]
fn a_scene_that_is_chosen_in_the_menu_appears_on_the_walls() {
    let server = with_walls("stack", "");
    block_on(async {
        let mut seen = Seen::connect(&server).await;
        seen.wall.command(json!({"do": "menu", "open": true})).await;
        seen.until(|menu| menu.open).await;
        seen.press("scene-dominoes", 0.0).await;
        seen.wall.message_where(|message| message["say"] == "restart").await;
    });
    let status = get(server.address(), "/api/cave").json();
    let id = status["session"].as_str().expect("a session").to_string();
    assert_ne!(id, "s1");
    let about = get(server.address(), &format!("/api/sessions/{id}")).json();
    assert_eq!(about["title"], "dominoes");
}

/// A report of a hand that points from a place of the room to another.
fn pointing(from: DVec3, to: DVec3, more: Value) -> Value {
    let orientation = DQuat::from_rotation_arc(DVec3::Y, (to - from).normalize());
    let mut hand = json!({"position": from.to_array(), "orientation": orientation.to_array()});
    for (name, value) in more.as_object().expect("fields") {
        hand[name] = value.clone();
    }
    json!({"hands": [hand]})
}

#[test]
fn a_wand_opens_the_menu_and_throws_what_it_holds() {
    let server = with_walls("stack", "start = { position = [0, -2, 0], heading = 0 }");
    let session = server.hub().sessions.get("s1").expect("a session");
    let track = |report: Value| assert_eq!(post(server.address(), "/api/cave/tracking", &report).status, 204);
    let in_room = |menu: &MenuView, id: &str| {
        let turn = DQuat::from_array(menu.orientation);
        DVec3::from_array(menu.position) + turn * (menu.scale * place_of(id).extend(0.0))
    };
    block_on(async {
        let mut seen = Seen::connect(&server).await;
        let hand = DVec3::new(0.2, 0.1, 1.2);
        track(pointing(hand, hand + DVec3::Y, json!({"menu": true})));
        seen.until(|menu| menu.open).await;
        for id in ["hand-push", "hand-throw"] {
            let target = in_room(&seen.menu, id);
            track(pointing(hand, target, json!({})));
            track(pointing(hand, target, json!({"grab": true})));
            seen.until(|menu| menu.hand == if id == "hand-push" { HandMode::Push } else { HandMode::Throw }).await;
            track(pointing(hand, target, json!({})));
            assert!(kinds(&session).is_empty(), "the trigger belongs to the menu");
        }
        track(pointing(hand, hand + DVec3::Y, json!({"menu": true})));
        seen.until(|menu| !menu.open).await;
        // The stack is 2 m in front of the room's origin.
        let (from, target) = (DVec3::new(0.0, 1.0, 0.2), DVec3::new(0.0, 2.0, 0.2));
        track(pointing(from, target, json!({"grab": true})));
        while !kinds(&session).contains(&"grab".to_string()) {
            seen.wall.obey().await;
        }
        track(pointing(from + DVec3::Z, target, json!({"grab": true})));
        track(pointing(from + DVec3::Z, target, json!({})));
        while !kinds(&session).contains(&"push".to_string()) {
            seen.wall.obey().await;
        }
        let found = kinds(&session);
        assert_eq!(found, ["grab", "drag", "release", "push"], "a throw is a release and a push");
    });
}

#[test]
fn a_session_with_menus_replays_to_the_same_hash() {
    let server = with_walls("stack", "");
    let session = server.hub().sessions.get("s1").expect("a session");
    let last = 240;
    let step = |session: &Session| Frame::decode(&session.frame()).expect("a frame").step;
    block_on(async {
        let mut seen = Seen::connect(&server).await;
        seen.wall.command(json!({"do": "menu", "open": true})).await;
        seen.until(|menu| menu.open).await;
        for (at, item, shift) in [(40, "gravity", 0.2), (100, "gravity", -0.1)] {
            seen.wall.command(json!({"do": "seek", "step": at})).await;
            while step(&session) != at {
                seen.wall.obey().await;
            }
            let before = kinds(&session).len();
            seen.press(item, shift).await;
            while kinds(&session).len() == before {
                seen.wall.obey().await;
            }
        }
        seen.wall.command(json!({"do": "seek", "step": last})).await;
        while step(&session) != last {
            seen.wall.obey().await;
        }
    });
    let hash = Frame::decode(&session.frame()).expect("a frame").hash;
    let take = session.take();
    assert_eq!(take.events.iter().map(|event| event.step).collect::<Vec<_>>(), [40, 100]);
    let take = serde_json::to_value(take).expect("a take");
    let replay = TestSession::open(json!({"source": {"type": "take", "take": take}}));
    assert_eq!(replay.seek(last).hash, hash);
    assert_exact(&replay);
}

#[test]
fn the_body_of_the_user_follows_the_head() {
    let server = with_walls("stack", "body = true\nstart = { position = [0, -3, 0], heading = 0 }");
    let session = server.hub().sessions.get("s1").expect("a session");
    let feet = || {
        let take = serde_json::to_value(session.take()).expect("a take");
        let events = take["events"].as_array().expect("events").clone();
        events.into_iter().map(|event| event["deed"].clone()).collect::<Vec<_>>()
    };
    block_on(async {
        let mut seen = Seen::connect(&server).await;
        seen.until(|menu| menu.body).await;
        while feet().is_empty() {
            seen.wall.obey().await;
        }
        assert_eq!(feet()[0]["foot"], json!([0.0, -3.0, 0.0]), "{:?}", feet());
        let head = json!({"head": {"position": [0.5, 0.2, 1.65]}});
        assert_eq!(post(server.address(), "/api/cave/tracking", &head).status, 204);
        seen.wall.command(json!({"do": "play"})).await;
        while feet().iter().all(|deed| deed["foot"] != json!([0.5, -2.8, 0.0])) {
            seen.wall.obey().await;
        }
        assert_eq!(post(server.address(), "/api/cave/body", &json!({"on": false})).status, 204);
        seen.until(|menu| !menu.body).await;
        while feet().last().is_none_or(|deed| deed["do"] != "release") {
            seen.wall.obey().await;
        }
    });
}

#[test]
fn people_who_walk_have_legs_on_walls() {
    let server = with_walls("crossing", "");
    let session = server.hub().sessions.get("s1").expect("a session");
    block_on(async {
        let mut seen = Seen::connect(&server).await;
        loop {
            let frame = Frame::decode(&session.frame()).expect("a frame");
            let figures = frame.sections.iter().find(|section| section.kind == SectionKind::Figures);
            if figures.is_some_and(|section| section.numbers.len() >= SectionKind::Figures.floats()) {
                break;
            }
            seen.wall.obey().await;
        }
    });
}
