//! Precision over processor time: the error of Burgess and of MuJoCo at several steps, and the time that MuJoCo needs for
//! the error that Burgess has at its default step.
//!
//! The error of an engine is its own: the largest distance of a body from where the same engine puts it with very short
//! steps, as a share of the size of the creature. MuJoCo's contacts are soft, so the two limits differ.

mod curve;
mod engines;
mod events;
mod subjects;

use std::fs;

use anyhow::{Context, Result};
use burgess_bench::duel;
use burgess_bench::gymnasium::mujoco::Library;
use burgess_pictures::{Axis, Plot, Series};
use serde::{Deserialize, Serialize};

use crate::{Options, report};
use curve::{Point, at_error};
use engines::{Ours, Peer, Theirs};
pub use subjects::Subject;
use subjects::Trial;

/// Compared steps, in s. The first is the default of Burgess.
const STEPS: [f64; 4] = [1.0 / 240.0, 1.0 / 480.0, 1.0 / 960.0, 1.0 / 1920.0];
/// Step of the limits, in s: an eighth of the shortest compared one, so that a limit of first order has an eighth of its
/// error.
const LIMIT_STEP: f64 = 1.0 / 15360.0;
/// Simulated time, in s.
const SECONDS: f64 = 0.25;
/// Number of trials that are prepared, then timed.
const BATCH: usize = 8;
/// Share of the measured time of each of the eleven comparisons of a subject.
const SHARE: f64 = 0.25;
/// The picture.
const PICTURE: &str = "docs/results/simulation/precision.svg";
/// Where the curves of all subjects are kept, so that each can be measured alone.
const CURVES: &str = "docs/results/simulation/precision.json";

/// Curve of an engine: by step, the median and the 90th percentile of the error and the processor time per simulated
/// time.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Measured {
    error: [f64; 4],
    error_p90: [f64; 4],
    /// Processor time, in ms per simulated s.
    time: [f64; 4],
}

impl Measured {
    /// Rounds to four digits, which is less than the noise.
    fn rounded(self) -> Self {
        Self { error: self.error.map(rounded), error_p90: self.error_p90.map(rounded), time: self.time.map(rounded) }
    }
}

/// Rounds a positive number to four digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// Additional fields of the output.
#[derive(Serialize)]
struct Figures {
    /// The faster integrator of MuJoCo.
    integrator: &'static str,
    /// Whether MuJoCo has our error only beyond the measured steps.
    extrapolated: bool,
    trials: usize,
    /// Median and 90th percentile of our error at the default step.
    error: f64,
    error_p90: f64,
    /// Number of steps per second of each point of the curves.
    rates: [f64; 4],
    ours_curve: Measured,
    euler: Measured,
    implicitfast: Measured,
}

/// Compares the precision of both engines.
pub fn compare(options: &Options, subject: Subject) -> Result<()> {
    let bench = format!("precision-{}", subject.name());
    let prepared = Library::open(options.mujoco.as_deref()).and_then(|library| Ok((library, subject.trials(options)?)));
    let (library, trials) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            eprintln!("{bench}: skipped because MuJoCo or the models are not available: {error:#}");
            return Ok(());
        }
    };
    let our_errors = errors(&trials, |step| Ours::new(&trials, step))?;
    let their_errors = Peer::ALL
        .iter()
        .map(|peer| errors(&trials, |step| Theirs::new(&library, *peer, &trials, step)))
        .collect::<Result<Vec<_>>>()?;
    let seconds = SHARE * options.seconds;
    let mut ours = STEPS.map(|step| Ours::new(&trials, step)).into_iter().collect::<Result<Vec<_>>>()?;
    let mut our_times = [0.0; 4];
    let mut peers: Vec<Curve> = Vec::new();
    for (index, peer) in Peer::ALL.into_iter().enumerate() {
        let mut curve = Curve::new(peer, &their_errors[index]);
        for (k, step) in STEPS.into_iter().enumerate() {
            let mut theirs = Theirs::new(&library, peer, &trials, step)?;
            let measured = duel::run_sides(&mut ours[0], &mut theirs, BATCH, seconds)?.per(1e6 * SECONDS);
            curve.measured.time[k] = measured.theirs;
            curve.ratios.push([measured.ratio, measured.ratio_quartiles.0, measured.ratio_quartiles.1]);
            if k == 0 {
                our_times[0] = measured.ours;
            } else if index == 0 {
                our_times[k] = duel::run_sides(&mut ours[k], &mut theirs, BATCH, seconds)?.per(1e6 * SECONDS).ours;
            }
        }
        peers.push(curve);
    }
    let ours = Measured { error: our_errors.0, error_p90: our_errors.1, time: our_times };
    let at_ours = |curve: &Curve| {
        let value = |part: usize| {
            let points: Vec<Point> = (0..STEPS.len())
                .map(|k| Point { error: curve.measured.error[k], cost: curve.ratios[k][part] })
                .collect();
            at_error(&points, ours.error[0])
        };
        [value(0), value(1), value(2)]
    };
    let values: Vec<_> = peers.iter().map(at_ours).collect();
    let best = if values[1][0].cost < values[0][0].cost { 1 } else { 0 };
    let [ratio, q1, q3] = values[best];
    let line = duel::Measured {
        ours: ours.time[0],
        theirs: ours.time[0] * ratio.cost,
        ratio: ratio.cost,
        ratio_quartiles: (q1.cost, q3.cost),
    };
    let [euler, implicitfast] = [0, 1].map(|index| peers[index].measured.clone().rounded());
    let ours = ours.rounded();
    let figures = Figures {
        integrator: peers[best].peer.name(),
        extrapolated: ratio.is_extrapolated,
        trials: trials.len(),
        error: ours.error[0],
        error_p90: ours.error_p90[0],
        rates: STEPS.map(|step| libm::round(1.0 / step)),
        ours_curve: ours,
        euler,
        implicitfast,
    };
    report::print_with(&bench, "ms/s", "mujoco", &line, &figures)?;
    if options.write {
        draw(subject.name(), [&figures.ours_curve, &figures.euler, &figures.implicitfast])?;
    }
    Ok(())
}

/// What was measured with an integrator of MuJoCo.
struct Curve {
    peer: Peer,
    measured: Measured,
    /// By step, the ratio of the time to that of Burgess at the default step, with its quartiles.
    ratios: Vec<[f64; 3]>,
}

impl Curve {
    fn new(peer: Peer, errors: &([f64; 4], [f64; 4])) -> Self {
        Self { peer, measured: Measured { error: errors.0, error_p90: errors.1, time: [0.0; 4] }, ratios: Vec::new() }
    }
}

/// Returns the median and the 90th percentile of the errors at each step. `engine` creates the worlds of all trials with
/// a step in s.
fn errors<E: engines::Engine>(trials: &[Trial], engine: impl Fn(f64) -> Result<E>) -> Result<([f64; 4], [f64; 4])> {
    let limits = engine(LIMIT_STEP)?.ends()?;
    let (mut medians, mut nineties) = ([0.0; 4], [0.0; 4]);
    for (k, step) in STEPS.into_iter().enumerate() {
        let ends = engine(step)?.ends()?;
        let each = trials.iter().zip(ends.iter().zip(&limits)).map(|(trial, (end, limit))| {
            let apart = end.iter().zip(limit).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
            // A world that failed has an infinite error.
            let is_known = end.len() == limit.len() && !end.is_empty();
            if is_known && apart.is_finite() { apart / trial.size } else { f64::INFINITY }
        });
        let mut each: Vec<f64> = each.collect();
        each.sort_by(f64::total_cmp);
        (medians[k], nineties[k]) = (duel::quantile(&each, 0.5), duel::quantile(&each, 0.9));
    }
    Ok((medians, nineties))
}

/// Adds the curves of a subject to those that were drawn before, and draws all.
fn draw(name: &str, curves: [&Measured; 3]) -> Result<()> {
    let mut all: std::collections::BTreeMap<String, Vec<Measured>> = match fs::read_to_string(CURVES) {
        Ok(text) => serde_json::from_str(&text).with_context(|| format!("{CURVES} has another form; remove it"))?,
        Err(_) => Default::default(),
    };
    all.insert(name.to_string(), curves.map(Clone::clone).to_vec());
    fs::write(CURVES, serde_json::to_string_pretty(&all)? + "\n").context(CURVES)?;
    let mut series = Vec::new();
    for (name, curves) in &all {
        for (index, curve) in curves.iter().enumerate() {
            let points = curve.time.iter().zip(&curve.error);
            let points = points.map(|(time, error)| [libm::log10(*time), libm::log10(*error)]).collect();
            // A curve without a name has the colour of the one before it.
            let is_ours = index == 0;
            series.push(Series {
                name: if is_ours { name.clone() } else { String::new() },
                points,
                is_broken: !is_ours,
            });
        }
    }
    let plot = Plot {
        title: "Median error after 0.25 s: Burgess (solid), MuJoCo with two integrators (broken)".to_string(),
        x: Axis::new("decimal logarithm of processor time", "ms per simulated s"),
        y: Axis::new("decimal logarithm of the error", "share of size"),
        series,
        height: 560,
        ..Plot::default()
    };
    fs::write(PICTURE, plot.svg()?).context(PICTURE)
}
