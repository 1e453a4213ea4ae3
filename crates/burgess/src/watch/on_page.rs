//! Opens the session of what is watched on the page.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use burgess_catalog::Subject;
use burgess_server::Hub;
use burgess_server::session::Session;

use super::Watch;
use crate::page::folder_of;
use crate::scene_argument::report_warnings;
use crate::take_argument::{RUN_DIRECTORY, directory_of_take};

/// The run directory that the page shows: that of a run, recording or take, or the default one.
pub(super) fn run_directory(subject: &Subject) -> Result<PathBuf> {
    match subject {
        Subject::Run(file) | Subject::Individual { run: file, .. } | Subject::Recording(file) => folder_of(file),
        Subject::Take(file) => directory_of_take(file),
        _ => Ok(PathBuf::from(RUN_DIRECTORY)),
    }
}

impl Watch {
    /// Opens the session.
    pub(super) fn open_session(&self, subject: &Subject, hub: &Hub) -> Result<Arc<Session>> {
        if let Subject::Model(_) = subject {
            report_warnings(&subject.scene()?.warnings);
        }
        let arena = self.arena.arena();
        let opened = hub.sessions.open_subject(subject, &arena, self.keyframe.as_deref(), &hub.library);
        opened.map_err(|error| anyhow!("{}: {error}", self.what))
    }
}
