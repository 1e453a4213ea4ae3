//! Vortex tubes as an object of wall frames: one step of a flow, and where it is in the world.

use glam::DVec3;

use crate::frame::NetworkObject;

/// Number of f64 before the bytes of the step.
const NUMBERS: usize = 6;

/// The tubes of one step of a flow.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tubes {
    /// Length of a unit of the flow in the world, in m.
    pub scale: f64,
    /// Place of the flow's origin in the world, in m.
    pub origin: DVec3,
    /// Least and largest circulation of all steps, for colours.
    pub range: [f64; 2],
    /// The step, as `GET /api/flows/ID/steps/STEP` sends it.
    pub step: Vec<u8>,
}

impl NetworkObject for Tubes {
    const NAME: &'static str = "tubes";
    const VERSION: u16 = 1;

    fn give(&self, bytes: &mut Vec<u8>) {
        let DVec3 { x, y, z } = self.origin;
        for number in [self.scale, x, y, z, self.range[0], self.range[1]] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&self.step);
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), String> {
        let Some((head, step)) = bytes.split_at_checked(8 * NUMBERS) else {
            return Err(format!("the tubes have {} bytes, expected at least {}", bytes.len(), 8 * NUMBERS));
        };
        let number = |index: usize| {
            let bytes = head[8 * index..8 * index + 8].try_into();
            bytes.map(f64::from_le_bytes).unwrap_or(f64::NAN)
        };
        let origin = DVec3::new(number(1), number(2), number(3));
        *self = Self { scale: number(0), origin, range: [number(4), number(5)], step: step.to_vec() };
        Ok(())
    }
}
