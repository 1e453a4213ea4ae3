//! All integration tests of the crate in one program, because one program links faster than many.

mod algorithms;
mod archive;
mod common;
mod configuration;
mod contest;
mod evaluators;
mod interventions;
mod look;
mod nats_access;
mod nats_faults;
mod order;
mod selection;
mod servers;
mod syllabus;
