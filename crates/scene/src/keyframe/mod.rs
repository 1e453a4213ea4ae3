//! Keyframes, other states to start from: spec, checks, and starting from one.

mod check;
pub(crate) mod spec;
mod start;

pub(crate) use check::{check_keyframe, check_keyframes, check_names};
pub(crate) use start::start_from;
