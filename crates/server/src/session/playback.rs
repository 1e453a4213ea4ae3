//! How a session is shown at present, for the menus of walls.

/// How a session is shown at present.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Playback {
    /// Whether it plays.
    pub playing: bool,
    /// Speed, as a multiple of real time.
    pub speed: f64,
    /// Gravity downward, in m/s^2.
    pub gravity: f64,
    /// Whether it is at its latest step and does not seek, so that an edit discards nothing.
    pub latest: bool,
}

impl Default for Playback {
    fn default() -> Self {
        Self { playing: false, speed: 1.0, gravity: 0.0, latest: true }
    }
}
