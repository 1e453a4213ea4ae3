//! All integration tests of the crate in one program, because one program links faster than many.

mod algorithms;
mod archive;
mod champions;
mod common;
mod configuration;
mod contest;
mod crowds;
mod damaged_archives;
mod evaluators;
mod interventions;
mod live_interventions;
mod nats_access;
mod nats_faults;
mod nats_in_flight;
mod older_archives;
mod order;
mod populations;
mod queries;
mod racing;
mod selection;
mod servers;
mod short_runs;
mod stages;
mod syllabus;
mod windows;
