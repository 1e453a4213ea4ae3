//! Crowds: people who walk by steps to their goals, round obstacles and each other.
//!
//! | file | subject |
//! |---|---|
//! | `settings` | the numbers that shape a crowd |
//! | `floor` | the extent, obstacles and gates |
//! | `field` | the shortest ways to a goal, by fast marching |
//! | `pace` | speed by density (Weidmann 1993) |
//! | `gait` | feet and steps |
//! | `walker` | one person, and its form as numbers |
//! | `neighbours` | who is near whom |
//! | `view` | what a walker knows, and the energies of its next steps |
//! | `decision` | the choice of the next step |
//! | `group` | all walkers, and one step of time |
//! | `measures` | flow, density and speed; trajectories as a file |
//! | `plane` | distances in the plane |

mod decision;
mod field;
mod floor;
mod gait;
mod group;
mod measures;
mod neighbours;
mod pace;
pub(crate) mod plane;
mod settings;
mod view;
mod walker;

pub use field::{FieldGrid, FloorField, Region};
pub use floor::{Floor, FloorError, Gate, Obstacle};
pub use gait::{Foot, Gait, STRIDES};
pub use group::{Crowd, Influence, NoInfluence};
pub use measures::{Line, Measures, Trajectories};
pub use pace::{FREE_SPEED, speed_share};
pub use settings::CrowdSettings;
pub use view::{Goal, Mover, Near};
pub use walker::{Activity, WALKER_NUMBERS, Walker};
