//! Chapters of a results page.

use indicatif::ProgressBar;

use crate::document::{at_least, at_most, number};
use crate::plot::Plot;

/// A chapter.
#[derive(Default)]
pub struct Chapter {
    /// Markdown text, including the heading.
    pub text: String,
    /// Lines of the summary.
    pub verdicts: Vec<Verdict>,
    /// Names and SVG texts of the plots.
    pub pictures: Vec<(&'static str, String)>,
}

impl Chapter {
    /// Adds a plot.
    pub fn plot(&mut self, name: &'static str, plot: Plot) {
        self.pictures.push((name, plot.svg()));
    }
}

/// A line of the summary: target and result.
pub struct Verdict {
    /// Cells of the line.
    pub cells: Vec<String>,
}

impl Verdict {
    /// Creates a line for a number with an upper bound.
    pub fn at_most(what: String, limit: f64, value: f64) -> Self {
        let asked = if limit == 0.0 { number(limit) } else { format!("at most {}", number(limit)) };
        Self { cells: vec![what, asked, number(value), at_most(value, limit).to_owned()] }
    }

    /// Creates a line for a number with a lower bound.
    pub fn at_least(what: String, limit: f64, value: f64) -> Self {
        let asked = format!("at least {}", number(limit));
        Self { cells: vec![what, asked, number(value), at_least(value, limit).to_owned()] }
    }
}

/// Progress bar on stderr.
pub struct Progress(pub ProgressBar);

impl Progress {
    /// Sets the description of the current measurement.
    pub fn say(&self, what: String) {
        if self.0.is_hidden() {
            eprintln!("bench: {what}");
        }
        self.0.set_message(what);
    }

    /// Completes one unit.
    pub fn advance(&self) {
        self.0.inc(1);
    }
}
