//! V-Clip on hulls with increasing numbers of vertices (Fontijne (2000) figure 2.11).

use std::time::{Duration, Instant};

use anyhow::Result;
use burgess_bench::duel::median;
use burgess_bounce::{BodyKind, BounceConfig, BounceWorld, BroadPhaseKind, Stage};

use crate::chapter::{Chapter, Progress, Verdict};
use crate::document::{number, table};
use crate::plot::{Plot, Scale, Series};
use crate::power_law::PowerLaw;

const VERTICES: [usize; 11] = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000];
/// Step sizes and the maximum exponents of the number of visited features.
const STEP_SIZES: [(f64, Option<f64>); 3] = [(0.0, None), (0.01, Some(0.25)), (5.0, Some(0.55))];
const SEEDS: u64 = 10;
const STEPS: u64 = 10_000;
/// Side of a world in which two bodies of radius 1 can pass each other.
const WORLD: f64 = 5.0;

/// Number of progress units.
pub const UNITS: u64 = VERTICES.len() as u64;

/// Sums over all seeds.
#[derive(Default)]
struct Sums {
    queries: u64,
    visited: u64,
    fallbacks: u64,
    penetrating: u64,
    /// Values of each seed.
    ns_per_query: Vec<f64>,
}

impl Sums {
    fn per_query(&self, total: f64) -> f64 {
        total / self.queries as f64
    }
}

/// Measures and writes the chapter.
pub fn measure(progress: &Progress) -> Result<Chapter> {
    // Indexed by step size, then by number of vertices.
    let mut series: [Vec<Sums>; STEP_SIZES.len()] = Default::default();
    for vertices in VERTICES {
        progress.say(format!("V-Clip on hulls of {} vertices", number(vertices as f64)));
        for (sums, (step_size, _)) in series.iter_mut().zip(STEP_SIZES) {
            sums.push(run(vertices, step_size)?);
        }
        progress.advance();
    }
    Ok(tell(&series))
}

fn run(vertices: usize, step_size: f64) -> Result<Sums> {
    let mut sums = Sums::default();
    for seed in 1..=SEEDS {
        let mut world = BounceWorld::new(BounceConfig {
            objects: 2,
            world: WORLD,
            step_size,
            broad_phase: BroadPhaseKind::Off,
            bodies: BodyKind::Hulls(vertices),
            depths: false,
            check: false,
            seed,
        })?;
        // The first query has no warm start.
        world.step()?;
        let (vclip, bounce) = (*world.vclip_statistics(), *world.statistics());
        let mut time = Duration::ZERO;
        for _ in 0..STEPS {
            let mut moved = Instant::now();
            world.step_observed(|stage| match stage {
                Stage::Motion => moved = Instant::now(),
                Stage::NarrowPhase => time += moved.elapsed(),
                _ => {}
            })?;
        }
        let queries = world.vclip_statistics().queries - vclip.queries;
        sums.queries += queries;
        sums.ns_per_query.push(1e9 * time.as_secs_f64() / queries as f64);
        sums.visited += world.vclip_statistics().features_visited - vclip.features_visited;
        sums.fallbacks += world.vclip_statistics().fallbacks - vclip.fallbacks;
        sums.penetrating += world.statistics().penetrating - bounce.penetrating;
    }
    Ok(sums)
}

fn points(sums: &[Sums], value: impl Fn(&Sums) -> f64) -> Vec<(f64, f64)> {
    VERTICES.iter().zip(sums).map(|(&n, sums)| (n as f64, value(sums))).collect()
}

fn tell(series: &[Vec<Sums>; STEP_SIZES.len()]) -> Chapter {
    let visited = |sums: &Sums| sums.per_query(sums.visited as f64);
    let nanoseconds = |sums: &Sums| median(sums.ns_per_query.iter().copied());
    let mut chapter = Chapter::default();
    let mut plots = [Vec::new(), Vec::new()];
    let mut fits = Vec::new();
    for (sums, (step_size, wanted)) in series.iter().zip(STEP_SIZES) {
        let (visited, nanoseconds) = (points(sums, visited), points(sums, nanoseconds));
        let law = PowerLaw::fit(&visited);
        // From 2,000 vertices on.
        let late = PowerLaw::fit(&visited[7..]);
        let queries: u64 = sums.iter().map(|s| s.queries).sum();
        let fallbacks: u64 = sums.iter().map(|s| s.fallbacks).sum();
        let penetrating: u64 = sums.iter().map(|s| s.penetrating).sum();
        fits.push(vec![
            step_size.to_string(),
            format!("{:.3}", law.exponent),
            wanted.map_or("-".to_owned(), |wanted| wanted.to_string()),
            format!("{:.3}", late.exponent),
            number(queries as f64),
            format!("{:.1} %", 100.0 * penetrating as f64 / queries as f64),
            format!("{} ({} per million)", number(fallbacks as f64), number(1e6 * fallbacks as f64 / queries as f64)),
        ]);
        if let Some(wanted) = wanted {
            let what = format!("features visited per query over vertices, step size {step_size}: exponent");
            chapter.verdicts.push(Verdict::at_most(what, wanted, law.exponent));
        }
        let name = format!("step size {step_size}");
        let fit = (step_size > 0.0).then_some(law);
        plots[0].push(Series { name: name.clone(), points: visited, fit });
        plots[1].push(Series { name, points: nanoseconds, fit: None });
    }
    let [visited_plot, time_plot] = plots;
    let x_label = "vertices of each hull";
    chapter.plot(
        "features-visited",
        Plot { x_label, y_label: "features visited per query", scale: Scale::Logarithmic, series: visited_plot },
    );
    chapter.plot(
        "query-time",
        Plot { x_label, y_label: "nanoseconds per query", scale: Scale::Logarithmic, series: time_plot },
    );

    let rows: Vec<Vec<String>> = VERTICES
        .iter()
        .enumerate()
        .map(|(row, &n)| {
            let cells =
                |value: &dyn Fn(&Sums) -> f64| series.iter().map(|sums| number(value(&sums[row]))).collect::<Vec<_>>();
            [vec![number(n as f64)], cells(&visited), cells(&nanoseconds)].concat()
        })
        .collect();
    let values = table(
        &["vertices", "visited, step 0", "step 0.01", "step 5", "ns per query, step 0", "step 0.01", "step 5"],
        &rows,
    );
    let head =
        ["step size", "exponent", "at most", "exponent from 2,000 on", "queries", "penetrating", "exact fallbacks"];
    chapter.text = format!(
        "## Geometric complexity (figure 2.11)\n\n\
        Two hulls of n random unit vectors in a world of side {WORLD}, without a broad phase. {SEEDS} pairs of hulls \
        are simulated for {steps} steps each. Features visited are the mean over all queries; times are the median \
        over the pairs. The first query of a pair has no warm start and is not counted. Features that are scanned to \
        leave a local minimum count as visited. The time of a query includes one reading of the clock, {clock:.0} ns \
        here.\n\n\
        ![Features visited per query](collision/features-visited.svg)\n\n\
        ![Time per query](collision/query-time.svg)\n\n\
        {values}\nFitted over 10 to 20,000 vertices, features visited grow with:\n\n{fits}\n\
        At step size 0.01 bodies move and turn by about a hundredth of their radius. While faces are larger than \
        that, nearly every query ends at the feature where it began. Hulls of 20,000 vertices have edges of about \
        0.03, so that a step crosses one or two features. With more vertices the exponent would approach 1/2, \
        because features have size n^-1/2. At step size 5 every query crosses a large part of the hull, about n^1/2 \
        features. Large hulls do not fit into the caches, so time grows faster than the number of features visited.\n",
        steps = number(STEPS as f64),
        clock = clock_nanoseconds(),
        fits = table(&head, &fits),
    );
    chapter
}

/// Returns the time of reading the clock.
fn clock_nanoseconds() -> f64 {
    const READINGS: u32 = 100_000;
    let total: f64 = (0..READINGS).map(|_| Instant::now().elapsed().as_secs_f64()).sum();
    1e9 * total / f64::from(READINGS)
}
