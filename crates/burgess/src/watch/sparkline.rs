//! Numbers over time as one line of text.

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Draws one character per number, from the lowest to the highest. Numbers that are not finite leave a gap.
pub fn sparkline(numbers: &[f64]) -> String {
    let finite = || numbers.iter().copied().filter(|number| number.is_finite());
    let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    // Numbers that hardly change are shown as level, not as noise.
    let range = (high - low).max(1e-6 * low.abs().max(high.abs()));
    let bar = |&number: &f64| {
        if !number.is_finite() {
            return ' ';
        }
        let share = if range > 0.0 { (number - low) / range } else { 0.0 };
        BARS[((share * BARS.len() as f64) as usize).min(BARS.len() - 1)]
    };
    numbers.iter().map(bar).collect()
}
