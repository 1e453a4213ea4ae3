//! Checksums of stored and sent data.

use burgess_creature::random::mix_seed;

/// FNV-1a over the length and the bytes, then mixed. It detects accidental changes, not forgery. Each link depends on
/// the previous one.
pub fn chained(link: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let start = (bytes.len() as u64).to_le_bytes().into_iter().fold(link ^ 0xcbf2_9ce4_8422_2325, step);
    mix_seed(bytes.iter().copied().fold(start, step), &[])
}
