//! Draws plots with two logarithmic or two linear axes as SVG.

use crate::document::number;
use crate::power_law::PowerLaw;

/// A plot of series.
pub struct Plot<'a> {
    /// Label of the horizontal axis.
    pub x_label: &'a str,
    /// Label of the vertical axis.
    pub y_label: &'a str,
    /// Scale of both axes.
    pub scale: Scale,
    /// Series in drawing order.
    pub series: Vec<Series>,
}

/// Mapping of numbers to positions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Logarithmic; numbers must be positive.
    Logarithmic,
    /// Linear.
    Linear,
}

/// A series of points.
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Points in ascending order of x; positive if the axes are logarithmic.
    pub points: Vec<(f64, f64)>,
    /// Draw a fitted power law instead of connecting the points; its exponent is added to the legend.
    pub fit: Option<PowerLaw>,
}

/// Maximum number of points of a series with markers.
const FEW_POINTS: usize = 40;
/// Colours that are distinguishable with any colour vision (Okabe and Ito).
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#aa4499"];
const WIDTH: f64 = 820.0;
const HEIGHT: f64 = 460.0;
/// Left, top, right and bottom of the frame, in pixels.
const FRAME: [f64; 4] = [80.0, 24.0, 560.0, 400.0];

/// Maps numbers to positions in the picture.
struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn new(scale: Scale, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        // A small margin on both sides.
        let (low, high) = match scale {
            Scale::Logarithmic => {
                let room = libm::pow((high / low).max(2.0), 0.06);
                (low / room, high * room)
            }
            Scale::Linear => {
                let room = 0.04 * if high > low { high - low } else { 1.0 };
                (low - room, high + room)
            }
        };
        Self { scale, low, high, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Logarithmic => libm::log(value / self.low) / libm::log(self.high / self.low),
            Scale::Linear => (value - self.low) / (self.high - self.low),
        };
        self.from + (self.to - self.from) * share
    }

    /// Returns the values of grid lines, and whether they are labelled.
    fn ticks(&self) -> Vec<(f64, bool)> {
        match self.scale {
            Scale::Logarithmic => self.logarithmic_ticks(),
            Scale::Linear => self.linear_ticks(),
        }
    }

    /// Returns 1, 2, 3, ... 10, 20, ...
    fn logarithmic_ticks(&self) -> Vec<(f64, bool)> {
        let few_decades = self.high / self.low < 2e3;
        let first = libm::floor(libm::log10(self.low)) as i32;
        let last = libm::ceil(libm::log10(self.high)) as i32;
        (first..=last)
            .flat_map(|decade| (1..10).map(move |digit| (digit, f64::from(digit) * libm::pow(10.0, f64::from(decade)))))
            .filter(|(_, value)| (self.low..=self.high).contains(value))
            .map(|(digit, value)| (value, digit == 1 || few_decades && (digit == 2 || digit == 5)))
            .collect()
    }

    /// Returns four to ten round numbers.
    fn linear_ticks(&self) -> Vec<(f64, bool)> {
        let span = self.high - self.low;
        let decade = libm::pow(10.0, libm::floor(libm::log10(span / 4.0)));
        let apart = decade * [5.0, 2.0, 1.0].into_iter().find(|digit| span / (digit * decade) >= 4.0).unwrap_or(1.0);
        let first = (self.low / apart).ceil() as i64;
        let last = (self.high / apart).floor() as i64;
        (first..=last).map(|index| (index as f64 * apart, true)).collect()
    }
}

impl Plot<'_> {
    /// Draws the plot.
    pub fn svg(&self) -> String {
        let [left, top, right, bottom] = FRAME;
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x = Axis::new(self.scale, points().map(|p| p.0), left, right);
        let y = Axis::new(self.scale, points().map(|p| p.1), bottom, top);
        let mut svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' height='{HEIGHT}' \
             font-family='Helvetica, Arial, sans-serif' font-size='13' fill='#333'>\n\
             <rect width='{WIDTH}' height='{HEIGHT}' fill='#fff'/>\n"
        );
        for (value, labelled) in x.ticks() {
            let (at, colour) = (x.place(value), if labelled { "#ddd" } else { "#f3f3f3" });
            svg += &format!("<path d='M{at:.1} {top}V{bottom}' stroke='{colour}'/>\n");
            if labelled {
                svg += &text(at, bottom + 20.0, "middle", &number(value));
            }
        }
        for (value, labelled) in y.ticks() {
            let (at, colour) = (y.place(value), if labelled { "#ddd" } else { "#f3f3f3" });
            svg += &format!("<path d='M{left} {at:.1}H{right}' stroke='{colour}'/>\n");
            if labelled {
                svg += &text(left - 8.0, at + 4.5, "end", &number(value));
            }
        }
        let (wide, high) = (right - left, bottom - top);
        svg += &format!("<path d='M{left} {top}h{wide}v{high}h-{wide}z' fill='none' stroke='#888'/>\n");
        svg += &text(0.5 * (left + right), bottom + 46.0, "middle", self.x_label);
        let middle = 0.5 * (top + bottom);
        svg += &format!("<g transform='rotate(-90 18 {middle})'>{}</g>\n", text(18.0, middle, "middle", self.y_label));
        // The legend is to the right of the frame, where it hides nothing.
        let mut legend_y = top + 16.0;
        for (index, series) in self.series.iter().enumerate() {
            series.draw(index, &x, &y, &mut svg);
            series.draw_legend(index, legend_y, &mut svg);
            legend_y += if series.fit.is_some() { 48.0 } else { 28.0 };
        }
        svg + "</svg>\n"
    }
}

impl Series {
    fn draw(&self, index: usize, x: &Axis, y: &Axis, svg: &mut String) {
        let colour = COLOURS[index % COLOURS.len()];
        let line = match (self.fit, self.points.first(), self.points.last()) {
            (Some(law), Some(&(first, _)), Some(&(last, _))) => vec![(first, law.at(first)), (last, law.at(last))],
            _ => self.points.clone(),
        };
        let path: Vec<String> = line.iter().map(|&(px, py)| format!("{:.1} {:.1}", x.place(px), y.place(py))).collect();
        *svg += &format!("<path d='M{}' {}/>\n", path.join("L"), self.stroke(colour));
        for &(px, py) in self.points.iter().filter(|_| self.points.len() <= FEW_POINTS) {
            *svg += &marker(index, x.place(px), y.place(py), colour);
        }
    }

    fn draw_legend(&self, index: usize, y: f64, svg: &mut String) {
        let (x, colour) = (FRAME[2] + 20.0, COLOURS[index % COLOURS.len()]);
        *svg += &format!("<path d='M{x} {y}h28' {}/>\n", self.stroke(colour));
        if self.points.len() <= FEW_POINTS {
            *svg += &marker(index, x + 14.0, y, colour);
        }
        *svg += &text(x + 38.0, y + 4.5, "start", &self.name);
        if let Some(law) = self.fit {
            *svg += &text(x + 38.0, y + 22.0, "start", &format!("grows with exponent {:.2}", law.exponent));
        }
    }

    fn stroke(&self, colour: &str) -> String {
        let dashes = if self.fit.is_some() { "6 4" } else { "none" };
        format!("fill='none' stroke='{colour}' stroke-width='1.6' stroke-dasharray='{dashes}'")
    }
}

/// Draws the marker of a series; series differ in colour and shape.
fn marker(index: usize, x: f64, y: f64, colour: &str) -> String {
    let shape = match index % 4 {
        0 => "m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
        1 => "m-4 -4h8v8h-8z",
        2 => "m0 -5.5l5 9h-10z",
        _ => "m0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z",
    };
    format!("<path d='M{x:.1} {y:.1}{shape}' fill='{colour}' stroke='#fff' stroke-width='0.8'/>\n")
}

fn text(x: f64, y: f64, anchor: &str, words: &str) -> String {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    format!("<text x='{x:.1}' y='{y:.1}' text-anchor='{anchor}'>{words}</text>\n")
}
