//! Formats of other programs: imports MJCF and URDF models as scenes, exports scenes as MJCF and URDF, and exports
//! recordings as glTF animations.
//!
//! ```no_run
//! use burgess_formats::import::ImportOptions;
//! use burgess_formats::import_file;
//!
//! let imported = import_file("ant.xml", &ImportOptions::default()).unwrap();
//! for warning in &imported.warnings {
//!     eprintln!("{warning}");
//! }
//! imported.scene.build(".").unwrap();
//! ```
//!
//! [`import`] and [`export`] contain what the formats share: options, errors and warnings. [`xml`] is the document
//! layer: limited in size, without DTDs, and each element has its file and line.

mod any_format;
pub mod export;
pub mod gltf;
pub mod import;
pub mod mjcf;
pub mod urdf;
pub mod xml;

pub use any_format::import_file;
