//! Pictures and short clips of what can be opened, for the overview. Each is made once and kept in memory.

use std::sync::Arc;

use burgess_pictures::PictureOptions;
use bytes::Bytes;

use crate::byte_cache::ByteCache;
use crate::clip::{PreviewLimits, preview};
use crate::error::ApiError;
use crate::hub::Hub;
use crate::session::{EditLog, Session, Source, picture, world};

/// Maximum size of all cached pictures, in bytes.
const MAX_PICTURE_BYTES: usize = 32 << 20;
/// Maximum size of all cached clips, in bytes.
const MAX_CLIP_BYTES: usize = 32 << 20;
/// Width and height of a picture, in pixels.
const SIZE: [u32; 2] = [480, 300];
/// Bounds of a clip. The work takes about a second for the largest built-in worlds.
const CLIP_LIMITS: PreviewLimits = PreviewLimits { rate: 30.0, seconds: 6.0, body_steps: 50_000 };

/// The pictures and clips that were made.
#[derive(Debug)]
pub(crate) struct Pictures {
    pictures: ByteCache<String>,
    clips: ByteCache<String>,
}

impl Default for Pictures {
    fn default() -> Self {
        Self { pictures: ByteCache::new(MAX_PICTURE_BYTES), clips: ByteCache::new(MAX_CLIP_BYTES) }
    }
}

/// Options of a picture with a title for screen readers.
pub(crate) fn options(title: String) -> PictureOptions {
    let [width, height] = SIZE;
    PictureOptions { width, height, title, ..PictureOptions::default() }
}

impl Pictures {
    /// A picture of the start of a world. `key` identifies its content.
    pub async fn of_source(&self, hub: &Hub, source: Source, title: String, key: String) -> Result<Bytes, ApiError> {
        if let Some(kept) = self.pictures.get(&key) {
            return Ok(kept);
        }
        let library = hub.library.clone();
        let draw = move || {
            let initial = world(source, &library)?;
            picture(&initial, &EditLog::default(), &[], options(title)).map_err(ApiError::missing)
        };
        let svg = Bytes::from(hub.heavy(draw).await??);
        self.pictures.keep(key, svg.clone());
        Ok(svg)
    }

    /// A clip of the beginning of a world. `key` identifies its content.
    pub async fn clip_of_source(&self, hub: &Hub, source: Source, key: String) -> Result<Bytes, ApiError> {
        if let Some(kept) = self.clips.get(&key) {
            return Ok(kept);
        }
        let library = hub.library.clone();
        let record = move || {
            let mut player = world(source, &library)?.player().map_err(ApiError::bad)?;
            preview(player.as_mut(), &CLIP_LIMITS).map_err(ApiError::failed)
        };
        let clip = hub.heavy(record).await??;
        self.clips.keep(key, clip.clone());
        Ok(clip)
    }

    /// A picture of a session at a step of an epoch.
    pub async fn of_session(&self, hub: &Hub, session: Arc<Session>, at: (u32, u64)) -> Result<Bytes, ApiError> {
        let key = format!("session {} {at:?}", session.id());
        if let Some(kept) = self.pictures.get(&key) {
            return Ok(kept);
        }
        let title = session.about().title;
        let svg = hub.heavy(move || session.picture(options(title)).map_err(ApiError::missing)).await??;
        let svg = Bytes::from(svg);
        self.pictures.keep(key, svg.clone());
        Ok(svg)
    }
}
