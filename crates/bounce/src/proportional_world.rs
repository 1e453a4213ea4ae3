//! The size of the world at which pairs grow in proportion to bodies (000 section 2.7, table 2.1).

use super::{BounceConfig, BounceError, BounceWorld};

/// Pairs created per body and unit of time: table 2.1 has 66839 pairs for 4096 bodies in 10,000 steps of 0.01.
const PAIRS_PER_BODY_AND_TIME: f64 = 0.163;
/// The search looks at so many created pairs at least, so that chance plays no great part.
const PAIRS_LOOKED_AT: f64 = 2000.0;
/// Fewer do not meet often enough in a world of any size.
const LEAST_OBJECTS: usize = 8;
/// A rate is measured in no more steps than this.
const MOST_STEPS: f64 = 2e6;

/// Searches the side of the world. The side that `config` has is ignored.
///
/// From a world so large that bodies hardly meet it shrinks until pairs are created faster than wanted, then bisects. (In
/// a very small world all bodies are pairs for good and none are created, so the search must come from this side.)
pub fn proportional_world(config: &BounceConfig) -> Result<f64, BounceError> {
    let out_of_range = |what, expected, found: String| Err(BounceError::OutOfRange { what, expected, found });
    if config.objects < LEAST_OBJECTS {
        return out_of_range("the number of objects of a proportional world", "at least 8", config.objects.to_string());
    }
    let time = PAIRS_LOOKED_AT / (PAIRS_PER_BODY_AND_TIME * config.objects as f64);
    let steps = (time / config.step_size).ceil().max(20.0);
    if steps > MOST_STEPS || steps.is_nan() {
        let found = config.step_size.to_string();
        return out_of_range("the step size of a proportional world", "large enough to get somewhere", found);
    }
    let rate = |world: f64| -> Result<f64, BounceError> {
        let mut bounce = BounceWorld::new(BounceConfig { world, check: false, ..*config })?;
        // The pairs that are there at the start were not created by motion.
        bounce.step()?;
        let at_start = bounce.statistics().pairs_created;
        for _ in 0..steps as u64 {
            bounce.step()?;
        }
        let created = bounce.statistics().pairs_created - at_start;
        Ok(created as f64 / (config.objects as f64 * steps * config.step_size))
    };
    let mut high = 16.0 * BounceConfig::roomy_world(config.objects);
    let mut low = 0.5 * high;
    while rate(low)? < PAIRS_PER_BODY_AND_TIME {
        (low, high) = (0.5 * low, low);
        if low < 1e-3 {
            let expected = "so many that they meet often enough in a world of some size";
            return out_of_range("the number of objects of a proportional world", expected, config.objects.to_string());
        }
    }
    for _ in 0..6 {
        let middle = (low * high).sqrt();
        if rate(middle)? > PAIRS_PER_BODY_AND_TIME {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok((low * high).sqrt())
}
