//! Tests of the MJCF import: comparison with MuJoCo, mappings, errors, warnings and malicious files.

mod faults;
mod hostile;
mod mappings;
mod reference;
mod round_trip;
mod warnings;

use std::path::{Path, PathBuf};

use burgess_formats::import::{ImportError, ImportOptions};
use burgess_formats::mjcf::{self, MjcfModel};

/// Returns the path of a test model.
fn model_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mjcf_import/models").join(name)
}

/// Imports the contents of a `<mujoco>` element.
fn import(inside: &str) -> Result<MjcfModel, ImportError> {
    let text = format!("<mujoco>\n{inside}\n</mujoco>");
    mjcf::import_text(&text, "m.xml", &ImportOptions::default())
}

/// Imports the contents of a `<worldbody>` element; panics on errors.
fn world(inside: &str) -> MjcfModel {
    import(&format!("<worldbody>{inside}</worldbody>")).unwrap_or_else(|error| panic!("{error}"))
}

/// A temporary folder for the files of one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("burgess-mjcf-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    fn import(&self, content: impl AsRef<[u8]>) -> Result<MjcfModel, ImportError> {
        let path = self.write("model.xml", content);
        mjcf::import_file(path, &ImportOptions::default())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
