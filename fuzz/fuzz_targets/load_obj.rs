//! Any bytes as an OBJ file: a solid or an error.
#![no_main]

use burgess_geometry::mesh_file::parse_obj;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(mesh) = parse_obj(bytes, "fuzz.obj") {
        assert!(mesh.volume() > 0.0);
    }
});
