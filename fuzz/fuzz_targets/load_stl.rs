//! Any bytes as an STL file: a solid or an error.
#![no_main]

use burgess_geometry::mesh_file::parse_stl;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(mesh) = parse_stl(bytes, "fuzz.stl") {
        assert!(mesh.volume() > 0.0);
    }
});
