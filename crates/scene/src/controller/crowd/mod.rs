//! Pedestrians and vehicles of a scene.
//!
//! | file | subject |
//! |---|---|
//! | `spec` | the crowd: bodies, floor, goals, gates, lanes |
//! | `behaviour` | specs of behaviour nets and transition networks |
//! | `names` | names and what they stand for |
//! | `net` | checks and building of nets and networks |
//! | `plan` | checks and building of the whole |

pub(crate) mod behaviour;
mod names;
mod net;
mod plan;
pub(crate) mod spec;
