//! Vortex tubes: a core curve with a section and quantities at each of its points.

mod curve;
mod encode;
mod frame;
mod history;
mod section;
mod stored;
mod thin;
mod tube;

pub use curve::Curve;
pub use encode::{StepError, decode_step, encode_step};
pub use frame::{frames, reference_normal};
pub use history::{HistoryError, HistoryHeader, HistoryReader, StepEntry, write_history};
pub use section::{ANGLES, Section, TERMS};
pub use stored::{POINT_FLOATS, StoredPoint, StoredStep, StoredTube};
pub use thin::{Thinned, thin};
pub use tube::{CorePoint, QUANTITIES, Quantity, Tube};
