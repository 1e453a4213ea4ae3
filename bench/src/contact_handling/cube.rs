//! Figures 3.11 and 3.12 of 000: a cube falls a little and settles; then, for a minute, how far does it turn about the
//! vertical, and how far does it move?

use anyhow::{Context, Result};
use burgess_scene::builtin;

use super::{Handling, RATE, SETTLING, pose, simulate};

/// What a measurement found.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// Since the cube had settled, in s.
    pub time: f64,
    /// About the vertical since then, in rad.
    pub rotation: f64,
    /// From where it was then, in m.
    pub offset: f64,
}

/// The minute of a cube: the built-in scene `spinning-cube`.
pub fn cube(handling: Handling, seconds: f64) -> Result<Vec<Moment>> {
    let scene = builtin::find("spinning-cube").context("there is a scene named spinning-cube")?.spec();
    let built = scene.build(".")?;
    let mut simulation = simulate(built.world, built.state, handling)?;
    simulation.run(SETTLING)?;
    let settled = pose(&simulation, 0);
    let (mut last, mut rotation) = (settled, 0.0);
    let mut moments = vec![Moment { time: 0.0, rotation, offset: 0.0 }];
    for sample in 1..=(seconds * RATE) as u32 {
        let time = f64::from(sample) / RATE;
        simulation.run(SETTLING + time)?;
        let now = pose(&simulation, 0);
        // From one measurement to the next, so that whole turns count.
        let turn = (now.rotation * last.rotation.inverse()).normalize();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        rotation += 2.0 * libm::atan2(turn.z, turn.w);
        moments.push(Moment { time, rotation, offset: (now.translation - settled.translation).length() });
        last = now;
    }
    Ok(moments)
}
