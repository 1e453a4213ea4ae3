//! Compares hashing with another broad phase and with none (Fontijne (2000) figure 2.12b).

use anyhow::Result;
use burgess_bench::duel::{median, processor_seconds};
use burgess_bounce::{BounceConfig, BounceWorld, BroadPhaseKind};

use crate::chapter::{Chapter, Progress};
use crate::document::{number, table};
use crate::plot::{Plot, Scale, Series};

const OBJECTS: [usize; 7] = [2, 4, 8, 16, 32, 64, 128];
const KINDS: [(&str, BroadPhaseKind); 4] = [
    ("hashing", BroadPhaseKind::Hashing { coherence: true }),
    ("sweep and prune", BroadPhaseKind::SweepAndPrune),
    ("exhaustive", BroadPhaseKind::Exhaustive),
    ("off", BroadPhaseKind::Off),
];
const SLICES: usize = 10;

/// Number of progress units.
pub const UNITS: u64 = OBJECTS.len() as u64;

/// Measures and writes the chapter.
pub fn measure(progress: &Progress) -> Result<Chapter> {
    let mut rows = Vec::new();
    for objects in OBJECTS {
        progress.say(format!("broad phases, {objects} objects"));
        rows.push((objects, run(objects)?));
        progress.advance();
    }
    let mut chapter = Chapter::default();
    let series = KINDS.iter().enumerate().map(|(kind, (name, _))| Series {
        name: (*name).to_owned(),
        points: rows.iter().map(|(objects, times)| (*objects as f64, times[kind])).collect(),
        fit: None,
    });
    let series = series.collect();
    chapter.plot(
        "broad-phases",
        Plot { x_label: "objects", y_label: "milliseconds per 1,000 steps", scale: Scale::Logarithmic, series },
    );
    let cells = |(objects, times): &(usize, [f64; KINDS.len()])| {
        let speedup = format!("{:.2}", times[KINDS.len() - 1] / times[0]);
        [vec![objects.to_string()], times.iter().map(|time| number(*time)).collect(), vec![speedup]].concat()
    };
    let head = [vec!["objects"], KINDS.iter().map(|kind| kind.0).collect(), vec!["off / hashing"]].concat();
    chapter.text = format!(
        "## Hashing on and off (figure 2.12b)\n\n\
        Complete steps of 0.01, in milliseconds of processor time per 1,000 steps, in worlds with a cube of side 4 \
        for each body. Off: every pair goes to the narrow phase. The four are measured in alternating slices; the \
        values are medians over {SLICES} slices.\n\n\
        ![Milliseconds per 1,000 steps](collision/broad-phases.svg)\n\n{}\n\
        {}\n",
        table(&head, &rows.iter().map(cells).collect::<Vec<_>>()),
        crossings(&rows),
    );
    Ok(chapter)
}

/// Returns the time per 1,000 steps of each broad phase, in ms.
fn run(objects: usize) -> Result<[f64; KINDS.len()]> {
    // Steps of many objects without a broad phase are slow.
    let steps = if objects > 32 { 200 } else { 1000 };
    let mut worlds = Vec::new();
    for (_, broad_phase) in KINDS {
        let world = BounceConfig::roomy_world(objects);
        worlds.push(BounceWorld::new(BounceConfig { objects, world, broad_phase, ..Default::default() })?);
    }
    let mut seconds: [Vec<f64>; KINDS.len()] = Default::default();
    // The first slice is a warm-up.
    for slice in 0..=SLICES {
        for (world, seconds) in worlds.iter_mut().zip(&mut seconds) {
            let start = processor_seconds();
            for _ in 0..steps {
                world.step()?;
            }
            if slice > 0 {
                seconds.push(processor_seconds() - start);
            }
        }
    }
    Ok(seconds.map(|slices| 1e6 * median(slices.into_iter()) / f64::from(steps)))
}

/// Returns the number of objects from which hashing is faster than each of the others.
fn crossings(rows: &[(usize, [f64; KINDS.len()])]) -> String {
    let compare = |kind: usize| {
        let behind = rows.iter().rposition(|(_, times)| times[0] >= times[kind]);
        let name = KINDS[kind].0;
        match behind {
            None => format!("ahead of '{name}' everywhere"),
            Some(last) if last + 1 == rows.len() => format!("behind '{name}' up to {} objects at least", rows[last].0),
            Some(last) => format!("ahead of '{name}' from {} objects on", rows[last + 1].0),
        }
    };
    let comparisons: Vec<String> = (1..KINDS.len()).map(compare).collect();
    format!("Hashing is {}.", comparisons.join(", "))
}
