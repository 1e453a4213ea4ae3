//! The command line of Burgess.

mod bounce;
mod cave;
mod creature_argument;
mod creatures;
mod evolve;
mod export;
mod first_steps;
mod flow;
mod import;
mod interruption;
mod lineage;
mod matches;
mod nats_arguments;
mod notices;
mod output;
mod page;
mod picture;
mod program;
mod referee;
mod refusal;
mod salvage;
mod scene_argument;
mod scenes;
mod serve;
mod shell;
mod simulate;
mod spaces;
mod take_argument;
mod tasks;
mod tournament;
mod verify;
mod watch;
mod worker;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::program::{help_with_program_name, with_program_name};
use crate::refusal::{prepared, refuse, similar_file};

/// Evolve virtual creatures, body and brain together, in a physically simulated world.
///
/// Start with `burgess evolve walk`. You can also simulate built-in creatures (`burgess creatures` lists them),
/// scenes (`burgess simulate stack`) and robots in MJCF or URDF files (`burgess simulate robot.xml`), or run the
/// collision detection alone (`burgess bounce`).
#[derive(Parser)]
#[command(
    name = "burgess",
    version = env!("BURGESS_VERSION"),
    after_help = "Examples:
  burgess evolve walk            evolve creatures that walk, and watch them in the browser meanwhile
  burgess watch walker           watch a creature that comes with the program
  burgess match grappler walker  let two creatures play for a cube
  burgess help evolve            explain one command, with examples"
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Evolve(evolve::Evolve),
    Resume(evolve::Resume),
    Worker(worker::Worker),
    #[command(hide = true)]
    WorkerChild(worker::WorkerChild),
    Simulate(simulate::Simulate),
    Watch(watch::Watch),
    Serve(serve::Serve),
    Scenes(scenes::Scenes),
    Creatures(creatures::Creatures),
    Spaces(spaces::Spaces),
    Tasks(tasks::Tasks),
    Verify(verify::Verify),
    Lineage(lineage::Lineage),
    Match(matches::Match),
    Tournament(tournament::TournamentCommand),
    Salvage(salvage::Salvage),
    Import(import::Import),
    Export(export::Export),
    Picture(picture::Picture),
    Bounce(bounce::Bounce),
    Flow(flow::Flow),
    Completions(shell::Completions),
    Man(shell::Man),
}

/// An error that the input did not cause: exit code 1 instead of 2.
#[derive(Debug)]
pub struct Failed(pub anyhow::Error);

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

impl std::error::Error for Failed {}

/// Runs the command. Exit codes: 0 done, 1 failed, 2 bad usage or input.
fn main() -> ExitCode {
    let command = help_with_program_name(prepared(Arguments::command()));
    let matches = command.try_get_matches().unwrap_or_else(|error| refuse(error));
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| refuse(error));
    let Some(command) = arguments.command else { return finish(first_steps::show()) };
    finish(match command {
        Command::Evolve(evolve) => evolve.run(),
        Command::Resume(resume) => resume.run(),
        Command::Worker(worker) => worker.run(),
        Command::WorkerChild(child) => child.run(),
        Command::Simulate(simulate) => simulate.run(),
        Command::Watch(watch) => watch.run(),
        Command::Serve(serve) => serve.run(),
        Command::Scenes(scenes) => scenes.run(),
        Command::Creatures(creatures) => creatures.run(),
        Command::Spaces(spaces) => spaces.run(),
        Command::Tasks(tasks) => tasks.run(),
        Command::Verify(verify) => verify.run(),
        Command::Lineage(lineage) => lineage.run(),
        Command::Match(played) => played.run(),
        Command::Tournament(tournament) => tournament.run(),
        Command::Salvage(salvage) => salvage.run(),
        Command::Import(import) => import.run(),
        Command::Export(export) => export.run(),
        Command::Picture(picture) => picture.run(),
        Command::Bounce(bounce) => bounce.run(),
        Command::Flow(flow) => flow.run(),
        Command::Completions(completions) => completions.run(Arguments::command()),
        Command::Man(man) => man.run(Arguments::command()),
    })
}

/// Reports an error, and returns the exit code.
fn finish(result: anyhow::Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) => {
            let hint = similar_file(&error).map_or(String::new(), |file| format!("; did you mean '{file}'?"));
            eprintln!("burgess: {}{hint}", with_program_name(&format!("{error:#}")));
            ExitCode::from(if error.is::<Failed>() { 1 } else { 2 })
        }
    }
}
