//! All integration tests of the crate in one program, because one program links faster than many.

mod bounds;
mod common;
mod compound;
mod covers;
mod decomposition;
mod dirichlet;
mod generator_files;
mod height_field;
mod manifolds;
mod mass_properties;
mod mesh;
mod mesh_files;
mod space;
mod sphere_tree;
mod walking;
