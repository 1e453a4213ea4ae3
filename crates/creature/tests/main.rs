//! All integration tests of the crate in one program, because one program links faster than many.

mod builtin_creatures;
mod common;
mod contests;
mod crowd_tasks;
mod development;
mod episodes;
mod evaluation;
mod evaluation_determinism;
mod exploits;
mod golden_files;
mod graph_growth;
mod graph_operators;
mod graph_vitality;
mod handmade_creatures;
mod inhabited;
mod legged_growth;
mod legged_operators;
mod legged_walking;
mod networks;
mod portraits;
mod spectra;
mod storage;
mod tasks;
mod trial_preview;
mod verification;
mod viability;
