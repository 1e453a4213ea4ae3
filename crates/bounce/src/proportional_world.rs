//! The size of the world at which the number of pairs is proportional to the number of bodies (Fontijne (2000) section
//! 2.7, table 2.1).

use super::{BounceConfig, BounceError, BounceWorld};

/// Pairs created per body and unit of time: Fontijne (2000) table 2.1 has 66839 pairs for 4096 bodies in 10,000 steps
/// of 0.01.
const PAIRS_PER_BODY_AND_TIME: f64 = 0.163;
/// A rate is measured over about this many created pairs, to keep the statistical error small.
const PAIRS_MEASURED: f64 = 2000.0;
/// Fewer bodies do not meet often enough in a world of any size.
const MIN_OBJECTS: usize = 8;
/// Largest number of steps for measuring a rate.
const MAX_STEPS: f64 = 2e6;

/// Finds the side of the world. The side in `config` is ignored.
///
/// The search starts with a world so large that bodies hardly meet, shrinks it until pairs are created too fast, then
/// bisects. (In a very small world all bodies are pairs at all times and no pairs are created, so the search must start
/// with a large world.)
pub fn proportional_world(config: &BounceConfig) -> Result<f64, BounceError> {
    let out_of_range = |what, expected, found: String| Err(BounceError::OutOfRange { what, expected, found });
    if config.objects < MIN_OBJECTS {
        return out_of_range("the number of objects of a proportional world", "at least 8", config.objects.to_string());
    }
    let time = PAIRS_MEASURED / (PAIRS_PER_BODY_AND_TIME * config.objects as f64);
    let steps = (time / config.step_size).ceil().max(20.0);
    if steps > MAX_STEPS || steps.is_nan() {
        let found = config.step_size.to_string();
        return out_of_range("the step size of a proportional world", "larger", found);
    }
    let rate = |world: f64| -> Result<f64, BounceError> {
        let mut bounce = BounceWorld::new(BounceConfig { world, check: false, ..*config })?;
        // Pairs at the start were not created by motion.
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
            let expected = "larger, so that bodies meet often enough";
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
