//! Scratch: standing scenes.
use burgess_geometry::shape::{Cuboid, HalfSpace};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Paradigm, WorldBuilder};
use glam::DVec3;
fn main() {
    let name = std::env::args().nth(1).unwrap();
    let steps: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let mut b = WorldBuilder::new();
    b.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    let mut n = 0;
    let mut put = |b: &mut WorldBuilder, p: DVec3, h: DVec3, d: f64| {
        n += 1;
        b.body(
            &format!("b{n}"),
            Pose::from_translation(p),
            [ColliderSpec::new(Shape::Cuboid(Cuboid::new(h).unwrap())).with_density(d)],
        )
        .unwrap();
    };
    match name.as_str() {
        "pyramid" => {
            let layers: i32 = std::env::args().nth(3).map_or(15, |s| s.parse().unwrap());
            for l in 0..layers {
                let m = layers - l;
                for i in 0..m {
                    for j in 0..m {
                        let off = -(m as f64 - 1.0) * 0.5;
                        put(
                            &mut b,
                            DVec3::new((off + i as f64) * 1.05, (off + j as f64) * 1.05, 0.5 + l as f64),
                            DVec3::splat(0.5),
                            1000.0,
                        );
                    }
                }
            }
        }
        "wall" => {
            let h = DVec3::new(0.2, 0.1, 0.1);
            for row in 0..8 {
                let full = row % 2 == 0;
                let count = if full { 4 } else { 5 };
                for k in 0..count {
                    if full {
                        put(&mut b, DVec3::new(0.4 * k as f64 + 0.2, 0.0, 0.1 + 0.2 * row as f64), h, 1000.0);
                    } else if k == 0 || k == 4 {
                        let x = if k == 0 { 0.1 } else { 1.5 };
                        put(&mut b, DVec3::new(x, 0.0, 0.1 + 0.2 * row as f64), DVec3::new(0.1, 0.1, 0.1), 1000.0);
                    } else {
                        put(&mut b, DVec3::new(0.4 * k as f64, 0.0, 0.1 + 0.2 * row as f64), h, 1000.0);
                    }
                }
            }
        }
        _ => {
            let ratio: f64 = std::env::args().nth(3).map_or(1.0, |s| s.parse().unwrap());
            for k in 0..10 {
                put(
                    &mut b,
                    DVec3::new(0.0, 0.0, 0.1 + 0.2 * k as f64),
                    DVec3::splat(0.1),
                    if k == 9 { 1000.0 * ratio } else { 1000.0 },
                );
            }
        }
    }
    let (world, state) = b.build().unwrap();
    let mut s = Paradigm::TimeStepping.simulate(world, state, 1.0 / 240.0).unwrap();
    let start = s.state().q.clone();
    let t = std::time::Instant::now();
    let mut deepest = 0.0_f64;
    for k in 0..steps {
        if let Err(e) = s.step() {
            println!("{e}");
            break;
        }
        deepest = deepest.max(s.statistics().penetration);
        if k < 5 || k % (steps / 10).max(1) == 0 {
            let moved = start.iter().zip(&s.state().q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            println!("{k}: moved {moved:e} {:?}", s.statistics());
        }
    }
    let moved = start.iter().zip(&s.state().q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!(
        "{n} bodies, {:.1} us/step, moved {moved:e}, deepest {deepest:e}",
        t.elapsed().as_secs_f64() * 1e6 / steps as f64
    );
}
