//! Resolves what a user names, on the command line or in the viewer.
//!
//! [`Subject::resolve`] identifies a word; nothing is loaded yet:
//!
//! | word | subject |
//! |---|---|
//! | `dominoes`, `mine.toml` | [`Subject::Scene`]: a built-in scene or a scene file |
//! | `walker`, `mine.json` | [`Subject::Creature`]: a built-in creature or a creature file |
//! | `runs/walk-1.burgess` | [`Subject::Run`] |
//! | `runs/walk-1.burgess#12` | [`Subject::Individual`] |
//! | `x.bur` | [`Subject::Recording`], recognized by its content |
//! | `x.take.json` | [`Subject::Take`]: a recorded session of the viewer |
//! | `weeks`, `mine.gens` | [`Subject::Space`]: a built-in curved space or a generator file of SnapPea |
//! | `crab.xml`, `arm.urdf` | [`Subject::Model`]: a model of another program |
//!
//! A built-in name takes precedence over a file of the same name; `./NAME` is always a file. [`Subject::scene`] and
//! [`Subject::creature`] load the subject, and an [`Arena`] puts a creature into the world of a task.
//!
//! ```
//! use burgess_catalog::{Arena, Subject};
//!
//! let subject = Subject::resolve("walker")?;
//! let creature = subject.creature()?;
//! let (task, seed) = Arena::default().task_and_seed(&creature)?;
//! assert_eq!((task.name.as_str(), seed), ("walk", creature.file.seed.unwrap_or(0)));
//!
//! let error = Subject::resolve("wlker").unwrap_err();
//! assert!(error.to_string().contains("did you mean 'walker'?"));
//! # Ok::<(), burgess_catalog::CatalogError>(())
//! ```

mod arena;
mod creature;
mod error;
mod scene;
mod subject;
mod task;

pub use arena::{Arena, DEFAULT_TASK};
pub use creature::Creature;
pub use error::CatalogError;
pub use scene::{Scene, builtin_scenes};
pub use subject::{GENERATOR_EXTENSION, Origin, RUN_EXTENSION, SpaceOrigin, Subject, is_recording};
pub use task::{find_task, read_text};
