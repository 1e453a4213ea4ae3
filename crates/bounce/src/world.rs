//! The world of bounce and its six rules.

use burgess_collision::broad_phase::{
    BroadPhase, BroadPhaseError, Exhaustive, HashingOptions, HierarchicalHashing, Pair, Proxy, ProxyId, SweepAndPrune,
};
use burgess_collision::narrow_phase::vclip::{VclipOutcome, VclipStatistics, closest_polyhedron_polyhedron};
use burgess_collision::narrow_phase::{
    ConvexCache, NarrowScratch, PairCache, PairTable, Proximity, closest, closest_within,
};
use burgess_geometry::{Aabb, GeometryError, Pose, RelativePose, Shape};
use burgess_simulation::StateHash;
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use thiserror::Error;

use super::body::{Body, BodyKind, random_vector, shapes};

/// How pairs are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BroadPhaseKind {
    /// Every pair goes to the narrow phase.
    Off,
    /// Every pair of boxes is tested.
    Exhaustive,
    /// Sweep and prune.
    SweepAndPrune,
    /// Hierarchical hashing.
    Hashing {
        /// Update the table instead of building it anew on every step?
        coherence: bool,
    },
}

/// What to run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BounceConfig {
    /// How many bodies.
    pub objects: usize,
    /// Side of the world.
    pub world: f64,
    /// Time of a step.
    pub step_size: f64,
    /// How pairs are found.
    pub broad_phase: BroadPhaseKind,
    /// What the bodies are.
    pub bodies: BodyKind,
    /// Find how deep bodies penetrate, not only that they do? Hulls only may go without, to measure V-Clip alone.
    pub depths: bool,
    /// Compare the pairs with an exhaustive search on every step?
    pub check: bool,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for BounceConfig {
    fn default() -> Self {
        let objects = 25;
        Self {
            objects,
            world: Self::roomy_world(objects),
            step_size: 0.01,
            broad_phase: BroadPhaseKind::Hashing { coherence: true },
            bodies: BodyKind::Primitives,
            depths: true,
            check: false,
            seed: 1,
        }
    }
}

impl BounceConfig {
    /// A world with a cube of side 4 for each body.
    pub fn roomy_world(objects: usize) -> f64 {
        4.0 * libm::cbrt(objects as f64)
    }
}

/// Why a world could not be made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BounceError {
    /// A number is out of range.
    #[error("{what} must be {expected}, found {found}")]
    OutOfRange {
        /// The quantity.
        what: &'static str,
        /// Its range in words.
        expected: &'static str,
        /// What was given.
        found: String,
    },
    /// A body could not be made.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A box could not be entered.
    #[error(transparent)]
    BroadPhase(#[from] BroadPhaseError),
}

/// What happened so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BounceStatistics {
    /// Steps made.
    pub steps: u64,
    /// Pairs whose boxes began to overlap.
    pub pairs_created: u64,
    /// Pairs that the narrow phase looked at, over all steps.
    pub pairs: u64,
    /// Pairs found penetrating, over all steps.
    pub penetrating: u64,
    /// Elementary operations of the broad phase, over all steps.
    pub operations: u64,
    /// Pairs of overlapping boxes that the broad phase did not report (with `check`).
    pub missed_pairs: u64,
    /// Pairs that the broad phase reported although their boxes do not overlap (with `check`).
    pub extra_pairs: u64,
    /// Queries that gave no finite distance, or a depth that is not surely the smallest.
    pub unfinished_queries: u64,
}

/// The parts of a step, for those who measure them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Rules 1 and 2: boxes set, pairs found.
    BroadPhase,
    /// Rule 3.
    Motion,
    /// Rule 4.
    NarrowPhase,
    /// Rules 5 and 6.
    Bouncing,
}

/// Bodies bouncing in a cube.
#[derive(Debug, Clone)]
pub struct BounceWorld {
    config: BounceConfig,
    bodies: Vec<Body>,
    proxies: Vec<ProxyId>,
    broad_phase: Box<dyn BroadPhase>,
    table: PairTable,
    scratch: NarrowScratch,
    penetrating: Vec<Pair>,
    random: Pcg64Mcg,
    statistics: BounceStatistics,
}

impl BounceWorld {
    /// A world with its bodies at random places.
    pub fn new(config: BounceConfig) -> Result<Self, BounceError> {
        config.validate()?;
        let mut random = Pcg64Mcg::seed_from_u64(config.seed);
        let shapes = shapes(config.bodies, config.objects, &mut random)?;
        let bodies: Vec<Body> = (0..config.objects)
            .map(|i| {
                // Hulls in turn, so that two bodies differ; primitives at random.
                let hulls = matches!(config.bodies, BodyKind::Hulls(_));
                let index = if hulls { i % shapes.len() } else { random.random_range(0..shapes.len()) };
                Body::random(shapes[index].clone(), config.world, config.step_size, &mut random)
            })
            .collect();
        let (broad_phase, proxies) = config.enter(&bodies)?;
        Ok(Self {
            config,
            bodies,
            proxies,
            broad_phase,
            table: PairTable::default(),
            scratch: NarrowScratch::default(),
            penetrating: Vec::new(),
            random,
            statistics: BounceStatistics::default(),
        })
    }

    /// One step: the six rules in their order.
    pub fn step(&mut self) -> Result<(), BounceError> {
        self.step_observed(|_| ())
    }

    /// One step; `done` hears of each stage when it is over.
    pub fn step_observed(&mut self, mut done: impl FnMut(Stage)) -> Result<(), BounceError> {
        self.set_boxes()?;
        self.find_pairs();
        done(Stage::BroadPhase);
        self.move_bodies();
        done(Stage::Motion);
        self.find_distances();
        done(Stage::NarrowPhase);
        self.turn_back_at_the_walls();
        self.part_penetrating_pairs();
        done(Stage::Bouncing);
        self.statistics.steps += 1;
        Ok(())
    }

    /// What happened so far.
    pub fn statistics(&self) -> &BounceStatistics {
        &self.statistics
    }

    /// Shape and pose of every body.
    pub fn bodies(&self) -> impl Iterator<Item = (&Shape, &Pose)> {
        self.bodies.iter().map(|body| (&*body.shape, &body.pose))
    }

    /// Velocity of every body, in lengths per unit of time.
    pub fn velocities(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.bodies.iter().map(|body| body.velocity)
    }

    /// How every body turns in one step.
    pub fn turns(&self) -> impl Iterator<Item = DQuat> + '_ {
        self.bodies.iter().map(|body| body.turn)
    }

    /// The box of every body over the coming step.
    pub fn boxes(&self) -> impl Iterator<Item = Aabb> + '_ {
        self.bodies.iter().map(|body| self.config.box_over_step(body))
    }

    /// How many pairs the narrow phase looks at.
    pub fn pairs(&self) -> usize {
        self.table.len()
    }

    /// What it runs.
    pub fn config(&self) -> &BounceConfig {
        &self.config
    }

    /// The closest points of all pairs as they are now, with what their search ended at: a function of two bodies, by their
    /// index. Changes nothing.
    pub fn for_each_closest(&self, mut with: impl FnMut([usize; 2], &Proximity, &ConvexCache)) {
        let mut scratch = NarrowScratch::default();
        for (pair, cache) in self.table.iter() {
            let [a, b] = [pair.a.index(), pair.b.index()];
            let (one, other) = (&self.bodies[a], &self.bodies[b]);
            let mut cache = cache.clone();
            let found = closest(&one.shape, &one.pose, &other.shape, &other.pose, &mut cache, &mut scratch);
            if let Some(found) = found.filter(|found| found.proximity.distance.is_finite()) {
                with([a, b], &found.proximity, &cache.convex);
            }
        }
    }

    /// Finds pairs in another way from now on. Nothing else changes.
    pub fn set_broad_phase(&mut self, kind: BroadPhaseKind) -> Result<(), BounceError> {
        let config = BounceConfig { broad_phase: kind, ..self.config };
        config.validate()?;
        let (broad_phase, proxies) = config.enter(&self.bodies)?;
        (self.config, self.broad_phase, self.proxies) = (config, broad_phase, proxies);
        if kind == BroadPhaseKind::Off {
            self.pair_everybody();
        }
        Ok(())
    }

    /// A number that two worlds share if and (as good as) only if their bodies will do the same.
    pub fn state_hash(&self) -> u64 {
        let mut hash = StateHash::default();
        hash.word(self.statistics.steps);
        for body in &self.bodies {
            hash.numbers(&body.pose.translation.to_array());
            hash.numbers(&body.pose.rotation.to_array());
            hash.numbers(&body.velocity.to_array());
        }
        // The next number tells the generator's state.
        hash.word(self.random.clone().random());
        hash.finish()
    }

    /// What V-Clip did so far.
    pub fn vclip_statistics(&self) -> &VclipStatistics {
        &self.scratch.statistics
    }

    /// The broad phase, for its counters.
    pub fn broad_phase(&self) -> &dyn BroadPhase {
        &*self.broad_phase
    }

    /// Rule 1.
    fn set_boxes(&mut self) -> Result<(), BounceError> {
        let proxies = self.broad_phase.proxies_mut();
        for (body, &id) in self.bodies.iter().zip(&self.proxies) {
            proxies.set_box(id, self.config.box_over_step(body))?;
        }
        Ok(())
    }

    /// Rule 2.
    fn find_pairs(&mut self) {
        if self.config.broad_phase == BroadPhaseKind::Off {
            if self.statistics.steps == 0 {
                self.pair_everybody();
            }
            return;
        }
        self.broad_phase.update();
        self.statistics.pairs_created += self.table.synchronise(self.broad_phase.pairs()) as u64;
        self.statistics.operations += self.broad_phase.statistics().operations;
        if self.config.check {
            self.check_pairs();
        }
    }

    fn pair_everybody(&mut self) {
        let ids = &self.proxies;
        let all: Vec<Pair> =
            (0..ids.len()).flat_map(|i| (i + 1..ids.len()).map(move |j| Pair::new(ids[i], ids[j]))).collect();
        self.statistics.pairs_created += self.table.synchronise(&all) as u64;
    }

    /// Compares the broad phase's list with what looking at all pairs of boxes finds.
    fn check_pairs(&mut self) {
        let boxes: Vec<Aabb> = self.bodies.iter().map(|body| self.config.box_over_step(body)).collect();
        let (mut found, mut missed) = (0, 0);
        for i in 0..boxes.len() {
            for j in i + 1..boxes.len() {
                if boxes[i].overlaps(&boxes[j]) {
                    let pair = Pair::new(self.proxies[i], self.proxies[j]);
                    let listed = self.broad_phase.pairs().binary_search(&pair).is_ok();
                    found += u64::from(listed);
                    missed += u64::from(!listed);
                }
            }
        }
        self.statistics.missed_pairs += missed;
        self.statistics.extra_pairs += self.broad_phase.pairs().len() as u64 - found;
    }

    /// Rule 3.
    fn move_bodies(&mut self) {
        for body in &mut self.bodies {
            body.advance(self.config.step_size);
        }
    }

    /// Rule 4.
    fn find_distances(&mut self) {
        self.penetrating.clear();
        for (pair, cache) in self.table.iter_mut() {
            let (a, b) = (&self.bodies[pair.a.index()], &self.bodies[pair.b.index()]);
            self.statistics.pairs += 1;
            let unfinished = self.scratch.statistics.unfinished;
            let distance = if self.config.depths {
                // Hulls around compounds are opened when they meet; until then their distance will do.
                closest_within(&a.shape, &a.pose, &b.shape, &b.pose, 0.0, cache, &mut self.scratch)
                    .map(|found| found.proximity.distance)
            } else {
                distance_alone(a, b, cache, &mut self.scratch)
            };
            let finite = distance.is_some_and(f64::is_finite);
            if distance.is_some_and(|distance| distance < 0.0) {
                self.penetrating.push(pair);
            }
            let finished = finite && self.scratch.statistics.unfinished == unfinished;
            self.statistics.unfinished_queries += u64::from(!finished);
        }
        self.statistics.penetrating += self.penetrating.len() as u64;
    }

    /// Rule 5.
    fn turn_back_at_the_walls(&mut self) {
        let wall = 0.5 * self.config.world;
        for body in &mut self.bodies {
            let place = body.pose.translation;
            let outside = place.abs().cmpgt(DVec3::splat(wall));
            if outside.any() {
                let velocity = random_vector(&mut self.random);
                let inward = -velocity.abs().copysign(place);
                body.velocity = DVec3::select(outside, inward, velocity);
            }
        }
    }

    /// Rule 6.
    fn part_penetrating_pairs(&mut self) {
        for pair in &self.penetrating {
            let (a, b) = (pair.a.index(), pair.b.index());
            let apart = self.bodies[b].pose.translation - self.bodies[a].pose.translation;
            for (body, away) in [(a, -apart), (b, apart)] {
                let velocity = random_vector(&mut self.random);
                self.bodies[body].velocity = if velocity.dot(away) < 0.0 { -velocity } else { velocity };
            }
        }
    }
}

impl BounceConfig {
    fn validate(&self) -> Result<(), BounceError> {
        let out_of_range = |what, expected, found: String| Err(BounceError::OutOfRange { what, expected, found });
        if !(1..=1 << 24).contains(&self.objects) {
            return out_of_range("the number of objects", "from 1 to 16777216", self.objects.to_string());
        }
        if !(self.world > 0.0 && self.world <= 1e6) {
            return out_of_range("the side of the world", "above 0 and at most 1000000", self.world.to_string());
        }
        if !(self.step_size >= 0.0 && self.step_size <= 1e3) {
            return out_of_range("the step size", "from 0 to 1000", self.step_size.to_string());
        }
        match self.bodies {
            BodyKind::Hulls(n) if !(4..=1_000_000).contains(&n) => {
                out_of_range("the number of vertices", "from 4 to 1000000", n.to_string())
            }
            BodyKind::Primitives if !self.depths => {
                out_of_range("the kind of bodies without depths", "hulls", "primitives".to_string())
            }
            _ if self.broad_phase == BroadPhaseKind::Off && self.objects > 4096 => {
                out_of_range("the number of objects without a broad phase", "at most 4096", self.objects.to_string())
            }
            _ => Ok(()),
        }
    }

    /// A broad phase with all bodies in it, and their names there.
    fn enter(&self, bodies: &[Body]) -> Result<(Box<dyn BroadPhase>, Vec<ProxyId>), BounceError> {
        let mut broad_phase: Box<dyn BroadPhase> = match self.broad_phase {
            BroadPhaseKind::Off | BroadPhaseKind::Exhaustive => Box::new(Exhaustive::default()),
            BroadPhaseKind::SweepAndPrune => Box::new(SweepAndPrune::default()),
            BroadPhaseKind::Hashing { coherence } => {
                Box::new(HierarchicalHashing::new(HashingOptions { coherence, ..HashingOptions::default() }))
            }
        };
        let mut proxies = Vec::with_capacity(bodies.len());
        for body in bodies {
            proxies.push(broad_phase.insert(Proxy::moving(self.box_over_step(body)))?);
        }
        Ok((broad_phase, proxies))
    }

    /// The box of the ball around a body, swept over the coming step.
    fn box_over_step(&self, body: &Body) -> Aabb {
        let now = Aabb::from_center(body.pose.translation, DVec3::splat(body.radius));
        now.swept(body.velocity, DVec3::ZERO, self.step_size)
    }
}

/// The distance of two polyhedra by V-Clip alone; below zero when they penetrate, however deep.
fn distance_alone(a: &Body, b: &Body, cache: &mut PairCache, scratch: &mut NarrowScratch) -> Option<f64> {
    let (Shape::Polyhedron(p), Shape::Polyhedron(q)) = (&*a.shape, &*b.shape) else { return None };
    let mut features = cache.convex.features();
    let b_in_a = RelativePose::new(&a.pose, &b.pose);
    let outcome = closest_polyhedron_polyhedron(p, q, &b_in_a, &mut features, &mut scratch.statistics);
    cache.convex = ConvexCache::Features(features);
    Some(match outcome {
        VclipOutcome::Separated(proximity) => proximity.distance,
        VclipOutcome::Penetrating => -1.0,
    })
}
