//! The operations that a formula is compiled to.

use crate::function::Function;

/// One operation of a program. It pops its operands from a stack of numbers and pushes its result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Op {
    Number(f64),
    /// The value of the name with this index.
    Name(usize),
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Compare(Comparison),
    /// A function and its number of arguments.
    Call(Function, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}
