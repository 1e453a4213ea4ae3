//! Vortex tubes on walls.

use burgess_flow::grid::Grid;
use burgess_flow::tubes::{HistoryHeader, StepEntry, StoredPoint, StoredStep, StoredTube, encode_step, write_history};
use burgess_server::Server;
use burgess_walls::CaveText;
use burgess_walls::frame::NetworkObject;
use burgess_walls::menu::MenuView;
use burgess_walls::tubes::Tubes;
use glam::DVec3;
use serde_json::json;

use crate::client::viewer::block_on;
use crate::client::wall::Wall;
use crate::client::{get, options, own_folder, post};

/// Steps with no tube and with one tube of two points, in a box of 4 units.
fn steps() -> ([StoredStep; 2], Grid) {
    let grid = Grid::periodic([8; 3], DVec3::ZERO, 0.5).expect("a grid");
    let point = |x: f64| StoredPoint {
        position: DVec3::new(x, 1.0, 2.0),
        normal: DVec3::Z,
        terms: [0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        quantities: [0.5, -0.1, 0.2, 3.0],
    };
    let tube = StoredTube { track: 0, turns: None, points: vec![point(1.0), point(2.0)] };
    ([StoredStep::default(), StoredStep { tubes: vec![tube] }], grid)
}

fn history() -> Vec<u8> {
    let (steps, grid) = steps();
    let blocks: Vec<Vec<u8>> = steps.iter().map(|step| encode_step(step, grid.extent())).collect();
    let entry = |time: f64, tubes: u32| StepEntry { time, offset: 0, bytes: 0, checksum: 0, tubes, points: 2 * tubes };
    let header = HistoryHeader {
        flow: "test".to_string(),
        grid,
        wall: false,
        wind: [0.0; 3],
        velocity_bytes: 0,
        core_error: 0.0,
        radius_error: 0.0,
        ranges: [[0.25, 0.75], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]],
        steps: vec![entry(0.0, 0), entry(1.0, 1)],
        tracks: Vec::new(),
        events: Vec::new(),
        links: vec![Vec::new()],
    };
    write_history(header, &blocks).expect("a history")
}

#[test]
fn all_steps_of_a_flow_reach_the_walls_and_the_menu_stops_them() {
    let folder = own_folder();
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("test.tubes");
    std::fs::write(&file, history()).expect("written");
    let server = Server::bind(options()).expect("a free port");
    let id = server.hub().flows.open(&file).expect("a flow");
    let server = server.run_in_background().expect("threads");
    let refused = post(server.address(), "/api/cave/flow", &json!({"flow": id}));
    assert!(refused.error().contains("there is no cave"), "{refused:?}");
    server.hub().walls.open(CaveText::preset("two").expect("a preset"), folder.join("cave.toml"));
    let refused = post(server.address(), "/api/cave/flow", &json!({"flow": "f9"}));
    assert!(refused.error().contains("there is no flow 'f9'"), "{refused:?}");
    assert_eq!(post(server.address(), "/api/cave/flow", &json!({"flow": id})).status, 204);
    let status = get(server.address(), "/api/cave").json();
    assert_eq!((status["flow"].as_str(), status["session"].as_str()), (Some("test.tubes"), None));
    let (steps, grid) = steps();
    let expected = steps.map(|step| step.plain_bytes(grid.extent()).len());
    block_on(async {
        let mut wall = Wall::connect(server.address(), "left", "version=1").await;
        let welcome = wall.message_where(|message| message["say"] == "welcome").await;
        assert_eq!(welcome["flow"], "test.tubes");
        let mut seen = [false; 2];
        while seen != [true; 2] {
            wall.obey().await;
            let Some(part) = wall.frame.as_ref().and_then(|frame| frame.part("tubes")) else { continue };
            let mut tubes = Tubes::default();
            tubes.take(&part.bytes).expect("tubes");
            assert_eq!((tubes.scale, tubes.range), (0.6, [0.25, 0.75]), "2.4 m for 4 units");
            let step = expected.iter().position(|length| *length == tubes.step.len()).expect("a step");
            seen[step] = true;
        }
        // The menu pauses the flow.
        wall.command(json!({"do": "menu", "open": true})).await;
        let place = burgess_walls::menu::MenuLayout::default().item("play").expect("an item").place;
        wall.command(json!({"do": "point", "place": place, "pressed": true})).await;
        loop {
            wall.obey().await;
            let Some(part) = wall.frame.as_ref().and_then(|frame| frame.part("menu")) else { continue };
            let mut menu = MenuView::default();
            menu.take(&part.bytes).expect("a menu");
            if menu.open && !menu.playing {
                break;
            }
        }
    });
}
