//! Closest points of two convex bodies in motion, every query warm from the last one where the library can.

mod burgess;
mod coal;
mod parry;

use anyhow::{Result, bail};
use burgess_geometry::Pose;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::Options;
use crate::duel::{self, Duel};
use crate::motion::{Motion, random_unit_vector};
use crate::report;

/// What flies.
#[derive(Clone)]
pub enum Body {
    /// The hull of points.
    Hull(Vec<DVec3>),
    /// A box, by half its sides.
    Cuboid(DVec3),
}

/// The closest points on a and on b in world coordinates, or nothing when the bodies penetrate.
pub type Answer = Option<[DVec3; 2]>;

/// A library that finds closest points for one pair of bodies.
pub trait ClosestPoints {
    /// Takes the poses of the next queries, in the library's own types. Not timed.
    fn load(&mut self, poses: &[[Pose; 2]]);
    /// Answers every query loaded, in order, closest points in world coordinates. Timed.
    fn run(&mut self);
    /// What `run` found. Not timed.
    fn answers(&self, answers: &mut Vec<Answer>);
}

/// How a library takes two bodies.
type Take<'a> = dyn Fn(&Body, &Body) -> Result<Box<dyn ClosestPoints>> + 'a;

/// A library by name.
struct Peer<'a> {
    name: &'static str,
    take: Box<Take<'a>>,
}

/// Different bodies take turns, so that no single lucky hull decides.
const PAIRS: usize = 8;
/// Slices for which one pair is queried before the next: a turn begins with the pair's data far away in memory.
const SLICES_IN_A_TURN: usize = 32;
/// Queries compared before anything is timed.
const CHECKED_QUERIES: usize = 20_000;
/// Disagreement allowed, relative to distance plus body size: what iterative peers promise.
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
        Err(error) => eprintln!("{bench}: without Coal: {error:#}"),
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
            flights.ours();
            flights.theirs();
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

/// One pair of bodies, its flight, and both libraries with what they remember of it.
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

    /// Both answered every query with the same distance.
    fn agree(&mut self) -> Result<()> {
        for (library, answers) in self.libraries.iter().zip(&mut self.answers) {
            answers.clear();
            library.answers(answers);
        }
        let [ours, theirs] = &self.answers;
        if (ours.len(), theirs.len()) != (self.poses.len(), self.poses.len()) {
            bail!("{} queries, but {} and {} answers", self.poses.len(), ours.len(), theirs.len());
        }
        for ((poses, ours), theirs) in self.poses.iter().zip(ours).zip(theirs) {
            // A pair that only touches may count as penetrating for one library and not for the other.
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

/// All pairs in turn.
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

    fn ours(&mut self) {
        self.pairs[self.turn].libraries[0].run();
    }

    fn theirs(&mut self) {
        self.pairs[self.turn].libraries[1].run();
    }

    fn agree(&mut self) -> Result<()> {
        let pair = &mut self.pairs[self.turn];
        pair.agree()?;
        self.queries += pair.answers[1].len();
        self.separated += pair.answers[1].iter().flatten().count();
        Ok(())
    }
}
