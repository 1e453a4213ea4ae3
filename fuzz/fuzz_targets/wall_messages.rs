//! Any bytes as what walls and trackers send and receive: messages, frames, objects, reports, cave files, and any order of
//! reports to the frame lock. Values or a sentence, and what is accepted keeps its meaning.
#![no_main]

use std::time::Duration;

use burgess_walls::frame::{NetworkObject, WallFrame};
use burgess_walls::menu::{MenuLayout, MenuPointer, MenuView};
use burgess_walls::message::{Received, WallCommand};
use burgess_walls::objects::{Room, User};
use burgess_walls::tracking::{CalibrationPoint, Tracking, calibrate};
use burgess_walls::{Cave, CaveText, FrameLock, LockMode, LockSettings};
use glam::DVec3;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(frame) = WallFrame::decode(bytes) {
        // Times may be NaN, which differs from itself, so that bytes are compared.
        let again = WallFrame::decode(&frame.encode()).expect("an encoded frame");
        assert_eq!(again.encode(), frame.encode());
        for part in &frame.parts {
            take_objects(&part.bytes);
        }
    }
    take_objects(bytes);
    let _ = Tracking::from_opentrack(bytes);
    drive_lock(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        take_text(text);
    }
});

fn take_objects(bytes: &[u8]) {
    same_bytes(Room::default(), bytes);
    same_bytes(User::default(), bytes);
    let mut menu = MenuView::default();
    if menu.take(bytes).is_ok() {
        let _ = menu.meet(DVec3::ZERO, DVec3::Y);
        let mut again = MenuView::default();
        again.take(&menu.part().bytes).expect("an encoded menu");
    }
}

/// An object that takes bytes gives the same bytes.
fn same_bytes(mut object: impl NetworkObject, bytes: &[u8]) {
    if object.take(bytes).is_ok() {
        let mut given = object.part().bytes;
        // A hand grabs or does not: any other number counts as 1.
        let words = bytes.chunks(8).zip(given.chunks_mut(8)).skip(7);
        words.for_each(|(from, to)| {
            if to == 1.0_f64.to_le_bytes() {
                to.copy_from_slice(from);
            }
        });
        assert_eq!(given, bytes);
    }
}

fn take_text(text: &str) {
    let layout = MenuLayout::default();
    let view = MenuView { open: true, ..MenuView::default() };
    let mut pointer = MenuPointer::default();
    for line in text.lines() {
        if let Ok(Received::Wall(command)) = WallCommand::parse(line)
            && let Some(pointing) = command.pointing()
        {
            let _ = pointer.update(&layout, &view, pointing);
            let _ = pointer.pointed();
        }
    }
    if let Ok(cave) = Cave::read(text, "fuzz.toml") {
        let file = CaveText::read(text.to_string(), "fuzz.toml").expect("a cave");
        let moved = file.with_corners(&cave.walls[0].name, [[0.0, 0.0], [0.9, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        assert_eq!(moved.expect("corners").cave.walls.len(), cave.walls.len());
    }
    if let Ok(tracking) = serde_json::from_str::<Tracking>(text)
        && tracking.check().is_ok()
    {
        let cave = Cave::preset("cube").expect("a preset");
        tracking.apply(&cave, &mut User::default());
    }
    if let Ok(points) = serde_json::from_str::<[CalibrationPoint; 3]>(text) {
        let _ = calibrate(&points);
    }
}

/// Each byte is something that a window does, or time that passes. Orders only concern windows that are there.
fn drive_lock(bytes: &[u8]) {
    for mode in [LockMode::Commit, LockMode::Timed] {
        let mut lock = FrameLock::new(LockSettings { period: Duration::from_millis(16), mode });
        let (mut now, mut orders) = (Duration::ZERO, Vec::new());
        for byte in bytes.iter().take(512) {
            let (wall, frame) = (u32::from(byte >> 6), lock.frame().wrapping_sub(u64::from(byte & 1)));
            match (byte >> 2) & 7 {
                0 => lock.join(wall, now, &mut orders),
                1 => lock.leave(wall, now, &mut orders),
                2 | 3 => drop(lock.ready(wall, frame, now, &mut orders)),
                4 | 5 => drop(lock.shown(wall, frame, now, &mut orders)),
                _ => {
                    now += Duration::from_millis(1 + 3 * u64::from(byte & 3));
                    lock.advance(now, &mut orders);
                }
            }
            orders.clear();
            let _ = lock.next_wake();
        }
        assert!(lock.reports().count() <= 4);
    }
}
