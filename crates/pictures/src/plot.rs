//! Draws curves with axes, units and a legend as SVG.
//!
//! ```
//! use burgess_pictures::{Axis, Plot, Series};
//!
//! let wave = (0..=100).map(|i| [0.02 * f64::from(i), libm::sin(0.2 * f64::from(i))]).collect();
//! let plot = Plot {
//!     title: "A wave".to_string(),
//!     x: Axis::new("time", "s"),
//!     y: Axis::new("angle", "rad"),
//!     series: vec![Series::new("h(t)", wave)],
//!     ..Plot::default()
//! };
//! assert!(plot.svg().unwrap().contains("angle (rad)"));
//! ```

use super::camera::{DOTS, rounded};
use super::error::PictureError;
use super::region::write_path;
use super::svg::escaped;
use super::{MAX_SIDE, MIN_SIDE};
use glam::DVec2;

/// Approximate number of grid lines along an axis.
const TICKS: f64 = 6.0;
/// Maximum number of curves; more could not be distinguished.
const MAX_SERIES: usize = 64;
/// Maximum number of points; more would be smaller than a pixel.
const MAX_POINTS: usize = 1_000_000;
/// Margins around the curves, in pixels: left, right, top without the legend, bottom.
const MARGINS: [f64; 4] = [64.0, 20.0, 40.0, 52.0];
/// Height and average width of a letter, in pixels.
const LETTER: [f64; 2] = [12.0, 6.4];
/// Width of the line sample before a name in the legend with its margins, in pixels.
const LEGEND_SAMPLE_WIDTH: f64 = 52.0;
/// Height of a row of the legend, in pixels.
const LEGEND_ROW_HEIGHT: f64 = 18.0;
/// Colours of the curves, in turn. They also differ in lightness.
const COLORS: [&str; 8] = ["#2f6fb7", "#d9682b", "#3b9a74", "#b8446b", "#7a5cc0", "#c79a1e", "#38909c", "#7d7468"];

/// An axis of a plot.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Axis {
    /// Name of the quantity.
    pub label: String,
    /// Unit; empty if there is none.
    pub unit: String,
    /// Minimum and maximum; by default they fit the curves.
    pub range: Option<[f64; 2]>,
}

impl Axis {
    /// Creates an axis whose range fits the curves.
    pub fn new(label: &str, unit: &str) -> Self {
        Self { label: label.to_string(), unit: unit.to_string(), range: None }
    }

    fn text(&self) -> String {
        if self.unit.is_empty() { self.label.clone() } else { format!("{} ({})", self.label, self.unit) }
    }
}

/// A curve.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// Name in the legend. A curve without a name is not in the legend and has the colour of the previous curve.
    pub name: String,
    /// Coordinates. A point that is not finite makes a gap.
    pub points: Vec<[f64; 2]>,
    /// Draw a broken line instead of a solid one.
    pub is_broken: bool,
}

impl Series {
    /// Creates a solid curve.
    pub fn new(name: &str, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.to_string(), points, is_broken: false }
    }

    /// Creates a broken curve.
    pub fn broken(name: &str, points: Vec<[f64; 2]>) -> Self {
        Self { is_broken: true, ..Self::new(name, points) }
    }

    fn finite(&self) -> impl Iterator<Item = [f64; 2]> {
        self.points.iter().copied().filter(|point| point.iter().all(|value| value.is_finite()))
    }
}

/// Curves with common axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// Title above the curves.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Curves; later ones are drawn over earlier ones.
    pub series: Vec<Series>,
    /// Width, in pixels.
    pub width: u32,
    /// Height, in pixels.
    pub height: u32,
}

impl Default for Plot {
    fn default() -> Self {
        let (title, series) = (String::new(), Vec::new());
        Self { title, x: Axis::default(), y: Axis::default(), series, width: 640, height: 320 }
    }
}

/// Maps the numbers of an axis to dots.
#[derive(Debug, Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
    /// Distance of two grid lines.
    step: f64,
    /// Positions of `low` and `high`, in dots.
    from: f64,
    to: f64,
}

impl Scale {
    fn new(axis: &Axis, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Result<Self, PictureError> {
        let fault = |what: &str| PictureError::Plot { what: format!("{what} along the axis '{}'", axis.text()) };
        let [mut low, mut high] = match axis.range {
            Some(range) => range,
            None => values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)]),
        };
        if !(low <= high && low.is_finite() && high.is_finite() && low.abs().max(high.abs()) < 1e300) {
            return Err(fault("a finite range of numbers"));
        }
        // A constant curve gets a margin.
        let min_range = 1e-9 * low.abs().max(high.abs()).max(1e-290);
        if high - low < min_range {
            let margin = if high == 0.0 { 1.0 } else { 0.1 * high.abs() };
            (low, high) = (low - margin, high + margin);
        }
        let step = round_step((high - low) / TICKS);
        if !(step > 0.0 && step.is_finite()) {
            return Err(fault("a range that is not too small"));
        }
        if axis.range.is_none() {
            (low, high) = (step * (low / step).floor(), step * (high / step).ceil());
        }
        Ok(Self { low, high, step, from, to })
    }

    fn place(&self, value: f64) -> f64 {
        self.from + (self.to - self.from) * ((value - self.low) / (self.high - self.low)).clamp(-1.0, 2.0)
    }

    /// Returns the values and labels of the grid lines.
    fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        let Self { low, high, step, .. } = *self;
        let tolerance = 1e-6;
        let (first, last) = ((low / step - tolerance).ceil() as i64, (high / step + tolerance).floor() as i64);
        let digits = (-libm::floor(libm::log10(step))).clamp(0.0, 12.0) as usize;
        let largest = low.abs().max(high.abs());
        (first..=last.min(first.saturating_add(40))).map(move |index| {
            let value = index as f64 * step;
            let text =
                if (1e-3..1e6).contains(&largest) { format!("{value:.digits$}") } else { format!("{value:.1e}") };
            (value, text)
        })
    }
}

/// Returns the smallest 1, 2 or 5 times a power of ten that is at least `min`.
fn round_step(min: f64) -> f64 {
    let power = libm::pow(10.0, libm::floor(libm::log10(min)));
    let found = [1.0, 2.0, 5.0].into_iter().map(|factor| factor * power).find(|step| *step >= min * (1.0 - 1e-9));
    found.unwrap_or(10.0 * power)
}

impl Plot {
    /// Draws the plot.
    pub fn svg(&self) -> Result<String, PictureError> {
        let (width, height) = (self.width, self.height);
        let sides = MIN_SIDE..=MAX_SIDE;
        if !(sides.contains(&width) && sides.contains(&height)) {
            return Err(PictureError::Size { width, height, min: MIN_SIDE, max: MAX_SIDE });
        }
        let points: usize = self.series.iter().map(|series| series.points.len()).sum();
        if self.series.len() > MAX_SERIES || points > MAX_POINTS {
            let what = format!("at most {MAX_SERIES} curves and {MAX_POINTS} points");
            return Err(PictureError::Plot { what });
        }
        let [w, h] = [width, height].map(|side| DOTS * f64::from(side));
        let [left, right, top, bottom] = MARGINS.map(|margin| DOTS * margin);
        let rows = self.legend_rows();
        let top = top + DOTS * LEGEND_ROW_HEIGHT * rows.len().saturating_sub(1) as f64;
        let values = |axis: usize| self.series.iter().flat_map(Series::finite).map(move |point| point[axis]);
        let x = Scale::new(&self.x, values(0), left, (w - right).max(left + 1.0))?;
        let y = Scale::new(&self.y, values(1), (h - bottom).max(top + 1.0), top)?;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
             <title>{}</title>\n<style>text{{font:{}px system-ui,sans-serif;fill:#35445c}}.n{{fill:#5d6f8c}}.e{{text-anchor:end}}.m{{text-anchor:middle}}\
             .c{{fill:none;stroke-linejoin:round;stroke-linecap:round}}</style>\n\
             <clipPath id=\"field\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n\
             <rect x=\"5\" y=\"5\" width=\"{}\" height=\"{}\" rx=\"155\" fill=\"#f7f9fc\" stroke=\"#c3cad6\" stroke-width=\"10\"/>\n",
            escaped(&self.title),
            DOTS * LETTER[0],
            x.from,
            y.to - 10.0,
            x.to - x.from,
            y.from - y.to + 20.0,
            w - 10.0,
            h - 10.0
        );
        svg += &self.frame(&x, &y, h);
        svg += "<g class=\"c\" clip-path=\"url(#field)\">\n";
        for (series, color) in self.colored() {
            svg += &curve(series, color, &x, &y);
        }
        Ok(svg + "</g>\n" + &self.legend(&rows, x.to) + "</svg>\n")
    }

    /// Returns the curves with their colours.
    fn colored(&self) -> impl Iterator<Item = (&Series, &'static str)> {
        let mut named = 0_usize;
        self.series.iter().map(move |series| {
            named += usize::from(!series.name.is_empty());
            (series, COLORS[named.saturating_sub(1) % COLORS.len()])
        })
    }

    /// Distributes the named curves over rows of the legend; the first row is beside the title.
    fn legend_rows(&self) -> Vec<Vec<(&Series, &'static str)>> {
        let available = f64::from(self.width) - MARGINS[0] - MARGINS[1];
        let mut left = available - LETTER[1] * (self.title.chars().count() + 2) as f64;
        let mut rows = vec![Vec::new()];
        for (series, color) in self.colored().filter(|(series, _)| !series.name.is_empty()) {
            let width = entry_width(series);
            if width > left {
                rows.push(Vec::new());
                left = available;
            }
            left -= width;
            if let Some(row) = rows.last_mut() {
                row.push((series, color));
            }
        }
        rows
    }

    /// Draws the legend above the curves: a sample of each line and its name.
    fn legend(&self, rows: &[Vec<(&Series, &'static str)>], right: f64) -> String {
        let mut legend = String::new();
        for (index, row) in rows.iter().enumerate() {
            let y = DOTS * (24.0 + LEGEND_ROW_HEIGHT * index as f64);
            let mut x = right - DOTS * row.iter().map(|(series, _)| entry_width(series)).sum::<f64>();
            for (series, color) in row {
                legend += &format!(
                    "<path class=\"c\" stroke=\"{color}\"{} d=\"M{:.0} {:.0}h240\"/><text x=\"{:.0}\" y=\"{y:.0}\">{}</text>\n",
                    dashes(series),
                    x + 160.0,
                    y - 40.0,
                    x + 470.0,
                    escaped(&series.name)
                );
                x += DOTS * entry_width(series);
            }
        }
        legend
    }

    /// Draws grid, numbers, labels and title.
    fn frame(&self, x: &Scale, y: &Scale, height: f64) -> String {
        let (mut grid, mut numbers) = (String::new(), String::new());
        for (value, text) in x.ticks() {
            let at = x.place(value).round();
            grid += &format!("M{at} {}V{}", y.from, y.to);
            numbers += &format!("<text class=\"n m\" x=\"{at}\" y=\"{}\">{text}</text>\n", y.from + 170.0);
        }
        for (value, text) in y.ticks() {
            let at = y.place(value).round();
            grid += &format!("M{} {at}H{}", x.from, x.to);
            numbers += &format!("<text class=\"n e\" x=\"{}\" y=\"{}\">{text}</text>\n", x.from - 80.0, at + 40.0);
        }
        let middle = [0.5 * (x.from + x.to), 0.5 * (y.from + y.to)];
        let zero = if y.low < 0.0 && y.high > 0.0 { y.place(0.0).round() } else { y.from };
        format!(
            "<path fill=\"none\" stroke=\"#dfe5ee\" stroke-width=\"8\" d=\"{grid}\"/>\n\
             <path fill=\"none\" stroke=\"#8a98ae\" stroke-width=\"10\" d=\"M{} {zero}H{}M{} {}V{}\"/>\n{numbers}\
             <text class=\"m\" x=\"{}\" y=\"{}\">{}</text>\n\
             <text class=\"m\" transform=\"translate(175 {})rotate(-90)\">{}</text>\n\
             <text x=\"{}\" y=\"{}\" font-weight=\"600\">{}</text>\n",
            x.from,
            x.to,
            x.from,
            y.from,
            y.to,
            middle[0],
            height - 150.0,
            escaped(&self.x.text()),
            middle[1],
            escaped(&self.y.text()),
            x.from,
            DOTS * 24.0,
            escaped(&self.title)
        )
    }
}

/// Returns the width of an entry of the legend, in pixels.
fn entry_width(series: &Series) -> f64 {
    LEGEND_SAMPLE_WIDTH + LETTER[1] * series.name.chars().count() as f64
}

fn dashes(series: &Series) -> &'static str {
    if series.is_broken { " stroke-width=\"12\" stroke-dasharray=\"60 45\"" } else { " stroke-width=\"20\"" }
}

fn curve(series: &Series, color: &str, x: &Scale, y: &Scale) -> String {
    let mut data = String::new();
    let finite = |point: &[f64; 2]| point.iter().all(|value| value.is_finite());
    for run in series.points.chunk_by(|a, b| finite(a) == finite(b)).filter(|run| finite(&run[0])) {
        let mut dots: Vec<[i32; 2]> =
            run.iter().map(|point| rounded(DVec2::new(x.place(point[0]), y.place(point[1]))).to_array()).collect();
        dots.dedup();
        if let [only] = dots[..] {
            dots.push(only);
        }
        write_path(&mut data, &super::region::simplified(&dots, false));
    }
    format!("<path stroke=\"{color}\"{} d=\"{data}\"/>\n", dashes(series))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (least, step) in
            [(0.9, 1.0), (1.0, 1.0), (1.1, 2.0), (4.9, 5.0), (5.1, 10.0), (0.03, 0.05), (700.0, 1000.0)]
        {
            assert!((round_step(least) / step - 1.0).abs() < 1e-12, "{least}");
        }
    }

    #[test]
    fn ticks_are_within_the_range_and_short() {
        let axis = Axis { range: Some([-0.25, 0.61]), ..Axis::new("x", "m") };
        let scale = Scale::new(&axis, std::iter::empty(), 0.0, 100.0).unwrap();
        let ticks: Vec<String> = scale.ticks().map(|(_, text)| text).collect();
        assert_eq!(ticks, ["-0.2", "-0.0", "0.2", "0.4", "0.6"].map(|text| text.replace("-0.0", "0.0")));
    }
}
