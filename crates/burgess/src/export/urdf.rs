//! `burgess export --to urdf`: a scene for programs that read URDF, with its meshes in a folder next to it.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use burgess_catalog::Subject;
use burgess_files::write_atomically;
use burgess_formats::urdf;

use super::Export;
use crate::Failed;
use crate::output::{counted, print};
use crate::scene_argument::Scene;

impl Export {
    pub(super) fn urdf(&self) -> Result<ExitCode> {
        if self.seconds.is_some() || self.fps.is_some() {
            bail!("--seconds and --fps apply to motions only, and a URDF file has none");
        }
        let subject = Subject::resolve(&self.what)?;
        if let Subject::Recording(_) | Subject::Take(_) = subject {
            bail!("'{subject}' is {}; only scenes and creatures can be written as URDF", subject.kind());
        }
        let Some(stem) = self.output.file_stem() else {
            bail!("-o {}: expected the name of a file", self.output.display());
        };
        let scene = Scene::load(&subject, &self.arena)?;
        let mesh_folder = format!("{}_meshes", stem.to_string_lossy());
        // Paths of a scene's meshes are relative to the working directory.
        let made = urdf::export(scene.spec(), Path::new(""), &mesh_folder)?;
        let folder = self.output.parent().unwrap_or(Path::new(""));
        if !made.files.is_empty() {
            let meshes = folder.join(&mesh_folder);
            std::fs::create_dir_all(&meshes).map_err(|error| cannot_write(&meshes, &error))?;
        }
        // The file that refers to the others is written last, so that it never exists without them.
        for file in &made.files {
            let path = folder.join(&file.path);
            write_atomically(&path, &file.bytes).map_err(|error| cannot_write(&path, &error))?;
        }
        write_atomically(&self.output, made.xml.as_bytes()).map_err(|error| cannot_write(&self.output, &error))?;
        if scene.is_creature() {
            eprintln!("burgess: the brain is left out; the file has the body and its motors");
        }
        for warning in &made.warnings {
            eprintln!("burgess: {warning}");
        }
        let bodies = counted(scene.spec().bodies.len() as u64, "body", "bodies");
        let meshes = counted(made.files.len() as u64, "mesh", "meshes");
        print(&format!("{}: {bodies}, {meshes}\n", self.output.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failed {
    Failed(anyhow!("{}: cannot be written: {error}", path.display()))
}
