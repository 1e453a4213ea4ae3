//! What every part of the page is made of.

use indicatif::ProgressBar;

use crate::document::{at_least, at_most, number};
use crate::plot::Plot;

/// A part of the page.
#[derive(Default)]
pub struct Chapter {
    /// Markdown, from the heading on.
    pub text: String,
    /// For the summary.
    pub verdicts: Vec<Verdict>,
    /// Names and SVG texts of the pictures.
    pub pictures: Vec<(&'static str, String)>,
}

impl Chapter {
    /// Adds a picture.
    pub fn plot(&mut self, name: &'static str, plot: Plot) {
        self.pictures.push((name, plot.svg()));
    }
}

/// One line of the summary: what was asked for, and what came out.
pub struct Verdict {
    /// The cells of the line.
    pub cells: Vec<String>,
}

impl Verdict {
    /// A number that should not be larger.
    pub fn at_most(what: String, limit: f64, value: f64) -> Self {
        let asked = if limit == 0.0 { number(limit) } else { format!("at most {}", number(limit)) };
        Self { cells: vec![what, asked, number(value), at_most(value, limit).to_owned()] }
    }

    /// A number that should not be smaller.
    pub fn at_least(what: String, limit: f64, value: f64) -> Self {
        let asked = format!("at least {}", number(limit));
        Self { cells: vec![what, asked, number(value), at_least(value, limit).to_owned()] }
    }
}

/// The progress bar on stderr.
pub struct Progress(pub ProgressBar);

impl Progress {
    /// What is measured now.
    pub fn say(&self, what: String) {
        if self.0.is_hidden() {
            eprintln!("bench: {what}");
        }
        self.0.set_message(what);
    }

    /// One unit is done.
    pub fn advance(&self) {
        self.0.inc(1);
    }
}
