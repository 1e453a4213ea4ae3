//! The initial state of a session, from which it can be replayed.

use std::path::PathBuf;
use std::sync::Arc;

use burgess_bounce::BounceConfig;
use burgess_scene::RunOptions;

use super::bouncing::Bouncing;
use super::live::Live;
use super::player::Player;
use super::recorded::Recorded;
use super::staged::Original;

/// The initial state of a session.
#[derive(Debug, Clone)]
pub enum Script {
    /// A scene or a creature, and its options.
    Live(Arc<Original>, RunOptions),
    /// The collision demonstration.
    Bounce(BounceConfig),
    /// The path and the name of a recording.
    Recording(PathBuf, String),
}

impl Script {
    /// Creates a player at the start; or returns a sentence that says why not.
    pub fn player(&self) -> Result<Box<dyn Player>, String> {
        Ok(match self {
            Self::Live(original, options) => Box::new(Live::new(original.clone(), options.clone())?),
            Self::Bounce(config) => Box::new(Bouncing::new(*config)?),
            Self::Recording(path, name) => Box::new(Recorded::open(path, name)?),
        })
    }
}
