//! Flows and their vortex tubes: making and reading of flow fields, extraction of vortex cores and sections, tracking
//! of tubes over time, and a compact file for their history.
//!
//! ```
//! use burgess_flow::extract::{ExtractSettings, extract};
//! use burgess_flow::flows::{FlowName, FlowOptions, make};
//!
//! let options = FlowOptions { points: 24, steps: 1, ..FlowOptions::of(FlowName::Ring) };
//! let mut flow = make(FlowName::Ring, &options).unwrap();
//! let field = flow.fields.next().unwrap().unwrap();
//! let tubes = extract(&field, &ExtractSettings::default()).tubes;
//! assert_eq!(tubes.len(), 1);
//! assert!(tubes[0].closure.is_some());
//! ```

pub mod differences;
pub mod extract;
pub mod field;
pub mod field_file;
pub mod filament;
pub mod flows;
pub mod fourier;
pub mod grid;
pub mod pipeline;
pub mod read;
pub mod reconnection;
pub mod spline;
pub mod track;
pub mod tubes;
