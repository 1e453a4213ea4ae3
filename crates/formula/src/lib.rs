//! The formula language: an expression over named numbers, written as one line of text.
//!
//! The caller supplies the variables, as a list of names when a formula is checked and as a function from names to
//! values when it is evaluated. This crate knows none of them.
//!
//! ```
//! use burgess_formula::Formula;
//!
//! let formula = Formula::parse("if(height > 2, 0, distance / max(drift, 0.1))").unwrap();
//! formula.check_names(&["height", "distance", "drift"]).unwrap();
//! let value = |name: &str| match name {
//!     "height" => Some(1.0),
//!     "distance" => Some(3.0),
//!     "drift" => Some(0.0),
//!     _ => None,
//! };
//! assert!((formula.evaluate(value) - 30.0).abs() < 1e-12);
//!
//! // Errors give the column, and the closest known name.
//! let error = Formula::parse("2 * (distance").unwrap_err();
//! assert_eq!(error.to_string(), "column 14: expected ')', found the end of the formula");
//! let error = formula.check_names(&["height", "distances", "drift"]).unwrap_err();
//! assert_eq!(error.to_string(), "column 19: unknown name 'distance'; did you mean 'distances'?");
//! ```
//!
//! # Grammar
//!
//! ```text
//!   comparison := sum (('<' | '<=' | '>' | '>=' | '==' | '!=') sum)?        1 if true, 0 if false
//!   sum        := product (('+' | '-') product)*
//!   product    := sign (('*' | '/') sign)*
//!   sign       := '-' sign | power
//!   power      := value ('^' sign)?                                         -2^2 is -4, 2^3^2 is 2^9
//!   value      := number | name | function '(' comparison (',' comparison)* ')' | '(' comparison ')'
//! ```
//!
//! Functions: `min` and `max` of any number of arguments, `abs`, `sqrt`, `exp`, `log` (natural), `clamp(x, low, high)`,
//! and `if(condition, then, else)`, where every condition other than 0 is true.
//!
//! # Values are always finite
//!
//! - Every intermediate result is clamped to -1e12 ... 1e12; NaN becomes 0.
//! - A divisor closer to zero than 1e-9 is replaced by 1e-9 with the same sign.
//! - The square root of a negative number is 0, and so is a negative number to a fractional power.
//! - The logarithm of a number below 1e-9 is that of 1e-9.
//!
//! Both branches of an `if` are evaluated, which is safe because evaluation cannot fail. The functions are those of
//! `libm`, so all machines agree to the last bit.

mod evaluate;
mod function;
mod parse;
mod program;
mod text;

use thiserror::Error;

use function::Function;
use program::Op;

/// Maximum length of a formula, in bytes.
pub const MAX_LENGTH: usize = 4096;
/// Maximum nesting depth, which bounds the recursion of the parser.
pub const MAX_DEPTH: usize = 64;
/// Every value is clamped to this magnitude.
pub const MAX_VALUE: f64 = 1e12;
/// Smallest magnitude of a divisor and smallest argument of a logarithm.
pub const MIN_DIVISOR: f64 = 1e-9;

/// An expression over named numbers. See the [crate documentation](crate) for the language.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Formula {
    text: String,
    /// Operations in postfix order, so that evaluation needs a stack of numbers but no recursion.
    program: Vec<Op>,
    /// The names used, each once, with the column of the first use.
    names: Vec<(String, usize)>,
}

/// The reason why a formula was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("column {column}: {what}")]
pub struct FormulaError {
    /// Position in the formula, in characters, counted from 1.
    pub column: usize,
    /// What was expected and what was found.
    pub what: String,
}

impl Formula {
    /// Returns the names of all functions.
    pub fn functions() -> [&'static str; 8] {
        Function::ALL.map(Function::name)
    }

    /// Parses a formula. Names are not checked here but by [`check_names`](Self::check_names).
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        parse::parse(text)
    }

    /// Returns the text that the formula was parsed from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether this is the default formula, which has no text.
    pub fn is_empty(&self) -> bool {
        self.program.is_empty()
    }

    /// Returns the names that the formula uses, each once.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, _)| name.as_str())
    }

    /// Checks that all names are among the `known` ones. The error suggests the closest known name.
    pub fn check_names(&self, known: &[&str]) -> Result<(), FormulaError> {
        match self.names.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some((name, column)) => {
                let shown = shorten(name);
                let what = match burgess_files::closest(name, known.iter().copied()) {
                    Some(near) => format!("unknown name '{shown}'; did you mean '{near}'?"),
                    None => format!("unknown name '{shown}'"),
                };
                Err(FormulaError { column: *column, what })
            }
        }
    }
}

/// Returns the first 40 characters of `text`, so that error messages stay short.
fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}
