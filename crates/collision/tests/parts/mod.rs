//! Near parts of compounds, meshes and terrain, and the contacts they make.

mod allocation;
mod setup;
mod standing;
mod terrain;
mod tori;
