//! All integration tests of the crate in one program, because one program links faster than many.

mod command_line;
mod commands;
mod common;
mod contests;
mod creatures;
mod dependencies;
mod documents;
mod evolve;
mod export;
mod flow;
mod front_page;
mod import;
mod older_runs;
mod pictures;
mod referee;
mod release;
mod salvage;
mod scenes;
mod serve;
mod spaces;
mod verify;
mod worker;
