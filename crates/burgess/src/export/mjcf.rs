//! `burgess export --to mjcf`: a scene for MuJoCo, in one file.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use burgess_catalog::Subject;
use burgess_files::write_atomically;
use burgess_formats::mjcf;

use super::Export;
use crate::Failed;
use crate::output::{counted, print};
use crate::scene_argument::Scene;

impl Export {
    pub(super) fn mjcf(&self) -> Result<ExitCode> {
        if self.seconds.is_some() || self.fps.is_some() {
            bail!("--seconds and --fps apply to motions only, and an MJCF file has none");
        }
        let subject = Subject::resolve(&self.what)?;
        if let Subject::Recording(_) | Subject::Take(_) = subject {
            bail!("'{subject}' is {}; only scenes and creatures can be written as MJCF", subject.kind());
        }
        let scene = Scene::load(&subject, &self.arena)?;
        // Paths of a scene's meshes are relative to the working directory.
        let made = mjcf::export(scene.spec(), Path::new(""))?;
        let shown = self.output.display();
        write_atomically(&self.output, made.xml.as_bytes())
            .map_err(|error| Failed(anyhow!("{shown}: cannot be written: {error}")))?;
        if scene.is_creature() {
            eprintln!("burgess: the brain is left out; the file has the body and its motors");
        }
        for warning in &made.warnings {
            eprintln!("burgess: {warning}");
        }
        print(&format!("{shown}: {}\n", counted(scene.spec().bodies.len() as u64, "body", "bodies")))?;
        Ok(ExitCode::SUCCESS)
    }
}
