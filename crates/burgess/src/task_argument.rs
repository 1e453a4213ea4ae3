//! TASK on the command line: the name of a task that comes with the program, or a task file.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use burgess_creature::task::{Task, UnknownTask};
use burgess_files::MAX_FILE_BYTES;

/// Finds a task. A built-in one comes before a file of the same name; `./NAME` is always a file.
pub fn find_task(word: &str) -> Result<Task> {
    let unknown = match Task::preset(word) {
        Ok(task) => return Ok(task),
        Err(unknown) => unknown,
    };
    let path = Path::new(word);
    let is_file_name = path.extension().is_some() || word.contains(std::path::is_separator);
    if !is_file_name && !path.exists() {
        return Err(what_there_is(&unknown));
    }
    let text = read_text(word)?;
    Ok(Task::from_toml(&text, word)?)
}

/// What a file says, if it is not too long.
pub fn read_text(word: &str) -> Result<String> {
    let path = Path::new(word);
    let mut text = String::new();
    let file = std::fs::File::open(path).with_context(|| format!("{word}: cannot be read"))?;
    file.take(MAX_FILE_BYTES + 1).read_to_string(&mut text).with_context(|| format!("{word}: cannot be read"))?;
    if text.len() as u64 > MAX_FILE_BYTES {
        bail!("{word}: has more than {MAX_FILE_BYTES} bytes, the longest that such a file may be");
    }
    Ok(text)
}

/// There is no such task, and where to look.
pub fn what_there_is(unknown: &UnknownTask) -> anyhow::Error {
    let pause = if unknown.suggestion.is_some() { " " } else { "; " };
    anyhow!("{unknown}{pause}`burgess tasks` lists all")
}
