//! All integration tests of the crate in one program, because one program links faster than many.

mod bad_poses;
mod broad_phase;
mod broad_phase_allocation;
mod broad_phase_filters;
mod broad_phase_hashing;
mod compound_pairs;
mod contacts;
mod convex_pairs;
mod degenerate_pairs;
mod half_space;
mod height_field_pairs;
mod oracle;
mod parry_oracle;
mod parts;
mod polyhedra_against_oracle;
mod slab_oracle;
mod sphere_tree_pairs;
mod track_features;
mod vclip_hazards;
