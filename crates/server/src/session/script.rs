//! What a session began with, so that it can be played again from the start.

use std::path::PathBuf;
use std::sync::Arc;

use burgess_bounce::BounceConfig;
use burgess_scene::RunOptions;

use super::bouncing::Bouncing;
use super::live::Live;
use super::player::Player;
use super::recorded::Recorded;
use super::staged::Original;

/// What a session began with.
#[derive(Debug, Clone)]
pub enum Script {
    /// A scene or a creature, and how it is simulated.
    Live(Arc<Original>, RunOptions),
    /// Bodies that bounce.
    Bounce(BounceConfig),
    /// A recording and its name.
    Recording(PathBuf, String),
}

impl Script {
    /// At the start; or a sentence why it cannot be.
    pub fn player(&self) -> Result<Box<dyn Player>, String> {
        Ok(match self {
            Self::Live(original, options) => Box::new(Live::new(original.clone(), options.clone())?),
            Self::Bounce(config) => Box::new(Bouncing::new(*config)?),
            Self::Recording(path, name) => Box::new(Recorded::open(path, name)?),
        })
    }
}
