//! Formats of other programs: imports MJCF and URDF models as scenes, exports scenes as MJCF and URDF, and exports
//! recordings as glTF animations.
//!
//! ```
//! use burgess_formats::import::ImportOptions;
//! use burgess_formats::import_file;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let model = r#"
//!     <mujoco>
//!       <worldbody>
//!         <body name="pendulum">
//!           <joint name="hinge" axis="0 1 0"/>
//!           <geom type="sphere" size="0.1" pos="0 0 -1"/>
//!         </body>
//!       </worldbody>
//!     </mujoco>"#;
//! let file = std::env::temp_dir().join("burgess-pendulum.xml");
//! std::fs::write(&file, model)?;
//! let imported = import_file(&file, &ImportOptions::default())?;
//! for warning in &imported.warnings {
//!     eprintln!("{warning}");
//! }
//! let scene = imported.scene.build(".")?;
//! # std::fs::remove_file(&file)?;
//! # Ok(())
//! # }
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
