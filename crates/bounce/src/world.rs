//! The world of bounce and its six rules.

use burgess_collision::broad_phase::{BroadPhase, Pair, ProxyId};
use burgess_collision::narrow_phase::vclip::{VclipOutcome, VclipStatistics, closest_polyhedron_polyhedron};
use burgess_collision::narrow_phase::{
    ConvexCache, NarrowScratch, PairCache, PairTable, Proximity, closest, closest_within,
};
use burgess_geometry::{Aabb, Pose, RelativePose, Shape};
use burgess_simulation::StateHash;
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::body::{Body, BodyKind, random_vector, shapes};
use crate::config::{BounceConfig, BounceError, BroadPhaseKind};
use crate::statistics::BounceStatistics;

/// The stages of a step, for measurements.
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
    /// Creates a world with its bodies at random places.
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
        let (broad_phase, proxies) = config.make_broad_phase(&bodies)?;
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

    /// Makes one step: the six rules in order.
    pub fn step(&mut self) -> Result<(), BounceError> {
        self.step_observed(|_| ())
    }

    /// Makes one step and calls `done` after each stage.
    pub fn step_observed(&mut self, mut done: impl FnMut(Stage)) -> Result<(), BounceError> {
        self.set_boxes()?;
        self.find_pairs();
        done(Stage::BroadPhase);
        self.move_bodies();
        done(Stage::Motion);
        self.find_distances();
        done(Stage::NarrowPhase);
        self.reflect_at_walls();
        self.separate_penetrating_pairs();
        done(Stage::Bouncing);
        self.statistics.steps += 1;
        Ok(())
    }

    /// Counters since the start.
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

    /// The rotation of every body in one step.
    pub fn turns(&self) -> impl Iterator<Item = DQuat> + '_ {
        self.bodies.iter().map(|body| body.turn)
    }

    /// The box of every body over the coming step.
    pub fn boxes(&self) -> impl Iterator<Item = Aabb> + '_ {
        self.bodies.iter().map(|body| self.config.box_over_step(body))
    }

    /// Number of pairs that the narrow phase tests.
    pub fn pairs(&self) -> usize {
        self.table.len()
    }

    /// The configuration.
    pub fn config(&self) -> &BounceConfig {
        &self.config
    }

    /// Calls a function with the closest points of each pair as it is now: the indices of its bodies, the proximity,
    /// and the cache in which the search ended. Changes nothing.
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

    /// Replaces the broad phase. Nothing else changes.
    pub fn set_broad_phase(&mut self, kind: BroadPhaseKind) -> Result<(), BounceError> {
        let config = BounceConfig { broad_phase: kind, ..self.config };
        config.validate()?;
        let (broad_phase, proxies) = config.make_broad_phase(&self.bodies)?;
        (self.config, self.broad_phase, self.proxies) = (config, broad_phase, proxies);
        if kind == BroadPhaseKind::Off {
            self.pair_all();
        }
        Ok(())
    }

    /// A hash of all that decides the further motion.
    pub fn state_hash(&self) -> u64 {
        let mut hash = StateHash::default();
        hash.word(self.statistics.steps);
        for body in &self.bodies {
            hash.numbers(&body.pose.translation.to_array());
            hash.numbers(&body.pose.rotation.to_array());
            hash.numbers(&body.velocity.to_array());
        }
        // The next number stands for the state of the generator.
        hash.word(self.random.clone().random());
        hash.finish()
    }

    /// Counters of V-Clip since the start.
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
                self.pair_all();
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

    fn pair_all(&mut self) {
        let ids = &self.proxies;
        let all: Vec<Pair> =
            (0..ids.len()).flat_map(|i| (i + 1..ids.len()).map(move |j| Pair::new(ids[i], ids[j]))).collect();
        self.statistics.pairs_created += self.table.synchronise(&all) as u64;
    }

    /// Compares the pairs of the broad phase with an exhaustive test of all pairs of boxes.
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
                // The parts of compounds are tested only when their hulls meet; until then the distance of the hulls is
                // enough.
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
    fn reflect_at_walls(&mut self) {
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
    fn separate_penetrating_pairs(&mut self) {
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

/// The distance of two polyhedra by V-Clip alone; -1 if they penetrate.
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
