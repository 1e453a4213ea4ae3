//! All integration tests of the crate in one program, because one program links faster than many.

mod bounds;
mod common;
mod compound;
mod decomposition;
mod height_field;
mod mass_properties;
mod mesh;
mod mesh_files;
mod sphere_tree;
