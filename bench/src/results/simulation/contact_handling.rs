//! Repeats the experiments of Fontijne (2000) section 3.11.1: rotation of a cube, drift of a wall, and a car that hits
//! the wall.

use anyhow::{Context, Result};
use burgess_bench::contact_handling::{HANDLINGS, Handling, Moment, SETTLING, cube, held_wall, wall};
use burgess_bench::duel::processor_seconds;
use burgess_paradigms::{ContactPoints, Paradigm};
use burgess_scene::{RunOptions, builtin};

use super::FOLDER;
use crate::chapter::{Chapter, Progress, Verdict};
use crate::document::{number, table};
use crate::plot::{Plot, Scale, Series};

/// Simulated time of the cube, in s.
const MINUTE: f64 = 60.0;
/// Simulated time of the wall after settling, in s.
const WALL_SECONDS: f64 = 5.0;
/// Maximum displacement of a brick by time stepping, in lengths of a brick.
const HELD: f64 = 1e-6;
/// Maximum CPU time of the car's run, in s.
const MAX_PROCESSOR_TIME: f64 = 40.0;
/// Step rate of the car's run, in 1/s.
const SAMPLES: f64 = 10.0;
/// Fontijne (2000) table 3.4: time, sum of rotations, sum of displacements, collisions; in the order of [`HANDLINGS`].
const TABLE_3_4: [&str; 6] = [
    "4.94 s; 19.6; 23.0; 54,330",
    "17.0 s; 3.70; 5.61; 153,506",
    "failed",
    "27.0 s; 0.337; 0.543; 917,634",
    "27.1 s; 1.60; 2.10; 788,654",
    "70.6 s; 0.226; 0.464; 1,688,037",
];

/// Number of progress units.
pub const UNITS: u64 = 2 * HANDLINGS.len() as u64 + 3;

/// Measures the cube, the wall and the car.
pub fn measure(progress: &Progress) -> Result<Chapter> {
    let mut chapter =
        Chapter { text: "## Contact handling (Fontijne (2000) section 3.11.1)\n".to_owned(), ..Default::default() };
    chapter.text += "\nIn `impulse`, with impulses at the closest points alone (`ContactPoints::Closest`, standard) and at tracked ones \
        (`ContactPoints::Tracked`, improved), for collision envelopes of 10 %, 1 % and 0.1 % of a body's size, which is half its side here. \
        Steps of 1/240 s.\n";
    the_cube(progress, &mut chapter)?;
    the_wall(progress, &mut chapter)?;
    the_car(progress, &mut chapter)?;
    Ok(chapter)
}

fn percent(handling: &Handling) -> String {
    format!("{} %", 100.0 * handling.epsilon)
}

fn is_improved(handling: &Handling) -> &'static str {
    if handling.points == ContactPoints::Tracked { "improved" } else { "standard" }
}

fn the_cube(progress: &Progress, chapter: &mut Chapter) -> Result<()> {
    let mut rows = Vec::new();
    let mut runs = Vec::new();
    for handling in &HANDLINGS {
        progress.say(format!("cube, {}, {}", percent(handling), is_improved(handling)));
        let moments = cube(*handling, MINUTE);
        let mut row = vec![percent(handling), is_improved(handling).to_owned()];
        match &moments {
            Ok(moments) => {
                let last = moments.last().map_or(0.0, |moment| moment.rotation);
                let most = |of: fn(&Moment) -> f64| moments.iter().map(of).fold(0.0, f64::max);
                row.extend([number(last), number(most(|m| m.rotation.abs())), number(1e3 * most(|m| m.offset))]);
            }
            Err(error) => row.extend([error.to_string(), "-".to_owned(), "-".to_owned()]),
        }
        if handling.epsilon == 0.001 {
            let failures = f64::from(u8::from(moments.is_err()));
            chapter.verdicts.push(Verdict::at_most(
                format!("cube in `impulse`, epsilon 0.1 %, {}: failures", is_improved(handling)),
                0.0,
                failures,
            ));
        }
        rows.push(row);
        runs.push(moments.unwrap_or_default());
        progress.advance();
    }
    chapter.text += &format!(
        "\n### A cube at rest (figures 3.11 and 3.12)\n\n\
        A tilted cube with sides of 0.5 m falls some centimetres and settles for {SETTLING} s. Then its rotation \
        about the vertical and its distance from the start are measured for a minute.\n\n{}\n\
        As in Fontijne (2000), impulses at the closest points only make the cube spin, because corners collide in \
        the same order again and again; its centre hardly moves. With tracked points it does not spin, but moves by \
        millimetres. Fontijne (2000) reports no spin with the thinnest envelope.\n",
        table(
            &["epsilon", "contact handling", "rotation after 60 s, rad", "largest rotation, rad", "largest offset, mm"],
            &rows
        )
    );
    for (half, name, words) in [(0, "standard", "closest points alone"), (3, "improved", "tracked points")] {
        let series = |of: fn(&Moment) -> f64| -> Vec<Series> {
            (half..half + 3)
                .map(|index| Series {
                    name: format!("epsilon {}", percent(&HANDLINGS[index])),
                    points: runs[index].iter().map(|moment| (moment.time, of(moment))).collect(),
                    fit: None,
                })
                .filter(|series| !series.points.is_empty())
                .collect()
        };
        let (rotation, offset) = match half {
            0 => ("cube-rotation-standard", "cube-offset-standard"),
            _ => ("cube-rotation-improved", "cube-offset-improved"),
        };
        let x_label = "seconds since the cube had settled";
        let scale = Scale::Linear;
        let y_label = "rotation about the vertical, rad";
        chapter.plot(rotation, Plot { x_label, y_label, scale, series: series(|m| m.rotation) });
        let y_label = "distance from where it was, mm";
        chapter.plot(offset, Plot { x_label, y_label, scale, series: series(|m| 1e3 * m.offset) });
        chapter.text += &format!(
            "\n![Rotation of the cube, {name}]({FOLDER}/{rotation}.svg)\n\n![Offset of the cube, {name}]({FOLDER}/{offset}.svg)\n\n\
            Above: {name} contact handling ({words}).\n"
        );
    }
    Ok(())
}

fn the_wall(progress: &Progress, chapter: &mut Chapter) -> Result<()> {
    let mut rows = Vec::new();
    for (handling, theirs) in HANDLINGS.iter().zip(TABLE_3_4) {
        progress.say(format!("wall, {}, {}", percent(handling), is_improved(handling)));
        let mut row = vec![percent(handling), is_improved(handling).to_owned()];
        let found = wall(*handling, WALL_SECONDS);
        match &found {
            Ok(found) => row.extend([
                format!("{:.1} s", found.time),
                number(found.rotation),
                number(found.offset),
                number(found.impulses as f64),
            ]),
            Err(error) => row.extend([format!("failed: {error}"), "-".into(), "-".into(), "-".into()]),
        }
        row.push(theirs.to_owned());
        if handling.epsilon == 0.001 {
            let what = format!("wall of 34 in `impulse`, epsilon 0.1 %, {}: failures", is_improved(handling));
            chapter.verdicts.push(Verdict::at_most(what, 0.0, f64::from(u8::from(found.is_err()))));
        }
        rows.push(row);
        progress.advance();
    }
    progress.say("wall, held by time stepping for a minute".to_owned());
    let held = held_wall(MINUTE)?;
    progress.advance();
    let what = "wall of 34 in `time-stepping`, awake, after 60 s: movement by a brick's length".to_owned();
    chapter.verdicts.push(Verdict::at_most(what, HELD, held));
    chapter.text += &format!(
        "\n### A brick wall (table 3.4)\n\n\
        34 loose bricks in eight courses, as in `bench/run wall-34`. The wall settles for {SETTLING} s. Then, ten \
        times a second for {WALL_SECONDS} s, the rotations (rad) and displacements (m) of all bricks since the last \
        measurement are summed. Fontijne (2000) does not give the size of the bricks, so those offsets can only be \
        compared with each other.\n\n{}\n\
        In `time-stepping` at 1/240 s, without sleeping, no brick has moved by more than {} of its length after a \
        minute (the target is at most {HELD:e}).\n",
        table(
            &[
                "epsilon",
                "contact handling",
                "time",
                "rotation sum",
                "offset sum",
                "collisions",
                "Fontijne (2000): time; rotation; offset; collisions"
            ],
            &rows
        ),
        number(held)
    );
    Ok(())
}

fn the_car(progress: &Progress, chapter: &mut Chapter) -> Result<()> {
    let scene = builtin::find("car-into-wall").context("there is no scene car-into-wall")?.spec();
    let mut series = Vec::new();
    let mut endings = Vec::new();
    for paradigm in [Paradigm::Impulse, Paradigm::TimeStepping] {
        progress.say(format!("car into wall, {}", paradigm.name()));
        let mut running = scene.run(".", &RunOptions { paradigm: Some(paradigm), ..RunOptions::default() })?;
        let start = processor_seconds();
        let mut points = vec![(0.0, 0.0)];
        let mut ending = "to its end".to_owned();
        for sample in 1..=(scene.duration * SAMPLES) as u32 {
            let time = f64::from(sample) / SAMPLES;
            if let Err(failure) = running.simulation.run(time) {
                ending = format!("until it failed ({failure})");
                break;
            }
            points.push((time, processor_seconds() - start));
            if processor_seconds() - start > MAX_PROCESSOR_TIME {
                ending = format!("until {MAX_PROCESSOR_TIME} s of processor time were over");
                break;
            }
        }
        let (simulated, real) = points.last().copied().unwrap_or_default();
        endings.push(format!("`{}` ran {ending}: {simulated} s in {:.1} s of processor time", paradigm.name(), real));
        series.push(Series { name: paradigm.name().to_owned(), points, fit: None });
        progress.advance();
    }
    let (x_label, y_label) = ("simulated time, s", "processor time, s");
    chapter.plot("car-into-wall", Plot { x_label, y_label, scale: Scale::Linear, series });
    chapter.text += &format!(
        "\n### A car drives into the wall (figure 3.13)\n\n\
        The scene `car-into-wall` with its default settings. A steeper curve is a slower simulation: while the wall \
        stands, `impulse` computes many micro-collisions; after the wall has fallen, there are few. {}. Fontijne \
        (2000) needed 94 s for 10 s of simulated time.\n\n\
        ![Processor time over simulated time]({FOLDER}/car-into-wall.svg)\n",
        endings.join("; ")
    );
    Ok(())
}
