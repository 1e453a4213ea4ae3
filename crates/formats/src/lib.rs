//! Models of other programs: MJCF and URDF become scenes and scenes become MJCF and URDF; recordings become glTF animations.
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
//! [`import`] and [`export`] have what the formats share: options, errors, warnings. [`xml`] is the document layer: bounded,
//! without DTDs, every element with its file and line.

mod any_format;
pub mod export;
pub mod gltf;
pub mod import;
pub mod mjcf;
pub mod urdf;
pub mod xml;

pub use any_format::import_file;
