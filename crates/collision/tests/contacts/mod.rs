//! Contact determination and contact analysis.

mod allocation;
mod closed_forms;
mod groups;
mod persistence;
mod properties;
mod setup;
mod support;
mod tracking;
