//! Impulse-based simulation: closed forms, rest, stability.

mod worlds;

use burgess_dynamics::spatial::Motion;
use burgess_simulation::{ContactPoints, ImpulseSettings, Paradigm, Simulation, WorldBuilder, impulse};
use glam::DVec3;
use worlds::{at, ball, bouncing, brick_wall, cuboid, ground, smallest_distance};

fn simulate(builder: WorldBuilder, step: f64) -> Simulation {
    let (world, state) = builder.build().unwrap();
    Paradigm::Impulse.simulate(world, state, step).unwrap()
}

fn simulate_with(builder: WorldBuilder, step: f64, settings: ImpulseSettings) -> Simulation {
    let (world, state) = builder.build().unwrap();
    impulse(world, state, step, settings).unwrap()
}

#[test]
fn balls_bounce_to_the_height_of_their_restitution() {
    for step in [1e-3, 1.0 / 60.0] {
        for e in [0.2, 0.5, 0.8, 1.0] {
            let mut builder = bouncing(e, 0.4);
            builder.fixed(ground());
            builder.body("ball", at(0.0, 0.0, 1.1), [ball(0.1)]).unwrap();
            let mut simulation = simulate(builder, step);
            let (mut highest, mut up) = (0.0_f64, false);
            while simulation.state().time < 1.5 {
                simulation.step().unwrap();
                let v = simulation.state().v[5];
                up |= v > 0.0;
                if up {
                    highest =
                        highest.max(simulation.state().q[2] - 0.1 + if v > 0.0 { v * v / 2.0 / 9.81 } else { 0.0 });
                }
                if up && v < 0.0 {
                    break;
                }
            }
            println!("{step} e {e}: {highest} against {} ({:e})", e * e, highest - e * e);
            // The ball turns round somewhere inside its envelope of 1 mm.
            assert!((highest - e * e).abs() < 1e-3, "e {e}: {highest}");
        }
    }
}

#[test]
fn a_box_at_rest_stays_in_its_envelope() {
    let mut builder = bouncing(0.0, 0.5);
    builder.fixed(ground());
    builder.body("box", at(0.0, 0.0, 0.105), [cuboid(DVec3::splat(0.1))]).unwrap();
    let mut simulation = simulate(builder, 1.0 / 60.0);
    let epsilon = 0.01 * 0.1 * 3.0_f64.sqrt();
    simulation.run(1.0).unwrap();
    let mut impulses = 0;
    let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
    let mut subs = 0;
    while simulation.state().time < 5.0 {
        simulation.step().unwrap();
        impulses += simulation.statistics().impulses;
        subs += simulation.statistics().sub_steps;
        let distance = smallest_distance(&mut simulation);
        (low, high) = (low.min(distance), high.max(distance));
    }
    println!("{low} {high} of {epsilon}, {impulses} impulses, {subs} {:?}", simulation.state());
}

#[test]
fn a_wall_of_bricks_stands() {
    let mut simulation = simulate(brick_wall(), 1.0 / 60.0);
    let mut impulses = 0;
    let first: Vec<DVec3> =
        simulation.world().model().links().iter().map(|l| DVec3::from_slice(&simulation.state().q[l.q..])).collect();
    let start = std::time::Instant::now();
    while simulation.state().time < 2.0 {
        simulation.step().unwrap();
        impulses += simulation.statistics().impulses;
        if simulation.steps() % 15 == 0 {
            let d = smallest_distance(&mut simulation);
            let e = simulation.observables().kinetic_energy;
            println!(
                "{:.2} {:?} {impulses} {:?} d {d:.5} T {e:.5}",
                simulation.state().time,
                simulation.statistics().sub_steps,
                start.elapsed()
            );
        }
    }
    let moved: Vec<f64> = simulation
        .world()
        .trees()
        .iter()
        .zip(&first)
        .map(|(t, f)| {
            (DVec3::from_slice(&simulation.state().q[simulation.world().model().links()[t.links.start].q..]) - *f)
                .length()
        })
        .collect();
    println!("moved {:.4?}", moved);
    println!("{} impulses {:?} {}", impulses, start.elapsed(), smallest_distance(&mut simulation));
}
