//! `burgess export --to html`: a page that plays the motion without Burgess.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use burgess_catalog::{Arena, Subject};
use burgess_files::write_atomically;
use burgess_server::session::{Library, MotionOptions};
use burgess_server::share_subject;
use indicatif::HumanBytes;

use super::Export;
use crate::Failed;
use crate::output::{counted, print, quantity};
use crate::take_argument::{RUN_DIRECTORY, directory_of_take};

impl Export {
    pub(super) fn html(&self) -> Result<ExitCode> {
        let shown = self.output.display();
        let is_html = |extension: &std::ffi::OsStr| extension.eq_ignore_ascii_case("html");
        if !self.output.extension().is_some_and(is_html) {
            bail!("-o {shown}: the name of a page must end in .html");
        }
        let subject = Subject::resolve(&self.what)?;
        let folder = match &subject {
            Subject::Take(path) => directory_of_take(path)?,
            _ => PathBuf::from(RUN_DIRECTORY),
        };
        let arena: Arena = self.arena.arena();
        let options = MotionOptions { seconds: self.seconds, rate: self.fps };
        let made = share_subject(&subject, &arena, options, &Library::new(folder))
            .map_err(|error| anyhow!("{}: {error}", self.what))?;
        write_atomically(&self.output, made.html.as_bytes())
            .map_err(|error| Failed(anyhow!("{shown}: cannot be written: {error}")))?;
        let motion = &made.motion;
        let bodies = counted(motion.bodies as u64, "body", "bodies");
        let frames = counted(motion.frames as u64, "frame", "frames");
        let seconds = quantity(motion.frames.saturating_sub(1) as f64 / motion.rate, "s");
        let size = HumanBytes(made.html.len() as u64);
        print(&format!("{shown}: {bodies}, {frames} in {seconds}, {size}\n"))?;
        Ok(match &motion.failure {
            None => ExitCode::SUCCESS,
            Some(failure) => {
                eprintln!("burgess: {failure}");
                ExitCode::FAILURE
            }
        })
    }
}
