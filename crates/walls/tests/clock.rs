//! The comparison of clocks.

use burgess_walls::clock::ClockOffset;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

#[test]
fn the_fastest_ping_bounds_the_error() {
    let mut random = Pcg64::seed_from_u64(3);
    for _ in 0..100 {
        let ahead = random.random_range(-1e4..1e4);
        let mut clock = ClockOffset::default();
        assert_eq!(clock.offset(), None);
        let mut best = f64::INFINITY;
        for ping in 0..30 {
            let sent = f64::from(ping);
            let [there, back] = [(); 2].map(|()| random.random_range(0.001_f64..0.1));
            best = best.min(there + back);
            clock.add(sent, sent + there + ahead, sent + there + back);
        }
        let (offset, error) = clock.offset().expect("pings");
        assert!((error - 0.5 * best).abs() < 1e-9);
        assert!((offset - ahead).abs() <= error + 1e-9);
    }
}
