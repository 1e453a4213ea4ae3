//! What the program prints without arguments: the commands that newcomers need first.

use std::process::ExitCode;

use anyhow::Result;

use crate::output::print;
use crate::program::program;

/// Prints the first commands.
pub fn show() -> Result<ExitCode> {
    let name = program();
    let steps = [
        ("evolve walk", "evolve creatures that walk, and watch them in the browser meanwhile"),
        ("watch walker", "watch a creature that comes with the program"),
        ("serve", "open the page: creatures, scenes, and the runs of this folder"),
        ("simulate stack", "simulate a scene and print what happened"),
    ];
    let mut text = "Burgess evolves virtual creatures, body and brain together, in a physically simulated world.\n\n\
                    Start with one of these:\n\n"
        .to_string();
    for (command, what) in steps {
        text += &format!("  {:<width$}  {what}\n", format!("{name} {command}"), width = name.len() + 15);
    }
    text += &format!("\n`{name} help` lists all commands, and `{name} help COMMAND` explains one, with examples.\n");
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
