//! Puts what is to be watched on the page's stage.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow};
use burgess_creature::builtin as creatures;
use burgess_creature::task::Task;
use burgess_evolution::Archive;
use burgess_scene::RunOptions;
use burgess_server::Hub;
use burgess_server::session::{OpenRequest, Session, Source};

use super::Watch;
use crate::creature_argument::{find_creature, run_and_number};
use crate::page::folder_of;
use crate::scene_argument::{Scene, is_recording};

impl Watch {
    /// The folder whose runs the page shows beside: that of the run or recording, or the usual one.
    pub(super) fn folder(&self) -> Result<PathBuf> {
        let path = Path::new(&self.what);
        let (run, _) = run_and_number(&self.what)?;
        if is_recording(path) {
            folder_of(path)
        } else if Archive::is_database(run) {
            folder_of(run)
        } else {
            Ok(PathBuf::from("runs"))
        }
    }

    /// Opens the session.
    pub(super) fn on_stage(&self, hub: &Hub) -> Result<Arc<Session>> {
        let path = Path::new(&self.what);
        if is_recording(path) {
            return hub.sessions.open_recording(path).map_err(|error| anyhow!("{}: {error}", self.what));
        }
        let options = RunOptions { keyframe: self.keyframe.clone(), ..RunOptions::default() };
        let opened = match self.source()? {
            Some(source) => {
                let request = OpenRequest { keyframe: self.keyframe.clone(), ..OpenRequest::of(source) };
                hub.sessions.open(request, &hub.library)
            }
            None => match find_creature(&self.what)? {
                Some(creature) => {
                    let showing = self.arena.show(&creature, &self.what)?;
                    let family = creature.file.genome.family().name();
                    hub.sessions.open_creature(showing, family, &creature.file.name, &options)
                }
                None => {
                    let scene = Scene::find(&self.what, &self.arena)?;
                    hub.sessions.open_scene(scene.spec(), scene.name(), &options)
                }
            },
        };
        opened.map_err(|error| anyhow!("{}: {error}", self.what))
    }

    /// What others can ask for by the same name, so that a take of it can be seen again.
    fn source(&self) -> Result<Option<Source>> {
        let name = self.what.clone();
        if creatures::find(&name).is_some() {
            let task = self.arena.task.clone();
            let is_known = task.as_ref().is_none_or(|task| Task::preset(task).is_ok());
            return Ok(is_known.then_some(Source::Creature { name, task, seed: self.arena.seed }));
        }
        let (run, id) = run_and_number(&self.what)?;
        if Archive::is_database(run) {
            let is_run = run.extension().is_some_and(|ending| ending == burgess_server::session::RUN_ENDING)
                && !self.arena.is_given();
            let stem = run.file_stem().and_then(|stem| stem.to_str());
            return Ok(stem.filter(|_| is_run).map(|run| Source::Individual { run: run.to_string(), id }));
        }
        let is_scene = burgess_scene::builtin::find(&name).is_some() && !self.arena.is_given();
        Ok(is_scene.then_some(Source::Scene { name }))
    }
}
