//! Projections of walls against the definition: the ray from the eye through a point meets the wall where the point's
//! picture is.

use burgess_walls::Cave;
use burgess_walls::projection::{Rectangle, WallProjection, eyes};
use glam::{DQuat, DVec2, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    lower_left: [f64; 3],
    lower_right: [f64; 3],
    upper_left: [f64; 3],
    eye: [f64; 3],
    near: f64,
    far: f64,
    points: Vec<Seen>,
}

#[derive(Deserialize)]
struct Seen {
    point: [f64; 3],
    picture: [f64; 3],
}

#[test]
fn points_are_where_their_rays_meet_the_wall() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("projection.json")).expect("test vectors");
    assert!(cases.len() >= 20);
    for case in cases {
        let [lower_left, lower_right, upper_left] =
            [case.lower_left, case.lower_right, case.upper_left].map(DVec3::from_array);
        let wall = Rectangle { lower_left, lower_right, upper_left };
        let seen = WallProjection::new(&wall, DVec3::from_array(case.eye), case.near, case.far);
        for Seen { point, picture } in case.points {
            let found = seen.to_picture(DVec3::from_array(point));
            // Depths are a difference of numbers near 1, which loses up to far / near digits.
            assert!(found.distance(DVec3::from_array(picture)) < 1e-9, "{found} {picture:?}");
        }
    }
}

/// The same reading in `web/src/walls/projection.test.ts` proves that both implementations agree.
fn random_eye(random: &mut Pcg64, low: DVec3, high: DVec3) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|axis| random.random_range(low[axis]..high[axis])))
}

#[test]
fn edges_of_a_cube_agree_for_random_eyes() {
    let cave = Cave::preset("cube").expect("a preset");
    let [left, front, right, floor] =
        ["left", "front", "right", "floor"].map(|name| cave.wall(name).expect("a wall").rectangle());
    let mut random = Pcg64::seed_from_u64(22);
    for _ in 0..100 {
        let eye = random_eye(&mut random, DVec3::new(-1.4, -1.4, 0.1), DVec3::new(1.4, 1.4, 2.9));
        let [left, front, right, floor] =
            [&left, &front, &right, &floor].map(|wall| WallProjection::new(wall, eye, 0.05, 500.0));
        for step in 0..20 {
            let share = (f64::from(step) + 0.5) / 20.0;
            // A point behind the edge of two walls is at the same place of the edge in both pictures. Pictures have 1000
            // pixels, so a pixel is 0.002; the rounding error is far smaller.
            let behind = |edge: DVec3| eye + 3.0 * (edge - eye);
            let upright = behind(DVec3::new(-1.5, 1.5, 3.0 * share));
            assert!(left.place(upright).distance(DVec2::new(1.0, 2.0 * share - 1.0)) < 1e-9);
            assert!(front.place(upright).distance(DVec2::new(-1.0, 2.0 * share - 1.0)) < 1e-9);
            let upright = behind(DVec3::new(1.5, 1.5, 3.0 * share));
            assert!(front.place(upright).distance(DVec2::new(1.0, 2.0 * share - 1.0)) < 1e-9);
            assert!(right.place(upright).distance(DVec2::new(-1.0, 2.0 * share - 1.0)) < 1e-9);
            let level = behind(DVec3::new(-1.5 + 3.0 * share, 1.5, 0.0));
            assert!(front.place(level).distance(DVec2::new(2.0 * share - 1.0, -1.0)) < 1e-9);
            assert!(floor.place(level).distance(DVec2::new(2.0 * share - 1.0, 1.0)) < 1e-9);
        }
    }
}

#[test]
fn two_walls_in_a_plane_are_one_wide_wall() {
    let cave = Cave::preset("two").expect("a preset");
    let [left, right] = ["left", "right"].map(|name| cave.wall(name).expect("a wall").rectangle());
    let wide = Rectangle { lower_right: right.lower_right, ..left };
    let mut random = Pcg64::seed_from_u64(2);
    for _ in 0..1000 {
        let eye = random_eye(&mut random, DVec3::new(-2.0, -2.0, 0.5), DVec3::new(2.0, 1.0, 2.5));
        let point = random_eye(&mut random, DVec3::new(-5.0, 1.5, -2.0), DVec3::new(5.0, 20.0, 5.0));
        let [left, right, wide] = [left, right, wide].map(|wall| WallProjection::new(&wall, eye, 0.05, 500.0));
        let (x, y) = wide.place(point).into();
        assert!(left.place(point).distance(DVec2::new(2.0 * x + 1.0, y)) < 1e-9 * (1.0 + x.abs()));
        assert!(right.place(point).distance(DVec2::new(2.0 * x - 1.0, y)) < 1e-9 * (1.0 + x.abs()));
        assert!((left.to_picture(point).z - wide.to_picture(point).z).abs() < 1e-12);
    }
}

#[test]
fn eyes_change_sides_when_the_head_is_upside_down() {
    let head = DVec3::new(0.1, 0.2, 1.7);
    let [left, right] = eyes(head, DQuat::IDENTITY, 0.064);
    assert!((right - left).distance(DVec3::new(0.064, 0.0, 0.0)) < 1e-15);
    let roll = |angle: f64| eyes(head, DQuat::from_rotation_y(angle), 0.064);
    // The head rolls to the right by a quarter turn: the right eye is below.
    let [left, right] = roll(std::f64::consts::FRAC_PI_2);
    assert!((right - left).distance(DVec3::new(0.0, 0.0, -0.064)) < 1e-15);
    let [left, right] = roll(std::f64::consts::PI);
    assert!((right - left).distance(DVec3::new(-0.064, 0.0, 0.0)) < 1e-15);
}

#[test]
fn an_eye_behind_a_wall_is_moved_in_front_of_it() {
    let cave = Cave::preset("screen").expect("a preset");
    let wall = cave.wall("screen").expect("a wall").rectangle();
    // At the height of the middle of the wall, so that the way from the eye to a point behind passes the middle.
    let height = 0.5 * (wall.lower_right.z + wall.upper_left.z);
    for y in [1.2, 1.3, 5.0] {
        let seen = WallProjection::new(&wall, DVec3::new(0.0, y, height), 0.05, 100.0);
        assert!(seen.projection.is_finite() && seen.view.is_finite());
        assert!(seen.place(DVec3::new(0.0, 3.0, height)).length() < 1e-9);
    }
}
