//! Forward dynamics by the articulated-body algorithm: compares Burgess with Pinocchio, and measures the time per link.

mod pinocchio;
mod states;
mod tree;

use anyhow::{Result, bail};
use burgess_dynamics::{Model, Workspace, forward_dynamics};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use self::pinocchio::{Library, Pinocchio};
use self::states::{Ours, States, accelerations_to_theirs};
use self::tree::Tree;
use crate::Options;
use crate::duel::{self, Duel, OURS, THEIRS};
use crate::report;

/// Number of states that alternate in a slice: few enough for the caches, so that memory latency does not matter.
const STATES: usize = 64;
/// Number of alternating copies of both models at different heap addresses. Without them, the memory layout changes the
/// time of the same program by a fifth between processes.
const COPIES: usize = 16;
/// Maximum backward error: `|M a + b - tau|` relative to the size of the terms.
const TOLERANCE: f64 = 1e-9;
/// Number of links of the chain that others are compared with.
const SHORT_CHAIN: usize = 4;

/// Runs `aba-34`: Pinocchio's sample humanoid.
pub fn humanoid(options: &Options) -> Result<()> {
    compare("aba-34", options, |library| library.humanoid())
}

/// Runs `aba-14`: a quadruped.
pub fn quadruped(options: &Options) -> Result<()> {
    compare("aba-14", options, |library| library.model(&Tree::quadruped()))
}

/// Runs `chain-4`, which compares two equal sides and so checks the protocol.
pub fn chain_4(options: &Options) -> Result<()> {
    scale("chain-4", 4, options)
}

/// Runs `chain-16`.
pub fn chain_16(options: &Options) -> Result<()> {
    scale("chain-16", 16, options)
}

/// Runs `chain-64`.
pub fn chain_64(options: &Options) -> Result<()> {
    scale("chain-64", 64, options)
}

/// Runs `chain-256`.
pub fn chain_256(options: &Options) -> Result<()> {
    scale("chain-256", 256, options)
}

fn compare(bench: &str, options: &Options, take: impl Fn(&Library) -> Result<Pinocchio>) -> Result<()> {
    let library = match Library::open(options.pinocchio.as_deref()) {
        Ok(library) => library,
        Err(error) => {
            eprintln!("{bench}: skipped because Pinocchio is not available: {error:#}");
            return Ok(());
        }
    };
    for (world, peer) in [(false, "pinocchio aba, LOCAL"), (true, "pinocchio aba, WORLD")] {
        let mut race = Race::new(|| take(&library), world)?;
        for _ in 0..COPIES {
            race.prepare(STATES)?;
            race.run(OURS);
            race.run(THEIRS);
            race.agree()?;
        }
        let measured = duel::run(&mut race, options.seconds)?;
        eprintln!("{bench}: {}; largest backward error {:.1e}", race.tree.composition(), race.largest_error);
        report::print(bench, "ns/call", peer, &measured)?;
    }
    Ok(())
}

/// A model in Burgess with the states of a slice.
struct Burgess {
    model: Model,
    workspace: Workspace,
    states: Vec<Ours>,
    accelerations: Vec<f64>,
}

impl Burgess {
    fn new(tree: &Tree) -> Result<Self> {
        let model = tree.model()?;
        let workspace = Workspace::new(&model);
        let accelerations = vec![0.0; STATES * model.dofs()];
        Ok(Self { model, workspace, states: Vec::new(), accelerations })
    }

    /// Evaluates `work` states by repeating the loaded ones. Timed.
    fn run(&mut self, work: usize) {
        let dofs = self.model.dofs();
        let mut index = 0;
        for _ in 0..work {
            let Ours { state, efforts } = &self.states[index];
            forward_dynamics(&self.model, state, efforts, &mut self.workspace);
            let kept = &mut self.accelerations[dofs * index..dofs * (index + 1)];
            kept.copy_from_slice(self.workspace.joint_acceleration());
            index = (index + 1) % STATES;
        }
    }
}

/// One tree in both libraries with the same states.
struct Race {
    tree: Tree,
    random: Pcg64Mcg,
    states: States,
    copies: Vec<(Burgess, Pinocchio)>,
    /// Memory that separates the copies.
    _gaps: Vec<Vec<u8>>,
    turn: usize,
    world: bool,
    their_accelerations: Vec<f64>,
    work: usize,
    largest_error: f64,
}

impl Race {
    fn new(take: impl Fn() -> Result<Pinocchio>, world: bool) -> Result<Self> {
        let mut random = Pcg64Mcg::seed_from_u64(0xaba);
        let tree = take()?.tree()?;
        let (mut copies, mut gaps) = (Vec::new(), Vec::new());
        for _ in 0..COPIES {
            gaps.extend((0..8).map(|_| vec![0; random.random_range(16..2048)]));
            copies.push((Burgess::new(&tree)?, take()?));
        }
        Ok(Self {
            their_accelerations: vec![0.0; STATES * tree.sizes().1],
            tree,
            random,
            states: States::default(),
            copies,
            _gaps: gaps,
            turn: 0,
            world,
            work: 0,
            largest_error: 0.0,
        })
    }
}

impl Duel for Race {
    fn prepare(&mut self, work: usize) -> Result<()> {
        self.turn = (self.turn + 1) % COPIES;
        let (ours, theirs) = &mut self.copies[self.turn];
        self.states = States::random(&self.tree, STATES, &mut self.random);
        ours.states = self.states.ours(&self.tree, &ours.model);
        theirs.load(&self.tree, &self.states);
        self.work = work;
        Ok(())
    }

    fn run(&mut self, side: usize) {
        let (ours, theirs) = &mut self.copies[self.turn];
        match side {
            OURS => ours.run(self.work),
            _ => theirs.run(self.world, self.work, &mut self.their_accelerations),
        }
    }

    fn agree(&mut self) -> Result<()> {
        let (positions, dofs) = self.tree.sizes();
        let (burgess, pinocchio) = &mut self.copies[self.turn];
        for index in 0..STATES.min(self.work) {
            let (q, v) = (&self.states.q[positions * index..], &self.states.v[dofs * index..]);
            let at = dofs * index..dofs * (index + 1);
            let mut accelerations = burgess.accelerations[at.clone()].to_vec();
            accelerations_to_theirs(&self.tree, &burgess.model, q, v, &mut accelerations);
            let ours = pinocchio.backward_error(index, &accelerations);
            let theirs = pinocchio.backward_error(index, &self.their_accelerations[at]);
            let largest = ours.max(theirs);
            if ours.is_nan() || theirs.is_nan() || largest > TOLERANCE {
                bail!("the backward error is {ours:.1e} in Burgess and {theirs:.1e} in Pinocchio");
            }
            self.largest_error = self.largest_error.max(largest);
        }
        Ok(())
    }
}

/// Compares the time per link of a chain with that of a short chain.
fn scale(bench: &str, links: usize, options: &Options) -> Result<()> {
    let mut chains = Chains::new(links)?;
    let measured = duel::run(&mut chains, options.seconds)?.per(links as f64);
    report::print(bench, "ns/link", &format!("itself with {SHORT_CHAIN} links"), &measured)
}

/// A long and a short chain; a unit of work is the same number of links for both.
struct Chains {
    random: Pcg64Mcg,
    /// The long chain, then the short one.
    chains: [(Tree, Burgess); 2],
    /// Number of calls for the short chain per call for the long chain.
    calls: usize,
    work: usize,
}

impl Chains {
    fn new(links: usize) -> Result<Self> {
        let chain = |links| -> Result<_> {
            let tree = Tree::chain(links);
            let burgess = Burgess::new(&tree)?;
            Ok((tree, burgess))
        };
        let random = Pcg64Mcg::seed_from_u64(0xaba);
        Ok(Self { random, chains: [chain(links)?, chain(SHORT_CHAIN)?], calls: links / SHORT_CHAIN, work: 0 })
    }
}

impl Duel for Chains {
    fn prepare(&mut self, work: usize) -> Result<()> {
        for (tree, burgess) in &mut self.chains {
            burgess.states = States::random(tree, STATES, &mut self.random).ours(tree, &burgess.model);
        }
        self.work = work;
        Ok(())
    }

    fn run(&mut self, side: usize) {
        let calls = if side == OURS { 1 } else { self.calls };
        self.chains[side].1.run(self.work * calls);
    }

    fn agree(&mut self) -> Result<()> {
        match self.chains.iter().flat_map(|(_, burgess)| &burgess.accelerations).find(|a| !a.is_finite()) {
            Some(acceleration) => bail!("an acceleration is not finite: {acceleration}"),
            None => Ok(()),
        }
    }
}
