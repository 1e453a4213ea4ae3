//! The functions of the language.

use crate::MIN_DIVISOR;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
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
    pub const ALL: [Self; 8] =
        [Self::Min, Self::Max, Self::Abs, Self::Sqrt, Self::Exp, Self::Log, Self::Clamp, Self::If];

    pub fn name(self) -> &'static str {
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

    /// Returns the number of arguments, or `None` if any number is accepted.
    pub fn argument_count(self) -> Option<usize> {
        match self {
            Self::Min | Self::Max => None,
            Self::Abs | Self::Sqrt | Self::Exp | Self::Log => Some(1),
            Self::Clamp | Self::If => Some(3),
        }
    }

    /// Returns the value of the function. The parser has checked the number of arguments.
    pub fn call(self, arguments: &[f64]) -> f64 {
        match (self, arguments) {
            (Self::Min, values) => values.iter().copied().fold(f64::INFINITY, f64::min),
            (Self::Max, values) => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            (Self::Abs, &[x]) => x.abs(),
            (Self::Sqrt, &[x]) => x.max(0.0).sqrt(),
            (Self::Exp, &[x]) => libm::exp(x),
            (Self::Log, &[x]) => libm::log(x.max(MIN_DIVISOR)),
            // Where low > high, the result is low.
            (Self::Clamp, &[x, low, high]) => x.min(high).max(low),
            (Self::If, &[condition, then, otherwise]) => {
                if condition == 0.0 {
                    otherwise
                } else {
                    then
                }
            }
            _ => 0.0,
        }
    }
}
