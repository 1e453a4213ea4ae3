//! Scenes as text that viewers edit. Files that a text names are searched in the run directory only.

use std::fmt;
use std::path::{Path, PathBuf};

use burgess_catalog::RUN_EXTENSION;
use burgess_files::{Fault, read_text};
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, SceneError, SceneFile, SceneFolder};
use serde::Serialize;

use super::library::{Library, MAX_NAME_BYTES};

/// Maximum size of the text of a scene, in bytes.
pub const MAX_TEXT_BYTES: usize = 1 << 20;
/// Maximum length of a message, in characters. Texts of users may be quoted in it.
const MAX_MESSAGE: usize = 500;

/// What is wrong with the text of a scene.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TextFault {
    /// Line of the fault, from 1, if it has one.
    pub line: Option<usize>,
    /// The field, such as `bodies[3].shapes[0].radius`; empty for the text as a whole.
    pub field: String,
    /// Name of the included file that has the fault; null if it is in the text itself.
    pub file: Option<String>,
    /// What was found and what was expected.
    pub message: String,
}

impl TextFault {
    fn whole(message: impl Into<String>) -> Self {
        Self { line: None, field: String::new(), file: None, message: message.into() }
    }
}

impl fmt::Display for TextFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}, ")?;
        }
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}

/// The files in the run directory that a text may name.
struct TextFiles<'a>(&'a Library);

impl TextFiles<'_> {
    /// The path of a file with a plain name.
    fn path(&self, file: &Path) -> Result<PathBuf, Fault> {
        let refused =
            || Fault::Conflict("only files in the run directory can be used, by their plain names".to_string());
        let name = file.to_str().ok_or_else(refused)?;
        // Closing the file of a run would release the locks that SQLite holds in this process.
        if name.contains(&format!(".{RUN_EXTENSION}")) {
            return Err(refused());
        }
        let path = self.0.file(name).map_err(|_| refused())?;
        let missing = || Fault::Conflict(format!("there is no file '{name}' in the run directory"));
        if path.is_file() { Ok(path) } else { Err(missing()) }
    }
}

impl SceneFolder for TextFiles<'_> {
    fn text(&self, file: &Path) -> Result<String, Fault> {
        let path = self.path(file)?;
        let bytes = path.metadata().map_err(Fault::Unreadable)?.len();
        if bytes > MAX_TEXT_BYTES as u64 {
            return Err(Fault::TooLong { limit: MAX_TEXT_BYTES as u64 });
        }
        read_text(&path)
    }

    fn check_mesh(&self, file: &Path) -> Result<(), Fault> {
        self.path(file).map(|_| ())
    }

    fn identity(&self, file: &Path) -> PathBuf {
        file.to_path_buf()
    }
}

/// Reads a scene from text, and builds its world once to find what is wrong with it. The result needs no other files.
pub fn read_scene(name: &str, text: &str, library: &Library) -> Result<SceneSpec, TextFault> {
    if name.len() > MAX_NAME_BYTES {
        let found = name.len();
        return Err(TextFault::whole(format!("the name has {found} bytes, expected at most {MAX_NAME_BYTES}")));
    }
    if text.len() > MAX_TEXT_BYTES {
        let found = text.len();
        return Err(TextFault::whole(format!("the text has {found} bytes, expected at most {MAX_TEXT_BYTES}")));
    }
    let fault = |error: SceneError| fault_of(&error, name, library);
    let file = SceneFile::from_text(text, name, &TextFiles(library)).map_err(fault)?;
    let file = file.self_contained(library.folder()).map_err(fault)?;
    file.run(&RunOptions::default()).map_err(fault)?;
    let mut scene = file.spec().clone();
    if scene.name.is_empty() {
        scene.name = name.trim_end_matches(".toml").to_string();
    }
    Ok(scene)
}

fn fault_of(error: &SceneError, name: &str, library: &Library) -> TextFault {
    let location = &error.location;
    // Paths of this machine are not for clients.
    let folder = format!("{}/", library.folder().display());
    let message = error.fault.to_string().replace(&folder, "");
    let is_other = location.line.is_some() && location.file != name;
    TextFault {
        line: location.line,
        field: location.field.to_string(),
        file: is_other.then(|| location.file.clone()),
        message: message.chars().take(MAX_MESSAGE).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BALL: &str = "name = 'ball'\n\n[[bodies]]\nname = 'b'\nposition = [0, 0, 3]\n\
                        shapes = [{ type = 'sphere', radius = 0.5 }]\n";

    fn refusal(text: &str) -> TextFault {
        read_scene("mine.toml", text, &Library::new("/nowhere")).unwrap_err()
    }

    #[test]
    fn faults_have_their_lines_and_fields() {
        assert_eq!(read_scene("mine.toml", BALL, &Library::new("/nowhere")).unwrap().name, "ball");
        let negative = refusal(&BALL.replace("0.5", "-0.5"));
        assert_eq!((negative.line, negative.field.as_str()), (Some(6), "bodies[0].shapes[0].radius"));
        let syntax = refusal("name = 'ball'\n\n[[bodies]\n");
        assert_eq!(syntax.line, Some(3), "{syntax}");
        let unknown = refusal(&BALL.replace("position", "postion"));
        assert_eq!(unknown.line, Some(5), "{unknown}");
        assert!(unknown.message.contains("did you mean 'position'"), "{unknown}");
    }

    #[test]
    fn a_text_that_passes_the_checks_may_fail_to_build() {
        let other = "[[bodies]]\nname = 'c'\nposition = [0, 0, 3]\nshapes = [{ type = 'box', size = [1, 1, 1] }]\n";
        let overlapping = refusal(&format!("{BALL}{other}"));
        assert!(overlapping.message.contains("deep in each other"), "{overlapping}");
    }

    #[test]
    fn long_texts_are_refused() {
        let long = refusal(&format!("# {}\n", "x".repeat(MAX_TEXT_BYTES)));
        assert!(long.message.contains("expected at most"), "{long}");
    }

    #[test]
    fn files_outside_the_folder_are_refused() {
        for file in ["/etc/passwd", "../secret.toml", "parts/a.toml", "a.burgess", ".hidden", "C:x", "none.toml"] {
            let include = refusal(&format!("include = [{{ file = '{file}' }}]\n"));
            assert_eq!(include.field, "include[0].file", "{file}: {include}");
            let mesh = format!("[[bodies]]\nname = 'm'\nshapes = [{{ type = 'mesh', file = '{file}' }}]\n");
            let mesh = refusal(&mesh);
            assert_eq!(mesh.field, "bodies[0].shapes[0].file", "{file}: {mesh}");
            assert!(!mesh.message.contains("nowhere"), "{mesh}");
        }
    }
}
