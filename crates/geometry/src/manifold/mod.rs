//! Three-dimensional manifolds and orbifolds of constant curvature: a fundamental domain with paired faces.
//!
//! ```
//! use burgess_geometry::manifold::{Recipe, SpaceName};
//!
//! let poincare = Recipe::new(SpaceName::Poincare).build().unwrap();
//! assert_eq!(poincare.domain.faces.len(), 12);
//! assert_eq!(poincare.domain.elements(usize::MAX, 1000).len(), 120);
//! ```

mod built_in;
mod clip;
mod cover;
mod dirichlet;
mod domain;
mod edge_cycle;
mod elements;
mod error;
mod flat;
mod generator_file;
mod hyperbolic;
mod observer;
mod spherical;
mod volume;

pub use built_in::{Manifold, Parameter, Recipe, SpaceName};
pub use cover::Cover;
pub use dirichlet::dirichlet_domain;
pub use domain::{Domain, Edge, FACE_TOLERANCE, Face};
pub use edge_cycle::EdgeCycle;
pub use elements::Element;
pub use error::ManifoldError;
pub use generator_file::{GeneratorFile, GeneratorFileError, MAX_GENERATOR_BYTES, MAX_GENERATORS, read_generators};
pub use observer::{Motion, Observer};
