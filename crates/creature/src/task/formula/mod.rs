//! Formulas: what a task makes of its measures, as a line of text.
//!
//! ```text
//!   comparison := sum (('<' | '<=' | '>' | '>=' | '==' | '!=') sum)?        1 if true, 0 if not
//!   sum        := product (('+' | '-') product)*
//!   product    := sign (('*' | '/') sign)*
//!   sign       := '-' sign | power
//!   power      := value ('^' sign)?                                         -2^2 is -4, 2^3^2 is 2^9
//!   value      := number | name | function '(' comparison (',' comparison)* ')' | '(' comparison ')'
//! ```
//!
//! Functions: `min` and `max` of any number of values, `abs`, `sqrt`, `exp`, `log` (natural), `clamp(x, low, high)`,
//! `if(condition, then, else)` where any condition but 0 is true.
//!
//! A formula always has a finite value: every intermediate result is kept within -1e12 and 1e12, a divisor nearer to zero than
//! 1e-9 counts as 1e-9 with its sign, the root of what is negative is 0, the logarithm of what is below 1e-9 is that of 1e-9,
//! and a negative number to a power that is not whole is 0. Both branches of an `if` are worked out, which is why none may fail.
//! Functions are `libm`'s, so that all machines agree to the last bit.

mod evaluate;
mod parse;

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// Longer formulas are refused, in bytes.
pub const MAX_LENGTH: usize = 4096;
/// Deeper nesting is refused.
pub const MAX_DEPTH: usize = 64;
/// No value is larger.
pub const LARGEST: f64 = 1e12;
/// No divisor and no logarithm's argument is smaller.
pub const SMALLEST: f64 = 1e-9;

/// An expression over named numbers.
///
/// ```
/// use burgess_creature::task::Formula;
///
/// let formula = Formula::parse("if(height > 2, 0, distance / max(drift, 0.1))").unwrap();
/// let value = |name: &str| match name {
///     "height" => Some(1.0),
///     "distance" => Some(3.0),
///     "drift" => Some(0.0),
///     _ => None,
/// };
/// assert!((formula.evaluate(value) - 30.0).abs() < 1e-12);
///
/// let error = Formula::parse("2 * (distance").unwrap_err();
/// assert_eq!(error.to_string(), "column 14: expected ')', found the end of the formula");
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Formula {
    text: String,
    /// In postfix order: evaluation needs a stack of numbers, and no recursion.
    program: Vec<Op>,
    /// What the program speaks of, with the column of the first mention.
    names: Vec<(String, usize)>,
}

/// One step of a program.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Op {
    Number(f64),
    Name(usize),
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Compare(Comparison),
    /// Of the last so many values.
    Call(Function, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Different,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Function {
    Min,
    Max,
    Abs,
    Sqrt,
    Exp,
    Log,
    Clamp,
    If,
}

impl Function {
    const ALL: [Self; 8] = [Self::Min, Self::Max, Self::Abs, Self::Sqrt, Self::Exp, Self::Log, Self::Clamp, Self::If];

    fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::Abs => "abs",
            Self::Sqrt => "sqrt",
            Self::Exp => "exp",
            Self::Log => "log",
            Self::Clamp => "clamp",
            Self::If => "if",
        }
    }

    /// How many values it takes; none for any number of them.
    fn arguments(self) -> Option<usize> {
        match self {
            Self::Min | Self::Max => None,
            Self::Abs | Self::Sqrt | Self::Exp | Self::Log => Some(1),
            Self::Clamp | Self::If => Some(3),
        }
    }
}

/// Why a formula was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("column {column}: {what}")]
pub struct FormulaError {
    /// In letters, from 1.
    pub column: usize,
    /// What was expected and what was found.
    pub what: String,
}

impl Formula {
    /// The names of all functions.
    pub fn functions() -> [&'static str; 8] {
        Function::ALL.map(Function::name)
    }

    /// From text. Whether its names mean anything is asked later, with [`check_names`](Self::check_names).
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        parse::parse(text)
    }

    /// Its text, as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Is there nothing in it?
    pub fn is_empty(&self) -> bool {
        self.program.is_empty()
    }

    /// The names that it speaks of, each once.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, _)| name.as_str())
    }

    /// Refuses names that are not among those known, with the nearest one.
    pub fn check_names(&self, known: &[&str]) -> Result<(), FormulaError> {
        match self.names.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some((name, column)) => {
                let shown: String = name.chars().take(40).collect();
                let what = match burgess_files::closest(name, known.iter().copied()) {
                    Some(near) => format!("there is nothing called '{shown}'; did you mean '{near}'?"),
                    None => format!("there is nothing called '{shown}'"),
                };
                Err(FormulaError { column: *column, what })
            }
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Formula {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Formula {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Formula;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a formula in quotes")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Formula, E> {
                Formula::parse(text).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Reader)
    }
}
