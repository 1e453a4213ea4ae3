//! The menu: its layout, rays that meet its panel, pointers that press its items, and its object in frames. The cases of
//! `menu.json` are also those of `web/src/walls/menu.test.ts`, which proves that both implementations agree.

use burgess_walls::frame::NetworkObject;
use burgess_walls::menu::{ItemKind, MenuAction, MenuLayout, MenuPointer, MenuView, Pointing};
use burgess_walls::projection::WallProjection;
use burgess_walls::{Cave, PRESETS};
use glam::{DQuat, DVec2, DVec3};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::{Value, json};

fn vector(random: &mut impl Rng, size: f64) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|_| random.random_range(-size..size)))
}

/// An open menu somewhere in the room.
fn placed(random: &mut impl Rng) -> MenuView {
    let mut view = MenuView::default();
    view.open_towards(vector(random, 2.0), vector(random, 1.0));
    view.scale = random.random_range(0.3..3.0);
    view
}

/// A place of the panel in the room.
fn in_room(view: &MenuView, place: DVec2) -> DVec3 {
    let turn = DQuat::from_array(view.orientation);
    DVec3::from_array(view.position) + turn * (view.scale * place.extend(0.0))
}

fn on_panel(random: &mut impl Rng, layout: &MenuLayout) -> DVec2 {
    let half = 0.5 * DVec2::from_array(layout.size);
    DVec2::new(random.random_range(-half.x..half.x), random.random_range(-half.y..half.y))
}

#[test]
fn items_are_on_the_panel_and_apart() {
    let layout = MenuLayout::default();
    let half = |size: [f64; 2]| 0.5 * DVec2::from_array(size);
    for (index, item) in layout.items.iter().enumerate() {
        let place = DVec2::from_array(item.place);
        let corner = place.abs() + half(item.size);
        assert!(corner.cmple(half(layout.size)).all(), "{} leaves the panel", item.id);
        for other in &layout.items[index + 1..] {
            let gap = (place - DVec2::from_array(other.place)).abs() - half(item.size) - half(other.size);
            assert!(gap.max_element() > 0.0, "{} and {} overlap", item.id, other.id);
            assert_ne!(item.id, other.id);
        }
        let acts = MenuView::default().action(&item.id, 1.0).is_some();
        assert_eq!(acts, item.kind != ItemKind::Label || item.id.starts_with("scene-"), "{}", item.id);
        assert_eq!(item.scale.is_some(), item.kind == ItemKind::Slider, "{}", item.id);
        let Some(scale) = item.scale else { continue };
        for step in 0..=20 {
            let place = 0.05 * f64::from(step);
            assert!((scale.place(scale.value(place)) - place).abs() < 1e-12, "{}", item.id);
        }
    }
}

#[test]
fn a_ray_through_a_place_of_the_panel_meets_it_there() {
    let mut random = Pcg64::seed_from_u64(1);
    let layout = MenuLayout::default();
    for _ in 0..1000 {
        let view = placed(&mut random);
        let place = on_panel(&mut random, &layout);
        let target = in_room(&view, place);
        let towards_user = DQuat::from_array(view.orientation) * DVec3::Z;
        let from = target + random.random_range(0.1..5.0) * (towards_user + 0.5 * vector(&mut random, 1.0)).normalize();
        let along = target - from;
        let is_in_front = along.dot(towards_user) < -1e-6;
        match view.meet(from, along) {
            Some((found, distance)) => {
                assert!(is_in_front);
                // Rays that graze the plane lose digits.
                assert!(found.distance(place) < 1e-8 && (distance - along.length()).abs() < 1e-8, "{found} {place}");
            }
            None => assert!(!is_in_front),
        }
        assert!(view.meet(from, -along).is_none(), "a ray that leaves the panel");
        let closed = MenuView { open: false, ..view };
        assert!(closed.meet(from, along).is_none());
    }
}

#[test]
fn the_menu_is_inside_the_picture_of_its_wall() {
    let layout = MenuLayout::default();
    let mut random = Pcg64::seed_from_u64(2);
    for name in PRESETS {
        let cave = Cave::preset(name).expect("a preset");
        for wall in &cave.walls {
            let head = cave.eye() + vector(&mut random, 0.2);
            let mut view = MenuView::default();
            view.open_before(&wall.rectangle(), head, &layout);
            let seen = WallProjection::new(&wall.rectangle(), head, cave.near, cave.far);
            for corner in [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]] {
                let place = DVec2::from_array(corner) * DVec2::from_array(layout.size);
                let picture = seen.to_picture(in_room(&view, place));
                assert!(picture.x.abs() < 1.0 && picture.y.abs() < 1.0, "{name} {}: {picture}", wall.name);
            }
            // The user sees its front, and its text is upright unless the wall is a floor or ceiling.
            assert!(view.meet(head, DVec3::from_array(view.position) - head).is_some());
            let up = DQuat::from_array(view.orientation) * DVec3::Y;
            assert!(up.z > -1e-9, "{name} {}: {up}", wall.name);
        }
    }
}

fn described(action: Option<MenuAction>) -> Value {
    match action {
        None => Value::Null,
        Some(action) => match action.command() {
            Some(command) => command,
            None => json!(format!("{action:?}")),
        },
    }
}

/// Random rays and presses, and what they do.
fn cases() -> Value {
    let mut random = Pcg64::seed_from_u64(3);
    let layout = MenuLayout::default();
    let rays: Vec<Value> = (0..40)
        .map(|_| {
            let view = placed(&mut random);
            let target = in_room(&view, on_panel(&mut random, &layout));
            let from = vector(&mut random, 3.0);
            let along = target - from;
            let met = view.meet(from, along).map(|(place, distance)| json!([place.x, place.y, distance]));
            json!({"view": view, "from": from.to_array(), "along": along.to_array(), "met": met})
        })
        .collect();
    let mut pointer = MenuPointer::default();
    let mut view = MenuView { open: true, scene: "dominoes".to_string(), ..MenuView::default() };
    let mut place = Some(DVec2::ZERO);
    let mut pressed = false;
    let presses: Vec<Value> = (0..400)
        .map(|_| {
            if random.random_bool(0.6) {
                // Mostly the middle of some item, or near it.
                let item = &layout.items[random.random_range(0..layout.items.len())];
                let shift = DVec2::new(random.random_range(-0.1..0.1), random.random_range(-0.02..0.02));
                place = Some(DVec2::from_array(item.place) + shift).filter(|_| random.random_bool(0.95));
            }
            if random.random_bool(0.5) {
                pressed = !pressed;
            }
            let action = pointer.update(&layout, &view, Pointing { place, pressed });
            match &action {
                Some(MenuAction::Play(on)) => view.playing = *on,
                Some(MenuAction::Body(on)) => view.body = *on,
                Some(MenuAction::Hand(hand)) => view.hand = *hand,
                _ => {}
            }
            let pointed = pointer.pointed().map(|pointed| json!(pointed));
            json!({
                "place": place.map(|place| place.to_array()), "pressed": pressed, "does": described(action),
                "holds": pointer.holds(), "pointed": pointed,
            })
        })
        .collect();
    json!({"layout": layout, "rays": rays, "presses": presses})
}

#[test]
fn the_cases_for_the_page_are_current() {
    let text = format!("{}\n", cases());
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/menu.json");
    if std::env::var_os("BURGESS_GENERATE").is_some() {
        std::fs::write(file, &text).expect("written");
    }
    let found = std::fs::read_to_string(file).expect("the cases");
    assert!(found == text, "run BURGESS_GENERATE=1 cargo test -p burgess-walls menu");
    let cases = cases();
    let presses = cases["presses"].as_array().expect("presses");
    let does = |text: &str| presses.iter().any(|press| press["does"].to_string().contains(text));
    for text in ["play", "pause", "restart", "speed", "gravity", "Hand(", "Body(", "Scene(", "Close"] {
        assert!(does(text), "no case does {text}");
    }
}

#[test]
fn a_button_acts_once_and_a_slider_follows_until_it_is_let_go() {
    let layout = MenuLayout::default();
    let view = MenuView { open: true, ..MenuView::default() };
    let mut pointer = MenuPointer::default();
    let at = |id: &str, shift: f64| {
        Some(DVec2::from_array(layout.item(id).expect("an item").place) + DVec2::new(shift, 0.0))
    };
    let mut update = |place, pressed| pointer.update(&layout, &view, Pointing { place, pressed });
    assert_eq!(update(at("restart", 0.0), false), None);
    assert_eq!(update(at("restart", 0.0), true), Some(MenuAction::Restart));
    assert_eq!(update(at("restart", 0.01), true), None);
    // Moving onto another button with the trigger down does not press it.
    assert_eq!(update(at("play", 0.0), true), None);
    assert_eq!(update(at("play", 0.0), false), None);
    // Gravity is set when the slider is let go, also beside it.
    assert_eq!(update(at("gravity", 0.0), true), None);
    assert_eq!(update(at("gravity", 5.0), true), None);
    assert_eq!(update(at("play", 5.0), false), Some(MenuAction::Gravity(2.0)));
    assert_eq!(update(at("speed", 0.0), true), Some(MenuAction::Speed(1.0)));
    assert_eq!(update(None, true), None);
    assert_eq!(update(at("speed", -5.0), true), Some(MenuAction::Speed(0.1)));
    assert_eq!(update(at("speed", -5.0), false), None);
}

#[test]
fn the_menu_travels_in_frames() {
    let mut random = Pcg64::seed_from_u64(4);
    let view = MenuView { scene: "two\nlines \"quoted\"".to_string(), ..placed(&mut random) };
    let part = view.part();
    let mut taken = MenuView::default();
    taken.take(&part.bytes).expect("a menu");
    assert_eq!(taken, view);
    for length in 0..part.bytes.len() {
        assert!(taken.take(&part.bytes[..length]).is_err());
        assert_eq!(taken, view, "a refused object changes nothing");
    }
}
