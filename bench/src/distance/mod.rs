//! Closest points of two moving convex bodies; queries are warm-started from the last one if the library supports it.

mod burgess;
mod coal;
mod parry;

use anyhow::{Result, bail};
use burgess_geometry::Pose;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::Options;
use crate::duel::{self, Duel, OURS, THEIRS};
use crate::motion::{Motion, random_unit_vector};
use crate::report;

/// A body.
#[derive(Clone)]
pub enum Body {
    /// The convex hull of points.
    Hull(Vec<DVec3>),
    /// A box, given by its half extents.
    Cuboid(DVec3),
}

/// The closest points of a and b in world coordinates; `None` if the bodies penetrate.
pub type Answer = Option<[DVec3; 2]>;

/// A library that finds closest points for one pair of bodies.
pub trait ClosestPoints {
    /// Converts the poses of the next queries to the types of the library. Not timed.
    fn load(&mut self, poses: &[[Pose; 2]]);
    /// Computes the closest points in world coordinates for all loaded queries, in order. Timed.
    fn run(&mut self);
    /// Returns the results of `run`. Not timed.
    fn answers(&self, answers: &mut Vec<Answer>);
}

/// Creates the query of a library for two bodies.
type Take<'a> = dyn Fn(&Body, &Body) -> Result<Box<dyn ClosestPoints>> + 'a;

/// A named library.
struct Peer<'a> {
    name: &'static str,
    take: Box<Take<'a>>,
}

/// Number of different pairs of bodies, so that the result does not depend on a single hull.
const PAIRS: usize = 8;
/// Number of slices before the next pair is used; each turn starts with the data of the pair outside the caches.
const SLICES_IN_A_TURN: usize = 32;
/// Number of queries that are compared before the timing starts.
const CHECKED_QUERIES: usize = 20_000;
/// Maximum disagreement relative to distance plus body size, as guaranteed by iterative peers.
const TOLERANCE: f64 = 1e-6;

/// `vclip-200`: hulls of 200 random unit vectors, of radius 1 as in `bounce`.
pub fn hulls(options: &Options) -> Result<()> {
    compare("vclip-200", options, |random| Body::Hull((0..200).map(|_| random_unit_vector(random)).collect()))
}

/// `vclip-box`: boxes of unit size on average.
pub fn boxes(options: &Options) -> Result<()> {
    compare("vclip-box", options, |random| {
        Body::Cuboid(DVec3::from_array(core::array::from_fn(|_| random.random_range(0.25..0.75))))
    })
}

fn compare(bench: &str, options: &Options, body: impl Fn(&mut Pcg64Mcg) -> Body) -> Result<()> {
    let mut random = Pcg64Mcg::seed_from_u64(0xb0b);
    let bodies: Vec<[Body; 2]> = (0..PAIRS).map(|_| [body(&mut random), body(&mut random)]).collect();
    let coal = coal::Library::open(options.coal.as_deref());
    let mut peers: Vec<Peer> = vec![Peer { name: "parry3d-f64 closest_points", take: Box::new(parry::Parry::boxed) }];
    match &coal {
        Ok(coal) => peers.push(Peer { name: "coal GJK, cached guess", take: Box::new(|a, b| coal.boxed(a, b)) }),
        Err(error) => eprintln!("{bench}: skipped Coal, which is not available: {error:#}"),
    }
    for peer in peers {
        let mut pairs = Vec::with_capacity(PAIRS);
        for (index, [a, b]) in bodies.iter().enumerate() {
            let libraries = [burgess::Burgess::boxed(a, b)?, (peer.take)(a, b)?];
            pairs.push(Pair::new(index as u64, a, b, libraries)?);
        }
        let mut flights = Flights { pairs, turn: 0, slices: 0, queries: 0, separated: 0 };
        for _ in 0..PAIRS * SLICES_IN_A_TURN {
            flights.prepare(CHECKED_QUERIES / (PAIRS * SLICES_IN_A_TURN))?;
            flights.run(OURS);
            flights.run(THEIRS);
            flights.agree()?;
        }
        let measured = duel::run(&mut flights, options.seconds)?;
        eprintln!(
            "{bench}: {} queries, {:.1} % separated",
            flights.queries,
            100.0 * flights.separated as f64 / flights.queries as f64
        );
        report::print(bench, "ns/query", peer.name, &measured)?;
    }
    Ok(())
}

/// One pair of bodies, its motion, and both libraries with their caches.
struct Pair {
    motion: Motion,
    referee: parry::Parry,
    libraries: [Box<dyn ClosestPoints>; 2],
    poses: Vec<[Pose; 2]>,
    answers: [Vec<Answer>; 2],
}

impl Pair {
    fn new(seed: u64, a: &Body, b: &Body, libraries: [Box<dyn ClosestPoints>; 2]) -> Result<Self> {
        let referee = parry::Parry::new(a, b)?;
        Ok(Self { motion: Motion::new(seed), referee, libraries, poses: Vec::new(), answers: Default::default() })
    }

    fn fly(&mut self, queries: usize) -> Result<()> {
        self.poses.clear();
        for _ in 0..queries {
            let poses = self.motion.poses();
            self.poses.push(poses);
            let penetrating = self.referee.penetrating(&poses);
            self.motion.step(penetrating);
        }
        for library in &mut self.libraries {
            library.load(&self.poses);
        }
        Ok(())
    }

    /// Checks that both libraries found the same distance for every query.
    fn agree(&mut self) -> Result<()> {
        for (library, answers) in self.libraries.iter().zip(&mut self.answers) {
            answers.clear();
            library.answers(answers);
        }
        let [ours, theirs] = &self.answers;
        if (ours.len(), theirs.len()) != (self.poses.len(), self.poses.len()) {
            bail!("{} queries have {} and {} answers", self.poses.len(), ours.len(), theirs.len());
        }
        for ((poses, ours), theirs) in self.poses.iter().zip(ours).zip(theirs) {
            // A pair that just touches may count as penetrating in one library and not in the other.
            let distance = |answer: &Answer| answer.map_or(0.0, |[a, b]| a.distance(b));
            let (ours, theirs) = (distance(ours), distance(theirs));
            let difference = (ours - theirs).abs();
            if difference.is_nan() || difference > TOLERANCE * (1.0 + theirs) {
                bail!("the distances {ours} and {theirs} disagree at {poses:?}");
            }
        }
        Ok(())
    }
}

/// Uses all pairs in turn.
struct Flights {
    pairs: Vec<Pair>,
    turn: usize,
    slices: usize,
    queries: usize,
    separated: usize,
}

impl Duel for Flights {
    fn prepare(&mut self, work: usize) -> Result<()> {
        self.slices += 1;
        self.turn = self.slices / SLICES_IN_A_TURN % self.pairs.len();
        self.pairs[self.turn].fly(work)
    }

    fn run(&mut self, side: usize) {
        self.pairs[self.turn].libraries[side].run();
    }

    fn agree(&mut self) -> Result<()> {
        let pair = &mut self.pairs[self.turn];
        pair.agree()?;
        self.queries += pair.answers[1].len();
        self.separated += pair.answers[1].iter().flatten().count();
        Ok(())
    }
}
