//! Near parts of compounds, meshes and terrain, and their contacts.

mod allocation;
mod setup;
mod standing;
mod terrain;
mod tori;
