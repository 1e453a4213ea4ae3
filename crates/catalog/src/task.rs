//! Resolution of tasks: built-in ones and task files.

use std::path::Path;

use burgess_creature::task::Task;

use crate::CatalogError;

/// Loads a task by name or file. A built-in name takes precedence over a file of the same name; `./NAME` is always a
/// file.
pub fn find_task(word: &str) -> Result<Task, CatalogError> {
    let unknown = match Task::preset(word) {
        Ok(task) => return Ok(task),
        Err(unknown) => unknown,
    };
    let path = Path::new(word);
    let is_file_name = path.extension().is_some() || word.contains(std::path::is_separator);
    if !is_file_name && !path.exists() {
        return Err(CatalogError::Task(unknown));
    }
    Ok(Task::from_file(&read_text(path)?, word)?)
}

/// Reads a text file, unless it is larger than files of scenes and tasks may be.
pub fn read_text(path: &Path) -> Result<String, CatalogError> {
    if path.is_dir() {
        return Err(CatalogError::Folder(path.to_path_buf()));
    }
    burgess_files::read_text(path).map_err(|fault| CatalogError::Text { file: path.display().to_string(), fault })
}
