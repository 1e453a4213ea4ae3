//! Pedestrians and vehicles as bodies of a simulation.
//!
//! A pedestrian or a vehicle is a body on three axes: a slide along x, a slide along y, and a hinge about z. Motors
//! drive it along the path of its walker, so it has mass, it is hit by what flies into it, and nothing drives through
//! it. A body that was pushed off its path walks on from where it is.
//!
//! | file | subject |
//! |---|---|
//! | `plan` | what a scene says: bodies, goals, gates, signals, networks, lanes |
//! | `layout` | where everything is in the memory of the controller |
//! | `driver` | the high-level controller |
//! | `watch` | networks and nets of one step |
//! | `traffic` | vehicles on lanes |

mod driver;
mod layout;
mod plan;
mod traffic;
mod watch;

pub use driver::Pedestrians;
pub use layout::Layout;
pub use plan::{Lane, Plan, StopLine, VehiclePlan, WALKER_VARIABLES};
