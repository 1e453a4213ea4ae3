//! The command line of Burgess.

mod bounce;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Evolves virtual creatures, body and brain together, in a physically simulated world.
///
/// What is there so far is the world's collision detection, to be watched at work with `burgess bounce`.
#[derive(Parser)]
#[command(name = "burgess", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Bounce(bounce::Bounce),
}

/// Exit codes: 0 done, 1 failed, 2 bad usage or input.
fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Bounce(bounce) => bounce.run(),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("burgess: {error:#}");
            ExitCode::from(2)
        }
    }
}
