//! Compares updating the hash table with rebuilding it (Fontijne (2000) section 2.7).

use anyhow::{Result, bail};
use burgess_bench::duel::{self, Duel, Measured};
use burgess_bounce::{BounceConfig, BounceWorld, proportional_world};
use burgess_collision::broad_phase::{BroadPhase, HashingOptions, HierarchicalHashing, Proxy, ProxyId};
use burgess_geometry::Aabb;
use glam::DVec3;

use crate::chapter::{Chapter, Progress, Verdict};
use crate::document::{number, table};

/// Number of objects, steps per slice, and slices.
const CROWDS: [(usize, usize, usize); 2] = [(25, 2000, 50), (4096, 25, 40)];
/// Target of the ratio of the two times.
const MIN_RATIO: f64 = 4.0;

/// Number of progress units.
pub const UNITS: u64 = 2 * CROWDS.len() as u64;

/// Boxes of a world of bounce, and two broad phases.
struct Hashings {
    world: BounceWorld,
    /// Boxes at each step of the slice.
    frames: Vec<Vec<Aabb>>,
    /// Broad phases with and without coherence.
    sides: [Side; 2],
}

struct Side {
    hashing: HierarchicalHashing,
    ids: Vec<ProxyId>,
    pairs_seen: usize,
}

impl Side {
    fn new(coherence: bool, boxes: &[Aabb]) -> Result<Self> {
        let mut hashing = HierarchicalHashing::new(HashingOptions { coherence, ..Default::default() });
        let ids = boxes.iter().map(|aabb| hashing.insert(Proxy::moving(*aabb))).collect::<Result<_, _>>()?;
        Ok(Self { hashing, ids, pairs_seen: 0 })
    }

    fn run(&mut self, frames: &[Vec<Aabb>]) {
        self.pairs_seen = 0;
        for boxes in frames {
            let proxies = self.hashing.proxies_mut();
            for (&id, aabb) in self.ids.iter().zip(boxes) {
                // The boxes are finite and the identifiers are valid, so there are no errors; otherwise the pairs would
                // differ.
                let _ = proxies.set_box(id, *aabb);
            }
            self.hashing.update();
            self.pairs_seen += self.hashing.pairs().len();
        }
    }
}

impl Hashings {
    fn new(config: BounceConfig) -> Result<Self> {
        let mut world = BounceWorld::new(config)?;
        let boxes = boxes_of_a_step(&mut world)?;
        Ok(Self { world, frames: Vec::new(), sides: [Side::new(true, &boxes)?, Side::new(false, &boxes)?] })
    }
}

/// Advances by one step; returns the swept box of each body, as in bounce.
fn boxes_of_a_step(world: &mut BounceWorld) -> Result<Vec<Aabb>> {
    let balls = |world: &BounceWorld| -> Vec<Aabb> {
        let ball = |place, radius| Aabb::from_center(place, DVec3::splat(radius));
        world.bodies().map(|(shape, pose)| ball(pose.translation, shape.bounding_radius(DVec3::ZERO))).collect()
    };
    let before = balls(world);
    world.step()?;
    Ok(before.iter().zip(balls(world)).map(|(before, after)| before.union(&after)).collect())
}

impl Duel for Hashings {
    fn prepare(&mut self, work: usize) -> Result<()> {
        self.frames.clear();
        for _ in 0..work {
            self.frames.push(boxes_of_a_step(&mut self.world)?);
        }
        Ok(())
    }

    fn run(&mut self, side: usize) {
        self.sides[side].run(&self.frames);
    }

    fn agree(&mut self) -> Result<()> {
        let [coherent, rebuilt] = &self.sides;
        if coherent.pairs_seen != rebuilt.pairs_seen || coherent.hashing.pairs() != rebuilt.hashing.pairs() {
            bail!("the pairs differ: {} with coherence, {} without", coherent.pairs_seen, rebuilt.pairs_seen);
        }
        Ok(())
    }
}

/// Measures and writes the chapter.
pub fn measure(progress: &Progress) -> Result<Chapter> {
    let mut chapter = Chapter::default();
    let mut rows = Vec::new();
    for (objects, work, slices) in CROWDS {
        let roomy = BounceConfig { objects, world: BounceConfig::roomy_world(objects), ..Default::default() };
        let proportional = BounceConfig { world: proportional_world(&roomy)?, ..roomy };
        for (config, name) in [(roomy, "default"), (proportional, "as in table 2.1")] {
            progress.say(format!("coherence, {} objects", number(objects as f64)));
            let measured = duel::run_slices(&mut Hashings::new(config)?, work, slices)?;
            let what = format!("rebuild / coherent hashing, {} objects, world {name}: ratio", number(objects as f64));
            chapter.verdicts.push(Verdict::at_least(what, MIN_RATIO, measured.ratio));
            rows.push(cells(&config, name, (work * slices) as f64, &measured));
            progress.advance();
        }
    }
    let head = ["objects", "world", "steps", "coherent, us per step", "rebuild, us per step", "ratio", "quartiles"];
    chapter.text = format!(
        "## Coherence\n\n\
        Only the broad phase: setting the boxes and finding the pairs. An update of the hash table is compared with \
        a rebuild in the same memory, with the same boxes at step size 0.01, in alternating slices. The values are \
        processor time of the thread and the median of the paired ratios. The target is a ratio of at least \
        {MIN_RATIO} (Fontijne (2000): 3.6 with 25 objects, Mirtich: 6).\n\n{}\n\
        The default world of `bounce` has a cube of side 4 for each body. A coherent update spends most of its time \
        on copying boxes and checking that they are still in the same tiles.\n",
        table(&head, &rows)
    );
    Ok(chapter)
}

fn cells(config: &BounceConfig, name: &str, steps: f64, measured: &Measured) -> Vec<String> {
    vec![
        number(config.objects as f64),
        format!("{:.1} ({name})", config.world),
        number(steps),
        number(1e-3 * measured.ours),
        number(1e-3 * measured.theirs),
        format!("{:.2}", measured.ratio),
        format!("{:.2} to {:.2}", measured.ratio_quartiles.0, measured.ratio_quartiles.1),
    ]
}
