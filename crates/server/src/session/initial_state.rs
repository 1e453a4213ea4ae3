//! The initial state of a session, from which it can be replayed.

use std::path::PathBuf;
use std::sync::Arc;

use burgess_bounce::BounceConfig;
use burgess_scene::RunOptions;

use super::bouncing::BouncePlayer;
use super::current_world::Original;
use super::live::LivePlayer;
use super::player::Player;
use super::recorded::RecordingPlayer;

/// The initial state of a session.
#[derive(Debug, Clone)]
pub enum InitialState {
    /// A scene or a creature, and its options.
    Live(Arc<Original>, RunOptions),
    /// The collision demonstration.
    Bounce(BounceConfig),
    /// The path and the name of a recording.
    Recording(PathBuf, String),
}

impl InitialState {
    /// Creates a player at the start; or returns a sentence that says why not.
    pub fn player(&self) -> Result<Box<dyn Player>, String> {
        Ok(match self {
            Self::Live(original, options) => Box::new(LivePlayer::new(original.clone(), options.clone())?),
            Self::Bounce(config) => Box::new(BouncePlayer::new(*config)?),
            Self::Recording(path, name) => Box::new(RecordingPlayer::open(path, name)?),
        })
    }
}
