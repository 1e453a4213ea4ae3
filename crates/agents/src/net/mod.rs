//! Behaviour nets (Granieri et al. 1995, section 2): perceptual, control and motor nodes that are joined by links which
//! carry numbers.
//!
//! | file | subject |
//! |---|---|
//! | `node` | the kinds of nodes, and what control nodes emit |
//! | `sense` | what perceptual nodes see |
//! | `behaviour` | the net: links, the two phases of a step, the energy of a place |

mod behaviour;
mod node;
mod sense;

pub use behaviour::{BehaviourNet, Link, LinkKind, NetError};
pub use node::{Averaging, Control, Node, NodeKind, Output, Sensor};
pub use sense::{Pose2, Surroundings};
