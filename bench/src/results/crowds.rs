//! Increasing numbers of objects in worlds where the number of pairs is proportional (Fontijne (2000) table 2.1, figure
//! 2.12a).

use std::time::{Duration, Instant};

use anyhow::Result;
use burgess_bench::duel::{median, processor_seconds};
use burgess_bounce::{BounceConfig, BounceWorld, Stage, proportional_world};

use crate::chapter::{Chapter, Progress, Verdict};
use crate::document::{number, table};
use crate::plot::{Plot, Scale, Series};
use crate::power_law::PowerLaw;

/// Numbers of objects, sides of the world and created pairs of Fontijne (2000) table 2.1.
const SIZES: [(usize, Option<(u32, u32)>); 13] = [
    (16, Some((5, 219))),
    (32, Some((21, 867))),
    (64, Some((40, 1807))),
    (128, Some((88, 2995))),
    (256, Some((120, 5922))),
    (512, Some((180, 10_300))),
    (1024, Some((250, 18_310))),
    (2048, Some((320, 36_886))),
    (4096, Some((430, 66_839))),
    (8192, None),
    (16_384, None),
    (32_768, None),
    (65_536, None),
];
/// Number of slices; the time is their median.
const SLICES: u64 = 10;
/// Returns the number of steps: 10,000 up to 2,048 objects, then fewer.
const OBJECT_STEPS: u64 = 2048 * 10_000;

/// Number of progress units.
pub const UNITS: u64 = SIZES.len() as u64;

struct Row {
    objects: usize,
    before: Option<(u32, u32)>,
    world: f64,
    steps: u64,
    /// Created pairs in 10,000 steps.
    created: f64,
    pairs: f64,
    operations: f64,
    ns: f64,
    ns_processor: f64,
    ns_broad: f64,
}

/// Measures and writes the chapter.
pub fn measure(progress: &Progress) -> Result<Chapter> {
    let mut rows = Vec::new();
    for (objects, before) in SIZES {
        progress.say(format!("{} objects", number(objects as f64)));
        rows.push(run(objects, before)?);
        progress.advance();
    }
    Ok(tell(&rows))
}

fn run(objects: usize, before: Option<(u32, u32)>) -> Result<Row> {
    let mut config = BounceConfig { objects, ..Default::default() };
    config.world = proportional_world(&config)?;
    let steps_per_slice = (OBJECT_STEPS / objects as u64 / SLICES).clamp(1, 1000);
    let mut world = BounceWorld::new(config)?;
    let slice = |world: &mut BounceWorld| -> Result<(f64, f64, f64)> {
        let (start, processor_start) = (Instant::now(), processor_seconds());
        let mut broad = Duration::ZERO;
        for _ in 0..steps_per_slice {
            let step = Instant::now();
            world.step_observed(|stage| {
                if stage == Stage::BroadPhase {
                    broad += step.elapsed();
                }
            })?;
        }
        Ok((start.elapsed().as_secs_f64(), processor_seconds() - processor_start, broad.as_secs_f64()))
    };
    // Not counted: buffers grow, and the initial pairs are created.
    slice(&mut world)?;
    let start = *world.statistics();
    let [mut wall, mut processor, mut broad] = [const { Vec::new() }; 3];
    for _ in 0..SLICES {
        let (wall_seconds, processor_seconds, broad_seconds) = slice(&mut world)?;
        wall.push(wall_seconds);
        processor.push(processor_seconds);
        broad.push(broad_seconds);
    }
    let end = world.statistics();
    let steps = end.steps - start.steps;
    let per_step = |total: u64| total as f64 / steps as f64;
    let ns_per_step = |slices: Vec<f64>| 1e9 * median(slices.into_iter()) / steps_per_slice as f64;
    Ok(Row {
        objects,
        before,
        world: config.world,
        steps,
        created: 1e4 * per_step(end.pairs_created - start.pairs_created),
        pairs: per_step(end.pairs - start.pairs),
        operations: per_step(end.operations - start.operations),
        ns: ns_per_step(wall),
        ns_processor: ns_per_step(processor),
        ns_broad: ns_per_step(broad),
    })
}

fn tell(rows: &[Row]) -> Chapter {
    let points = |value: fn(&Row) -> f64| -> Vec<(f64, f64)> {
        rows.iter().map(|row| (row.objects as f64 + row.pairs, value(row))).collect()
    };
    let (operations, whole, broad) = (points(|r| r.operations), points(|r| 1e-3 * r.ns), points(|r| 1e-3 * r.ns_broad));
    let processor = points(|r| r.ns_processor);
    let laws = [&operations, &whole, &broad].map(|points| PowerLaw::fit(points));
    let mut chapter = Chapter::default();
    let over = "over objects + pairs, 16 to 65,536 objects: exponent";
    chapter.verdicts.push(Verdict::at_most(format!("operations per step {over}"), 1.05, laws[0].exponent));
    chapter.verdicts.push(Verdict::at_most(format!("wall time per step {over}"), 1.2, laws[1].exponent));
    let x_label = "objects + pairs";
    let series = |name: &str, points, law| Series { name: name.to_owned(), points, fit: Some(law) };
    let times = vec![series("whole step", whole, laws[1]), series("broad phase", broad, laws[2])];
    chapter.plot(
        "crowds-time",
        Plot { x_label, y_label: "microseconds per step", scale: Scale::Logarithmic, series: times },
    );
    let series = vec![series("operations", operations, laws[0])];
    chapter.plot(
        "crowds-operations",
        Plot { x_label, y_label: "operations of the broad phase per step", scale: Scale::Logarithmic, series },
    );

    let cells = |row: &Row| {
        let before = |cell: fn((u32, u32)) -> u32| row.before.map_or("-".to_owned(), |b| number(f64::from(cell(b))));
        vec![
            number(row.objects as f64),
            before(|b| b.0),
            before(|b| b.1),
            format!("{:.1}", row.world),
            number(row.created.round()),
            number(row.steps as f64),
            number(row.pairs),
            number(row.operations),
            number(1e-3 * row.ns),
            number(1e-3 * row.ns_broad),
        ]
    };
    let head = [
        "objects",
        "world, Fontijne (2000)",
        "pairs created, Fontijne (2000)",
        "world",
        "pairs created",
        "steps",
        "pairs, mean",
        "operations per step",
        "us per step",
        "of it broad phase",
    ];
    chapter.text = format!(
        "## Many objects (table 2.1, figure 2.12a)\n\n\
        The side of the world is chosen by a search such that the number of created pairs is proportional to the \
        number of objects: 0.163 for each object and unit of time, as in Fontijne (2000) at 4,096 objects (`--world \
        auto`). Created pairs are scaled to 10,000 steps of 0.01; pairs at the start do not count. Times are wall \
        times, medians over {SLICES} slices. Operations are tiles entered and \
        left, pair counters changed and candidates tested.\n\n{values}\n\
        ![Time per step](collision/crowds-time.svg)\n\n\
        ![Operations per step](collision/crowds-operations.svg)\n\n\
        Fitted over objects + pairs: operations {operations:.3} (at most 1.05), wall time of a step {whole:.3} (at most 1.2), \
        processor time of a step {processor:.3} (differs if the machine was busy), broad phase alone {broad:.3}. \
        Setting a box that stays in its tiles is not counted as an operation, but takes time for every object and \
        step. Time grows a little faster than operations because 65,536 bodies with their boxes and tiles do not fit \
        into the caches.\n\n\
        Fontijne (2000) does not give the sizes and speeds of the bodies, so the sides of the worlds cannot be \
        compared. The search counts the first 2,000 created pairs. In a long run in a large world, bodies fall \
        longer and become faster, so more pairs are created than in the search.\n",
        values = table(&head, &rows.iter().map(cells).collect::<Vec<_>>()),
        operations = laws[0].exponent,
        whole = laws[1].exponent,
        broad = laws[2].exponent,
        processor = PowerLaw::fit(&processor).exponent,
    );
    chapter
}
