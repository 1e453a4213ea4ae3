//! Flows that are made without data of others.

mod closed_forms;
mod hairpins;
mod rings;
mod solved;
mod straight;

use glam::DVec3;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::field::{FieldError, FlowField};
use crate::filament::Filament;
use crate::fourier::biot_savart::{velocity_of, vorticity_of};
use crate::fourier::periodic_pressure;
use crate::fourier::solver::SolverError;
use crate::grid::{Grid, GridError};

pub use closed_forms::abc_velocity;
pub use solved::{shear_velocity, taylor_green_velocity};
pub use straight::StraightVortex;

/// A flow by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FlowName {
    /// A straight or bent vortex that spreads by viscosity (Lamb, Oseen).
    LambOseen,
    /// The flow of Arnold, Beltrami and Childress.
    Abc,
    /// A vortex ring that moves along its axis.
    Ring,
    /// Two rings that pass through each other in turn.
    Leapfrog,
    /// Two rings side by side that meet and join.
    Collision,
    /// The vortices of Taylor and Green, which break down.
    TaylorGreen,
    /// Two layers of shear that roll up.
    Shear,
    /// Hairpin and necklace vortices over a wall.
    Hairpins,
}

/// All flows.
pub const FLOWS: [FlowName; 8] = [
    FlowName::LambOseen,
    FlowName::Abc,
    FlowName::Ring,
    FlowName::Leapfrog,
    FlowName::Collision,
    FlowName::TaylorGreen,
    FlowName::Shear,
    FlowName::Hairpins,
];

impl FlowName {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::LambOseen => "lamb-oseen",
            Self::Abc => "abc",
            Self::Ring => "ring",
            Self::Leapfrog => "leapfrog",
            Self::Collision => "collision",
            Self::TaylorGreen => "taylor-green",
            Self::Shear => "shear",
            Self::Hairpins => "hairpins",
        }
    }

    /// The flow of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        FLOWS.into_iter().find(|flow| flow.name() == name)
    }

    /// What the flow is, in a few words.
    pub fn description(self) -> &'static str {
        match self {
            Self::LambOseen => "a vortex that spreads by viscosity; --bend makes it a helix",
            Self::Abc => "the flow of Arnold, Beltrami and Childress",
            Self::Ring => "a vortex ring that moves along its axis",
            Self::Leapfrog => "two rings that pass through each other in turn",
            Self::Collision => "two rings side by side that meet and join",
            Self::TaylorGreen => "vortices of Taylor and Green that break down (solved)",
            Self::Shear => "two layers of shear that roll up (solved)",
            Self::Hairpins => "hairpin and necklace vortices over a wall",
        }
    }

    /// Number of steps and time between them, unless options say otherwise.
    pub fn default_steps(self) -> (usize, f64) {
        match self {
            Self::LambOseen | Self::Abc => (8, 0.25),
            Self::Ring => (24, 0.2),
            Self::Leapfrog => (72, 0.1),
            Self::Collision => (60, 0.1),
            Self::TaylorGreen => (41, 0.25),
            Self::Shear => (49, 0.5),
            Self::Hairpins => (80, 0.2),
        }
    }

    /// Reynolds number, unless options say otherwise.
    pub fn default_reynolds(self) -> f64 {
        match self {
            Self::TaylorGreen => 400.0,
            Self::Shear => 200.0,
            _ => 2000.0,
        }
    }
}

/// Options of a flow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlowOptions {
    /// Points per side of the box.
    pub points: usize,
    /// Number of steps.
    pub steps: usize,
    /// Time from one step to the next.
    pub interval: f64,
    /// Reynolds number: circulation, or speed times length, divided by the viscosity.
    pub reynolds: f64,
    /// Radius of the helix of a bent vortex, as a share of the side of the box; 0 for a straight one.
    pub bend: f64,
}

/// Largest number of steps.
pub const MAX_STEPS: usize = 100_000;

impl FlowOptions {
    /// The options that a flow has by default.
    pub fn of(flow: FlowName) -> Self {
        let (steps, interval) = flow.default_steps();
        Self { points: 64, steps, interval, reynolds: flow.default_reynolds(), bend: 0.0 }
    }

    fn check(&self) -> Result<(), MakeError> {
        let ranges = [
            ("size", self.points as f64, 8.0, 512.0),
            ("steps", self.steps as f64, 1.0, MAX_STEPS as f64),
            ("interval", self.interval, 1e-6, 1e6),
            ("reynolds", self.reynolds, 1.0, 1e9),
            ("bend", self.bend, 0.0, 0.25),
        ];
        let bad = ranges.into_iter().find(|(_, found, least, most)| !(found >= least && found <= most));
        bad.map_or(Ok(()), |(name, found, least, most)| Err(MakeError::Option { name, least, most, found }))
    }
}

/// Why a flow cannot be made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MakeError {
    /// An option is out of its range.
    #[error("--{name} must be from {least} to {most}, found {found}")]
    Option {
        /// Name of the option.
        name: &'static str,
        /// Least value.
        least: f64,
        /// Largest value.
        most: f64,
        /// The value.
        found: f64,
    },
    /// The grid is not valid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The field is not valid.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The flow cannot be solved.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

/// The fields of a flow, step by step.
pub type Fields = Box<dyn Iterator<Item = Result<FlowField, MakeError>> + Send>;

/// A flow that is being made.
pub struct MadeFlow {
    /// The grid.
    pub grid: Grid,
    /// Whether the lowest plane is a wall.
    pub wall: bool,
    /// Velocity of the outer flow.
    pub wind: DVec3,
    /// The fields.
    pub fields: Fields,
}

/// Makes a flow. Fields are computed when they are asked for.
pub fn make(flow: FlowName, options: &FlowOptions) -> Result<MadeFlow, MakeError> {
    options.check()?;
    match flow {
        FlowName::LambOseen if options.bend > 0.0 => rings::bent_vortex(options),
        FlowName::LambOseen => straight::straight_vortex(options),
        FlowName::Abc => closed_forms::abc(options),
        FlowName::Ring => rings::ring(options),
        FlowName::Leapfrog => rings::leapfrog(options),
        FlowName::Collision => rings::collision(options),
        FlowName::TaylorGreen => solved::taylor_green(options),
        FlowName::Shear => solved::shear(options),
        FlowName::Hairpins => hairpins::hairpins(options),
    }
}

/// The field of filaments in a periodic box at a time.
pub fn filament_field(grid: &Grid, time: f64, filaments: &[Filament]) -> Result<FlowField, FieldError> {
    let velocity = velocity_of(grid, &vorticity_of(grid, filaments));
    let pressure = periodic_pressure(grid, &velocity);
    FlowField::from_f64(*grid, time, &velocity, &pressure)
}

/// A vector function at the points of a grid.
pub(crate) fn at_points(grid: &Grid, formula: impl Fn(DVec3) -> DVec3) -> [Vec<f64>; 3] {
    let mut values = [(); 3].map(|()| Vec::with_capacity(grid.points()));
    for index in 0..grid.points() {
        let vector = formula(grid.position(grid.point(index)));
        for axis in 0..3 {
            values[axis].push(vector[axis]);
        }
    }
    values
}
