//! The SVG document: a rounded rectangle with a background gradient, on which layers are drawn.

use std::fmt::Write;

use glam::DVec3;

use super::PictureOptions;
use super::camera::{Camera, DOTS};
use super::ground::Grid;
use super::hiding::Hiders;
use super::region::write_path;
use super::surface::{frame, visible};

/// Stroke width of areas in their own colour, in pixels; it closes gaps between adjacent areas.
const AREA_STROKE: f64 = 0.6;
/// Width of lines, in pixels.
const LINE_WIDTH: f64 = 0.9;
/// Width of lines with dots at their ends, and diameter of the dots, in pixels.
const DOTTED_LINE_WIDTHS: [f64; 2] = [1.6, 5.4];
/// Blur of shadows, in pixels.
const SHADOW_BLUR: f64 = 2.5;

/// An SVG document under construction.
#[derive(Debug)]
pub(super) struct Page {
    head: String,
    definitions: String,
    drawing: String,
    size: [f64; 2],
}

impl Page {
    pub fn new(options: &PictureOptions, camera: &Camera) -> Self {
        let (width, height) = (options.width, options.height);
        let size = camera.size.to_array();
        let [w, h] = size;
        let mut head = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n"
        );
        if !options.title.is_empty() {
            head += &format!("<title>{}</title>\n", escaped(&options.title));
        }
        let [rim, line, soft] = [AREA_STROKE, LINE_WIDTH, SHADOW_BLUR].map(|width| width * DOTS);
        let definitions = format!(
            "<style>.b{{stroke-width:{rim};stroke-linejoin:round;stroke-linecap:round}}.l{{fill:none}}.l,.o{{stroke-width:{line}}}\
             .s{{fill:#1f2b40;filter:url(#soft)}}</style>\n\
             <linearGradient id=\"sky\" x2=\"0\" y2=\"1\"><stop stop-color=\"#eef2f8\"/><stop offset=\"1\" stop-color=\"#dbe2ec\"/></linearGradient>\n\
             <filter id=\"soft\"><feGaussianBlur stdDeviation=\"{soft}\"/></filter>\n\
             <clipPath id=\"card\"><rect width=\"{w}\" height=\"{h}\" rx=\"160\"/></clipPath>\n"
        );
        Self { head, definitions, drawing: String::new(), size }
    }

    /// Adds to the definitions.
    pub fn define(&mut self, definitions: &str) {
        self.definitions += definitions;
    }

    /// Adds to the drawing.
    pub fn draw(&mut self, drawing: &str) {
        self.drawing += drawing;
    }

    /// Adds a layer of areas and lines.
    pub fn layer(&mut self, opacity: f64, drawing: &str) {
        if !drawing.is_empty() {
            let opacity = if opacity < 1.0 { format!(" opacity=\"{opacity:.2}\"") } else { String::new() };
            self.drawing += &format!("<g class=\"b\"{opacity}>\n{drawing}</g>\n");
        }
    }

    /// Returns the complete document.
    pub fn finish(self, grid: Option<Grid>) -> String {
        let [w, h] = self.size;
        let scale = grid.map_or_else(String::new, |grid| {
            format!(
                "<text x=\"{}\" y=\"{}\" font-family=\"system-ui,sans-serif\" font-size=\"110\" fill=\"#5d6f8c\" text-anchor=\"end\">grid {}</text>\n",
                w - 140.0,
                h - 120.0,
                length(grid.side())
            )
        });
        format!(
            "{}<defs>\n{}</defs>\n<g clip-path=\"url(#card)\">\n<rect width=\"{w}\" height=\"{h}\" fill=\"url(#sky)\"/>\n{}{scale}</g>\n\
             <rect x=\"5\" y=\"5\" width=\"{}\" height=\"{}\" rx=\"155\" fill=\"none\" stroke=\"#c3cad6\" stroke-width=\"10\"/>\n</svg>\n",
            self.head,
            self.definitions,
            self.drawing,
            w - 10.0,
            h - 10.0
        )
    }
}

/// Formats a length with a suitable unit.
fn length(metres: f64) -> String {
    let (value, unit) = match metres {
        m if m >= 1000.0 => (m / 1000.0, "km"),
        m if m >= 0.1 => (m, "m"),
        m if m >= 0.01 => (m * 100.0, "cm"),
        m => (m * 1000.0, "mm"),
    };
    format!("{} {unit}", (value * 1e6).round() / 1e6)
}

/// Escapes text for XML.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML cannot represent these.
            c if c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c) => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Draws the visible parts of black lines, with dots at their ends.
pub(super) fn dotted_lines(lines: &[[DVec3; 2]], hiders: &Hiders, camera: &Camera) -> String {
    let frame = frame(camera);
    let (mut data, mut dots) = (String::new(), String::new());
    for &[from, to] in lines {
        for (a, b) in visible(from, to, hiders, camera, &frame, |_| true) {
            write_path(&mut data, &[camera.dot(a).to_array(), camera.dot(b).to_array()]);
            for end in [a, b].into_iter().filter(|&end| end == from || end == to) {
                // A line of length zero with round caps is a dot.
                let dot = camera.dot(end);
                // Writing to a string cannot fail.
                let _ = write!(dots, "M{} {}h0", dot.x, dot.y);
            }
        }
    }
    if data.is_empty() {
        return data;
    }
    let [line, dot] = DOTTED_LINE_WIDTHS.map(|width| width * DOTS);
    format!(
        "<g fill=\"none\" stroke=\"#111\" stroke-linecap=\"round\"><path stroke-width=\"{line}\" d=\"{data}\"/>\
         <path stroke-width=\"{dot}\" d=\"{dots}\"/></g>\n"
    )
}
