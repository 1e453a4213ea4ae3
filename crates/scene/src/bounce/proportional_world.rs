//! The size of the world at which pairs grow in proportion to bodies (000 section 2.7, table 2.1).

use super::{BounceConfig, BounceError, BounceWorld};

/// Pairs created per body and unit of time: table 2.1 has 66839 pairs for 4096 bodies in 10,000 steps of 0.01.
const PAIRS_PER_BODY_AND_TIME: f64 = 0.163;
/// The search looks at so many created pairs at least, so that chance plays no great part.
const PAIRS_LOOKED_AT: f64 = 2000.0;

/// Searches the side of the world by bisection on its logarithm. The side that `config` has is ignored.
pub fn proportional_world(config: &BounceConfig) -> Result<f64, BounceError> {
    let time = PAIRS_LOOKED_AT / (PAIRS_PER_BODY_AND_TIME * config.objects as f64);
    let step_size = if config.step_size > 0.0 { config.step_size } else { 0.01 };
    let steps = (time / step_size).ceil().max(20.0);
    let rate = |world: f64| -> Result<f64, BounceError> {
        let mut bounce = BounceWorld::new(BounceConfig { world, step_size, check: false, ..*config })?;
        // The pairs that are there at the start were not created by motion.
        bounce.step()?;
        let at_start = bounce.broad_phase().statistics().pairs_created;
        for _ in 0..steps as u64 {
            bounce.step()?;
        }
        let created = bounce.broad_phase().statistics().pairs_created - at_start;
        Ok(created as f64 / (config.objects as f64 * steps * step_size))
    };
    let (mut low, mut high) = (0.5, 64.0 * BounceConfig::roomy_world(config.objects));
    for _ in 0..12 {
        let middle = (low * high).sqrt();
        if rate(middle)? > PAIRS_PER_BODY_AND_TIME {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok((low * high).sqrt())
}
