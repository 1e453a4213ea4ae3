//! Flocks (Reynolds 1987; Timchenko 2007, section V.B.5 and appendix A): each member steers by what it sees of the
//! others.
//!
//! | file | subject |
//! |---|---|
//! | `settings` | the numbers that shape a flock |
//! | `steering` | the rules: what one member does about what it sees |
//! | `nearest` | who is nearest to whom |
//! | `obstacles` | distances to the colliders that members avoid |
//! | `pilot` | the high-level controller that decides |
//! | `flight` | the low-level controller that exerts the forces and turns the bodies |

mod flight;
mod nearest;
mod obstacles;
mod pilot;
mod settings;
mod steering;

pub use flight::{FlockFlight, Flyer};
pub use pilot::FlockPilot;
pub use settings::FlockSettings;
pub use steering::{Neighbour, Steering};
