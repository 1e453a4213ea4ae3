//! Names of the figures of individuals in requests.

use burgess_creature::evaluation::Descriptors;
use burgess_creature::task::Measure;
use burgess_evolution::{Figure, FigureRange};

use crate::error::ApiError;

/// Whether a name is that of a measure or a descriptor.
pub(super) fn is_measured(name: &str) -> bool {
    let mut known = Descriptors::NAMES.into_iter().chain(Measure::ALL.iter().map(|measure| measure.name()));
    known.any(|known| known == name)
}

/// Finds a figure by its name.
pub(super) fn figure_of(name: &str) -> Result<Figure, ApiError> {
    match name {
        "id" => Ok(Figure::Id),
        "generation" => Ok(Figure::Generation),
        "fitness" => Ok(Figure::Fitness),
        name if is_measured(name) => Ok(Figure::Named(name.to_string())),
        other => Err(ApiError::bad(format!(
            "unknown figure '{other}', expected id, generation, fitness, a measure or a descriptor"
        ))),
    }
}

/// The interval of a figure, if one is given. A missing end is unbounded.
pub(super) fn range_of(
    name: Option<&str>,
    low: Option<&str>,
    high: Option<&str>,
) -> Result<Option<FigureRange>, ApiError> {
    let end = |text: Option<&str>, missing: f64| match text.filter(|text| !text.is_empty()) {
        None => Ok(missing),
        Some(text) => {
            let number = text.parse::<f64>().ok().filter(|number| !number.is_nan());
            number.ok_or_else(|| ApiError::bad(format!("the end of an interval must be a number, found '{text}'")))
        }
    };
    let (low, high) = (end(low, f64::NEG_INFINITY)?, end(high, f64::INFINITY)?);
    match name.filter(|name| !name.is_empty()) {
        Some(name) => Ok(Some(FigureRange { figure: figure_of(name)?, low, high })),
        None if low.is_finite() || high.is_finite() => {
            Err(ApiError::bad("an interval needs the name of a figure, as x or y"))
        }
        None => Ok(None),
    }
}
