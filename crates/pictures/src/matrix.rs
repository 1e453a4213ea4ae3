//! Draws a square matrix of scores as SVG: each cell is the share that the player of its row won against that of its
//! column.
//!
//! ```
//! use burgess_pictures::ScoreMatrix;
//!
//! let matrix = ScoreMatrix {
//!     title: "Who beats whom".to_string(),
//!     labels: vec!["rock".to_string(), "paper".to_string()],
//!     scores: vec![None, Some(0.0), Some(1.0), None],
//!     ..ScoreMatrix::default()
//! };
//! assert!(matrix.svg().unwrap().contains("paper against rock: 100 %"));
//! ```

use super::error::PictureError;
use super::svg::escaped;
use super::{MAX_SIDE, MIN_SIDE};

/// Maximum number of rows; more would be smaller than a pixel.
const MAX_ROWS: usize = 1000;
/// Space for the labels, the title and the legend, in pixels: left, right, top, bottom.
const MARGINS: [f64; 4] = [96.0, 16.0, 96.0, 44.0];
/// Height and average width of a letter, in pixels.
const LETTER: [f64; 2] = [11.0, 6.0];
/// Colours of a score of 1, of 0.5 and of 0: red, green and blue from 0 to 255. They also differ in lightness.
const COLORS: [[f64; 3]; 3] = [[33.0, 90.0, 170.0], [244.0, 242.0, 236.0], [214.0, 111.0, 30.0]];
/// Colour of cells without a score.
const EMPTY: &str = "#c9ced6";

/// A square matrix of scores.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreMatrix {
    /// Title above the matrix.
    pub title: String,
    /// Names of the rows, which are also those of the columns.
    pub labels: Vec<String>,
    /// Scores row by row, from 0 to 1; `None` where there is none.
    pub scores: Vec<Option<f64>>,
    /// Width, in pixels.
    pub width: u32,
    /// Height, in pixels.
    pub height: u32,
}

impl Default for ScoreMatrix {
    fn default() -> Self {
        Self { title: String::new(), labels: Vec::new(), scores: Vec::new(), width: 640, height: 640 }
    }
}

impl ScoreMatrix {
    /// Draws the matrix. Every cell has its players and score as a tooltip.
    pub fn svg(&self) -> Result<String, PictureError> {
        let (width, height, rows) = (self.width, self.height, self.labels.len());
        let sides = MIN_SIDE..=MAX_SIDE;
        if !(sides.contains(&width) && sides.contains(&height)) {
            return Err(PictureError::Size { width, height, min: MIN_SIDE, max: MAX_SIDE });
        }
        if !(1..=MAX_ROWS).contains(&rows) || self.scores.len() != rows * rows {
            let found = self.scores.len();
            let what =
                format!("from 1 to {MAX_ROWS} labels and as many scores in each row, found {rows} and {found} in all");
            return Err(PictureError::Plot { what });
        }
        let [left, right, top, bottom] = MARGINS;
        let room = (f64::from(width) - left - right).min(f64::from(height) - top - bottom).max(1.0);
        let cell = room / rows as f64;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
             <title>{title}</title>\n<style>text{{font:{}px system-ui,sans-serif;fill:#35445c}}.e{{text-anchor:end}}</style>\n\
             <rect width=\"{width}\" height=\"{height}\" rx=\"15\" fill=\"#f7f9fc\"/>\n\
             <text x=\"{left}\" y=\"22\" font-weight=\"600\">{title}</text>\n",
            LETTER[0],
            title = escaped(&self.title),
        );
        for (index, score) in self.scores.iter().enumerate() {
            let (row, column) = (index / rows, index % rows);
            let (x, y) = (left + cell * column as f64, top + cell * row as f64);
            let (color, words) = match score.filter(|score| score.is_finite()) {
                Some(score) => (color(score), format!("{:.0} %", 100.0 * score)),
                None => (EMPTY.to_string(), "no match".to_string()),
            };
            svg += &format!(
                "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{cell:.2}\" height=\"{cell:.2}\" fill=\"{color}\"><title>{} against {}: {words}</title></rect>\n",
                escaped(&self.labels[row]),
                escaped(&self.labels[column]),
            );
        }
        Ok(svg + &self.words(cell) + "</svg>\n")
    }

    /// Draws the labels, as many as there is room for, and the legend.
    fn words(&self, cell: f64) -> String {
        let [left, _, top, _] = MARGINS;
        // Every so many labels, so that they do not overlap.
        let stride = (LETTER[0] * 1.2 / cell).ceil().max(1.0) as usize;
        let mut words = String::new();
        for (index, label) in self.labels.iter().enumerate().step_by(stride) {
            let middle = cell * (index as f64 + 0.5);
            let label = escaped(label);
            let (y, x) = (top + middle + 0.35 * LETTER[0], left + middle + 0.35 * LETTER[0]);
            words += &format!("<text class=\"e\" x=\"{:.1}\" y=\"{y:.1}\">{label}</text>\n", left - 6.0);
            words += &format!("<text transform=\"translate({x:.1} {:.1})rotate(-90)\">{label}</text>\n", top - 6.0);
        }
        let end = top + cell * self.labels.len() as f64 + 22.0;
        let mut x = left;
        for (score, text) in [(1.0, "the row wins"), (0.5, "even"), (0.0, "the column wins")] {
            words += &format!(
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"12\" height=\"12\" fill=\"{}\" stroke=\"#8a98ae\" stroke-width=\"0.5\"/>\
                 <text x=\"{:.1}\" y=\"{end:.1}\">{text}</text>\n",
                end - 10.0,
                color(score),
                x + 18.0
            );
            x += 40.0 + LETTER[1] * text.len() as f64;
        }
        words
    }
}

/// Returns the colour of a score from 0 to 1.
fn color(score: f64) -> String {
    let score = score.clamp(0.0, 1.0);
    let (from, to, share) = if score >= 0.5 {
        (COLORS[1], COLORS[0], 2.0 * score - 1.0)
    } else {
        (COLORS[1], COLORS[2], 1.0 - 2.0 * score)
    };
    let [red, green, blue] = [0, 1, 2].map(|channel| {
        let value: f64 = from[channel] + share * (to[channel] - from[channel]);
        value.round() as u8
    });
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_lead_from_one_end_through_the_middle_to_the_other() {
        assert_eq!([color(1.0), color(0.5), color(0.0)], ["#215aaa", "#f4f2ec", "#d66f1e"]);
        assert_eq!((color(9.0), color(-9.0)), (color(1.0), color(0.0)));
    }

    #[test]
    fn every_cell_is_drawn_with_its_score() {
        let labels = ["a", "b<c"].map(str::to_string).to_vec();
        let scores = vec![None, Some(0.25), Some(0.75), None];
        let svg = ScoreMatrix { labels, scores, ..ScoreMatrix::default() }.svg().unwrap();
        assert!(svg.contains("a against b&lt;c: 25 %") && svg.contains("b&lt;c against a: 75 %"), "{svg}");
        assert_eq!(svg.matches("no match").count(), 2);
    }

    #[test]
    fn a_matrix_that_is_not_square_is_refused() {
        let refused = ScoreMatrix { labels: vec!["a".to_string()], ..ScoreMatrix::default() }.svg().unwrap_err();
        assert!(refused.to_string().contains("found 1 and 0 in all"), "{refused}");
        assert!(ScoreMatrix { width: 1, ..ScoreMatrix::default() }.svg().is_err());
    }
}
