//! The accuracy tests of SimBenchmark (<https://leggedrobotics.github.io/SimBenchmark>): scenes with a closed-form
//! solution or a conserved quantity. The error is the time mean of a squared quantity, evaluated before every step.
//!
//! Tests take a [`Simulate`], which creates a simulation of a world; [`with`] creates one from a paradigm and a time
//! step.

mod bouncing;
mod elastic_666;
mod forces;
mod quadruped;
mod quadruped_energy;
mod quadruped_momentum;
mod rolling;
mod sixsixsix;

use anyhow::Result;
use burgess_dynamics::State;
use burgess_paradigms::Paradigm;
use burgess_simulation::{Simulation, World, WorldError};

pub use bouncing::bouncing;
pub use elastic_666::{elastic_666, elastic_666_median};
pub use forces::SteadyForce;
pub use quadruped::Quadruped;
pub use quadruped_energy::quadruped_energy;
pub use quadruped_momentum::{Momenta, quadruped_momentum};
pub use rolling::rolling;
pub use sixsixsix::{Heap, heap_666};

/// Creates a simulation of a world.
pub type Simulate<'a> = dyn Fn(World, State) -> Result<Simulation, WorldError> + 'a;

/// Returns a [`Simulate`] for a paradigm with default settings and a time step in s.
pub fn with(paradigm: Paradigm, step: f64) -> impl Fn(World, State) -> Result<Simulation, WorldError> {
    move |world, state| paradigm.simulate(world, state, step)
}

/// A measured quantity and its upper bound.
#[derive(Debug, Clone)]
pub struct Test {
    /// Name in tables.
    pub name: &'static str,
    /// Unit of the quantity.
    pub unit: &'static str,
    /// Best published result at 1 ms and its simulator; `None` if there is none.
    pub best_known: Option<(f64, &'static str)>,
    /// Upper bound for Burgess at 1 ms.
    pub goal: f64,
    /// Measures the quantity.
    pub run: fn(&Simulate) -> Result<f64>,
}

/// Number of random displacements of the elastic heap, which is chaotic; the result is the median.
pub const JITTERS: [u64; 5] = [1, 2, 3, 4, 5];

const fn rolling_test(name: &'static str, run: fn(&Simulate) -> Result<f64>) -> Test {
    Test { name, unit: "m^2/s^2", best_known: Some((4.1e-7, "RaiSim")), goal: 4e-7, run }
}

/// All tests, in table order.
pub const TESTS: [Test; 9] = [
    rolling_test("rolling, y", |simulate| rolling(simulate, rolling::ALONG_Y)),
    rolling_test("rolling, xy", |simulate| rolling(simulate, rolling::ALONG_XY)),
    Test { name: "bouncing", unit: "J^2", best_known: Some((0.0186, "RaiSim")), goal: 0.0186, run: bouncing },
    Test {
        name: "666",
        unit: "m^2",
        best_known: Some((1.35e-4, "RaiSim")),
        goal: 1.3e-4,
        run: |simulate| Ok(heap_666(simulate, JITTERS[0])?.error),
    },
    Test {
        name: "666, hovering",
        unit: "m",
        best_known: None,
        goal: 1e-4,
        run: |simulate| {
            let heap = heap_666(simulate, JITTERS[0])?;
            // At least all balls of the lowest layer.
            anyhow::ensure!(heap.resting >= 36, "only {} balls came to rest", heap.resting);
            Ok(heap.hovering)
        },
    },
    Test {
        name: "elastic 666",
        unit: "J^2",
        best_known: Some((8.4, "RaiSim")),
        goal: 8.0,
        run: |simulate| elastic_666_median(simulate, &JITTERS),
    },
    Test {
        name: "quadruped, momentum",
        unit: "kg^2 m^2/s^2",
        best_known: None,
        goal: 1e-20,
        run: |simulate| Ok(quadruped_momentum(simulate)?.linear),
    },
    Test {
        name: "quadruped, angular momentum",
        unit: "kg^2 m^4/s^2",
        best_known: None,
        goal: f64::INFINITY,
        run: |simulate| Ok(quadruped_momentum(simulate)?.angular),
    },
    Test { name: "quadruped, energy", unit: "J^2", best_known: None, goal: f64::INFINITY, run: quadruped_energy },
];

/// Simulates until `seconds` and returns the mean of `square`, evaluated before every step.
pub(crate) fn time_mean(
    simulation: &mut Simulation,
    seconds: f64,
    mut square: impl FnMut(&mut Simulation) -> f64,
) -> Result<f64> {
    let (mut sum, mut samples) = (0.0, 0.0);
    let end = simulation.state().time + seconds;
    while simulation.state().time < end - 0.5 * simulation.step_length() {
        sum += square(simulation);
        samples += 1.0;
        simulation.step()?;
    }
    Ok(sum / samples)
}
