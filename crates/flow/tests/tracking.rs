//! Events of tubes whose lives are known.

use burgess_flow::grid::Grid;
use burgess_flow::track::{End, Event, EventKind, Origin, Tracker};
use burgess_flow::tubes::{CorePoint, Section, Tube};
use glam::DVec3;

fn grid() -> Grid {
    Grid::periodic([40; 3], DVec3::ZERO, 0.25).unwrap()
}

/// A straight tube along x from one place to another.
fn tube(from: f64, to: f64, y: f64, z: f64, velocity: DVec3) -> Tube {
    let count = ((to - from) / 0.125) as usize;
    let point = |number: usize| CorePoint {
        position: DVec3::new(from + (to - from) * number as f64 / count as f64, y, z),
        tangent: DVec3::X,
        normal: DVec3::Y,
        velocity,
        quantities: [0.0; 4],
        section: Section::from_radii(&[0.5; 16]),
    };
    Tube { points: (0..=count).map(point).collect(), closure: None }
}

fn kinds(events: &[Event]) -> Vec<(u32, EventKind, usize, usize)> {
    events.iter().map(|event| (event.step, event.kind, event.from.len(), event.to.len())).collect()
}

/// Tubes that move two radii per step, through a face of the box, go on because they move with the flow.
#[test]
fn moving_tubes_go_on() {
    let mut tracker = Tracker::new(grid());
    for step in 0..20 {
        let height = 1.0 * f64::from(step);
        let wrapped = height - 10.0 * libm::floor(height / 10.0);
        let up = DVec3::new(0.0, 0.0, 1.0);
        let tubes = vec![tube(2.0, 8.0, 3.0, wrapped, up), tube(2.0, 8.0, 7.0, 9.9 - wrapped, -up)];
        let tracked = tracker.add(f64::from(step), tubes);
        assert_eq!(tracked.tracks, [0, 1]);
        assert_eq!(tracked.going_on, if step == 0 { 0 } else { 2 });
    }
    let (tracks, events) = tracker.finish();
    assert!(events.is_empty(), "{events:?}");
    assert!(tracks.iter().all(|track| (track.first, track.last) == (0, 19)));
}

/// A life with all kinds of events: born, split, merge, death.
#[test]
fn tubes_are_born_split_merge_and_die() {
    let still = DVec3::ZERO;
    let whole = || tube(1.0, 9.0, 5.0, 5.0, still);
    let parts = || vec![tube(1.0, 4.6, 5.0, 5.0, still), tube(5.6, 9.0, 5.0, 5.0, still)];
    let other = || tube(3.0, 7.0, 1.0, 2.0, still);
    let mut tracker = Tracker::new(grid());
    let steps = [
        vec![whole()],
        vec![whole(), other()],
        [parts(), vec![other()]].concat(),
        vec![whole(), other()],
        vec![whole()],
    ];
    let tracks: Vec<Vec<u32>> =
        steps.into_iter().enumerate().map(|(step, tubes)| tracker.add(step as f64, tubes).tracks).collect();
    // The longer part keeps the track of the whole.
    assert_eq!(tracks, [vec![0], vec![0, 1], vec![0, 2, 1], vec![0, 1], vec![0]]);
    let (tracks, events) = tracker.finish();
    let expected = [
        (1, EventKind::Born, 0, 1),
        (2, EventKind::Split, 1, 2),
        (3, EventKind::Merge, 2, 1),
        (4, EventKind::Dies, 1, 0),
    ];
    assert_eq!(kinds(&events), expected);
    assert_eq!((tracks[0].origin, tracks[0].end), (Origin::Start, End::End));
    assert_eq!((tracks[1].origin, tracks[1].end, tracks[1].last), (Origin::Born, End::Dies, 3));
    assert_eq!((tracks[2].origin, tracks[2].end, tracks[2].first), (Origin::Split, End::Merges, 2));
}
