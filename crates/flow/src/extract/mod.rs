//! Extraction of vortex tubes from a field at one moment, after Banks and Singer (1994): cores are traced along the
//! vorticity (predictor) and kept on the minimum of pressure across it (corrector).

mod corrector;
mod measure;
mod occupancy;
mod parallel_vectors;
mod seeds;
mod trace;

use glam::DVec3;
use thiserror::Error;

use crate::field::FlowField;
use crate::spline::FieldSpline;
use crate::tubes::Tube;
use measure::measure;
use occupancy::Occupancy;
use seeds::find_seeds;
use trace::Tracer;

/// Settings of the extraction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExtractSettings {
    /// Smallest vorticity of a seed, in multiples of the root mean square. A core ends at half of it.
    pub vorticity: f64,
    /// How far the pressure of a seed is below the mean, in standard deviations. A core ends at the mean.
    pub pressure: f64,
    /// Smallest length of a tube, in cells.
    pub min_length: f64,
    /// Largest number of tubes per step.
    pub max_tubes: usize,
}

impl Default for ExtractSettings {
    fn default() -> Self {
        Self { vorticity: 1.2, pressure: 0.5, min_length: 4.0, max_tubes: 4096 }
    }
}

/// Why settings are not valid.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("{name} must be from {least} to {most}, found {found}")]
pub struct SettingsError {
    name: &'static str,
    least: f64,
    most: f64,
    found: f64,
}

impl ExtractSettings {
    /// Checks the ranges of the settings.
    pub fn check(&self) -> Result<(), SettingsError> {
        let ranges = [
            ("the least vorticity", self.vorticity, 0.0, 1e3),
            ("the depth of pressure", self.pressure, 0.0, 1e3),
            ("the least length", self.min_length, 1.0, 1e6),
            ("the number of tubes", self.max_tubes as f64, 1.0, 1e6),
        ];
        let bad = ranges.into_iter().find(|(_, found, least, most)| !(found >= least && found <= most));
        bad.map_or(Ok(()), |(name, found, least, most)| Err(SettingsError { name, least, most, found }))
    }
}

/// The tubes of one step and how they were found.
#[derive(Debug, Clone, PartialEq)]
pub struct Extraction {
    /// The tubes, those with the lowest pressure first.
    pub tubes: Vec<Tube>,
    /// Number of seeds.
    pub seeds: usize,
    /// Number of core points that parallel vectors found where the pressure had no minimum nearby.
    pub second_opinions: usize,
}

/// Finds the vortex tubes of a field.
pub fn extract(field: &FlowField, settings: &ExtractSettings) -> Extraction {
    let spline = FieldSpline::new(field);
    let (seeds, thresholds) = find_seeds(field, settings);
    let mut occupancy = Occupancy::new(*field.grid());
    let mut extraction = Extraction { tubes: Vec::new(), seeds: seeds.len(), second_opinions: 0 };
    for seed in seeds {
        if extraction.tubes.len() == settings.max_tubes {
            break;
        }
        if occupancy.is_taken(seed) {
            continue;
        }
        let mut tracer = Tracer::new(&spline, &occupancy, thresholds);
        let Some(core) = tracer.trace(seed) else { continue };
        if core.length() < settings.min_length * field.grid().cell() {
            continue;
        }
        extraction.second_opinions += tracer.second_opinions();
        let tube = measure(&spline, &core);
        occupancy.mark(&tube);
        extraction.tubes.push(tube);
    }
    extraction
}

/// The core of a tube before its sections are measured.
#[derive(Debug, Clone, PartialEq)]
struct Core {
    positions: Vec<DVec3>,
    closure: Option<DVec3>,
}

impl Core {
    fn length(&self) -> f64 {
        self.positions.windows(2).map(|pair| (pair[1] - pair[0]).length()).sum()
    }
}
