//! `burgess bounce`: bodies bouncing in a box, as a test and benchmark of collision detection.

use std::fmt::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use burgess_bounce::{BodyKind, BounceConfig, BounceWorld, BroadPhaseKind, Stage, proportional_world};
use clap::{Args, ValueEnum};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::Failed;
use crate::output::print;

/// Let bodies bounce in a box to test and measure collision detection
///
/// Cubes, balls, cones, tubes, pyramids and tori in three sizes (1 on average) fly and turn through a cubic world,
/// with speeds of up to 1 per axis and angular speeds of up to 1 rad per unit of time. Bodies that
/// collide bounce off each other. Prints the number of pairs that the broad phase found and the cost of finding them.
///
/// Exit code 1: a pair was missed or reported wrongly (with --check), or a query did not finish.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess bounce                                        25 bodies for 10,000 steps
  burgess bounce --objects 4096 --world auto            many bodies in a world of suitable size
  burgess bounce --objects 2 --vertices 2000 --broad-phase off   V-Clip alone, on hulls
  burgess bounce --check --json                         compare with an exhaustive search, for a script")]
pub struct Bounce {
    /// Set the number of bodies
    #[arg(long, value_name = "N", default_value_t = 25)]
    objects: usize,
    /// Set the side of the cubic world; `auto` chooses it so that the number of pairs is proportional to the number of
    /// bodies [default: a volume of 64 for each body]
    #[arg(long, value_name = "L|auto")]
    world: Option<WorldSize>,
    /// Set the number of steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    steps: u64,
    /// Set the length of a step
    #[arg(long, value_name = "S", default_value_t = 0.01)]
    step_size: f64,
    /// Choose how pairs that may collide are found
    #[arg(long, value_name = "B", value_enum, default_value_t = BroadPhaseName::Hashing)]
    broad_phase: BroadPhaseName,
    /// Build the hash table anew on every step instead of updating it
    #[arg(long)]
    no_coherence: bool,
    /// Use hulls of N random unit vectors as bodies
    #[arg(long, value_name = "N")]
    vertices: Option<usize>,
    /// Compare the pairs with an exhaustive search on every step
    #[arg(long)]
    check: bool,
    /// Set the seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object on one line
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy)]
enum WorldSize {
    Side(f64),
    Auto,
}

impl std::str::FromStr for WorldSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        text.parse().map(Self::Side).map_err(|_| format!("'{text}' is neither a number nor 'auto'"))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
enum BroadPhaseName {
    /// Hierarchical hashing
    Hashing,
    /// Sweep and prune
    SweepAndPrune,
    /// Test every pair of boxes
    Exhaustive,
    /// Pass every pair to the narrow phase
    Off,
}

/// The report.
#[derive(Serialize)]
struct Report {
    objects: usize,
    world: f64,
    steps: u64,
    step_size: f64,
    broad_phase: BroadPhaseName,
    coherence: bool,
    pairs_created: u64,
    pairs_mean: f64,
    wall_seconds: f64,
    ns_per_step: f64,
    operations_per_step: f64,
    ns_per_query: f64,
    features_visited_mean: f64,
    fallbacks: u64,
    missed_pairs: u64,
    unfinished_queries: u64,
    // Fields after these were added later.
    queries: u64,
    penetrating_mean: f64,
    ns_broad_phase_per_step: f64,
    checked: bool,
    extra_pairs: u64,
    seed: u64,
}

/// Times of the reported stages.
#[derive(Default)]
struct StageTimes {
    broad: Duration,
    narrow: Duration,
}

impl StageTimes {
    /// Adds the time since `last` to a stage that has ended.
    fn add(&mut self, stage: Stage, last: &mut Instant) {
        let now = Instant::now();
        match stage {
            Stage::BroadPhase => self.broad += now - *last,
            Stage::NarrowPhase => self.narrow += now - *last,
            Stage::Motion | Stage::Bouncing => {}
        }
        *last = now;
    }
}

impl Bounce {
    /// Runs to the end and prints the report.
    pub fn run(&self) -> Result<ExitCode> {
        let config = self.config()?;
        let mut world = BounceWorld::new(config)?;
        let progress = ProgressBar::new(self.steps);
        progress.set_style(ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} steps, {eta} left")?);
        let start = Instant::now();
        let mut times = StageTimes::default();
        // The clock is read at intervals, not on every step.
        let mut until_look = 1;
        for step in 1..=self.steps {
            let mut last = Instant::now();
            world.step_observed(|stage| times.add(stage, &mut last)).map_err(|error| Failed(error.into()))?;
            until_look -= 1;
            if until_look == 0 {
                let per_step = start.elapsed().as_secs_f64() / step as f64;
                until_look = (0.05 / per_step).clamp(1.0, 1e6) as u64;
                progress.set_position(step);
            }
        }
        progress.finish_and_clear();
        let report = self.report(&world, start.elapsed().as_secs_f64(), &times, config.world);
        let text = if self.json { serde_json::to_string(&report)? + "\n" } else { report.table()? };
        print(&text)?;
        let failed = report.missed_pairs + report.extra_pairs + report.unfinished_queries > 0;
        Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    /// Returns the configuration. All errors here are the user's.
    fn config(&self) -> Result<BounceConfig> {
        let broad_phase = match self.broad_phase {
            BroadPhaseName::Hashing => BroadPhaseKind::Hashing { coherence: !self.no_coherence },
            _ if self.no_coherence => bail!("--no-coherence needs --broad-phase hashing"),
            BroadPhaseName::SweepAndPrune => BroadPhaseKind::SweepAndPrune,
            BroadPhaseName::Exhaustive => BroadPhaseKind::Exhaustive,
            BroadPhaseName::Off => BroadPhaseKind::Off,
        };
        if broad_phase == BroadPhaseKind::Off && self.check {
            bail!("--check compares the pairs of a broad phase and cannot be combined with --broad-phase off");
        }
        let bodies = self.vertices.map_or(BodyKind::Primitives, BodyKind::Hulls);
        let roomy = BounceConfig::roomy_world(self.objects);
        let mut config = BounceConfig {
            objects: self.objects,
            world: roomy,
            step_size: self.step_size,
            broad_phase,
            bodies,
            depths: true,
            check: self.check,
            seed: self.seed,
        };
        match self.world {
            Some(WorldSize::Side(side)) => config.world = side,
            Some(WorldSize::Auto) if broad_phase == BroadPhaseKind::Off => {
                bail!("--world auto counts the pairs of a broad phase and cannot be combined with --broad-phase off")
            }
            Some(WorldSize::Auto) => {
                let spinner = ProgressBar::new_spinner().with_message("searching for the size of the world");
                spinner.enable_steady_tick(std::time::Duration::from_millis(100));
                config.world = proportional_world(&config)?;
                spinner.finish_and_clear();
            }
            None => {}
        }
        Ok(config)
    }

    fn report(&self, world: &BounceWorld, wall_seconds: f64, times: &StageTimes, side: f64) -> Report {
        let (statistics, vclip) = (world.statistics(), world.vclip_statistics());
        let per = |total: f64, count: u64| if count == 0 { 0.0 } else { total / count as f64 };
        let steps = statistics.steps;
        Report {
            objects: self.objects,
            world: side,
            steps,
            step_size: self.step_size,
            broad_phase: self.broad_phase,
            coherence: self.broad_phase == BroadPhaseName::Hashing && !self.no_coherence,
            pairs_created: statistics.pairs_created,
            pairs_mean: per(statistics.pairs as f64, steps),
            wall_seconds,
            ns_per_step: per(1e9 * wall_seconds, steps),
            operations_per_step: per(statistics.operations as f64, steps),
            ns_per_query: per(1e9 * times.narrow.as_secs_f64(), statistics.pairs),
            features_visited_mean: per(vclip.features_visited as f64, vclip.queries),
            fallbacks: vclip.fallbacks,
            missed_pairs: statistics.missed_pairs,
            unfinished_queries: statistics.unfinished_queries,
            queries: vclip.queries,
            penetrating_mean: per(statistics.penetrating as f64, steps),
            ns_broad_phase_per_step: per(1e9 * times.broad.as_secs_f64(), steps),
            checked: self.check,
            extra_pairs: statistics.extra_pairs,
            seed: self.seed,
        }
    }
}

impl Report {
    fn table(&self) -> Result<String, std::fmt::Error> {
        let mut out = String::new();
        writeln!(
            out,
            "{} {} bounced in a world of side {:.1} for {} steps of {} in {:.2} s",
            HumanCount(self.objects as u64),
            if self.objects == 1 { "body" } else { "bodies" },
            self.world,
            HumanCount(self.steps),
            self.step_size,
            self.wall_seconds
        )?;
        writeln!(out, "  a step took        {:>10.2} us", 1e-3 * self.ns_per_step)?;
        writeln!(
            out,
            "  broad phase        {:>10.2} us a step, {:.1} operations, {} pairs created",
            1e-3 * self.ns_broad_phase_per_step,
            self.operations_per_step,
            HumanCount(self.pairs_created)
        )?;
        writeln!(
            out,
            "  pairs              {:>10.2} a step on average, {:.2} of them penetrating",
            self.pairs_mean, self.penetrating_mean
        )?;
        writeln!(
            out,
            "  a distance took    {:>10.0} ns, V-Clip visited {:.2} features a query",
            self.ns_per_query, self.features_visited_mean
        )?;
        writeln!(
            out,
            "  V-Clip queries     {:>10}, {} answered by the exact fallback, {} unfinished",
            HumanCount(self.queries).to_string(),
            HumanCount(self.fallbacks),
            self.unfinished_queries
        )?;
        if self.checked {
            writeln!(
                out,
                "  checked            {:>10} pairs missed and {} superfluous in all steps",
                self.missed_pairs, self.extra_pairs
            )?;
        }
        Ok(out)
    }
}
