//! Any bytes as a generator file of SnapPea: a closed space whose edges close, or an error.
#![no_main]

use burgess_geometry::manifold::read_generators;
use glam::DVec3;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(file) = read_generators(bytes)
        && let Ok(domain) = file.domain(DVec3::ZERO)
    {
        assert!(domain.volume() > 0.0);
        assert!(domain.edge_cycles().is_ok());
    }
});
