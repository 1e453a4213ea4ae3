//! Evaluation of a program. The result is always finite.

use crate::program::{Comparison, Op};
use crate::{Formula, MAX_VALUE, MIN_DIVISOR};

impl Formula {
    /// Evaluates the formula with the values of its names. Names without a value are 0. The result is never negative
    /// zero.
    pub fn evaluate(&self, value: impl Fn(&str) -> Option<f64>) -> f64 {
        let value = |name: usize| value(&self.names[name].0).unwrap_or(0.0);
        self.evaluate_indexed(value, &mut Vec::with_capacity(8))
    }

    /// Evaluates the formula with the values of its names, given by their index among [`names`](Self::names). The stack
    /// is scratch memory that can be reused, so that nothing is allocated.
    pub fn evaluate_indexed(&self, value: impl Fn(usize) -> f64, stack: &mut Vec<f64>) -> f64 {
        stack.clear();
        for op in &self.program {
            let result = match *op {
                Op::Number(number) => number,
                Op::Name(name) => value(name),
                Op::Negate => -pop(stack),
                Op::Call(function, count) => {
                    let first = stack.len().saturating_sub(count);
                    let result = function.call(&stack[first..]);
                    stack.truncate(first);
                    result
                }
                Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Power | Op::Compare(_) => {
                    let right = pop(stack);
                    let left = pop(stack);
                    apply_binary(*op, left, right)
                }
            };
            stack.push(make_finite(result));
        }
        pop(stack)
    }
}

fn pop(stack: &mut Vec<f64>) -> f64 {
    stack.pop().unwrap_or(0.0)
}

/// Clamps a value to the permitted range. NaN becomes 0, and so does negative zero.
fn make_finite(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-MAX_VALUE, MAX_VALUE) + 0.0 }
}

fn apply_binary(op: Op, left: f64, right: f64) -> f64 {
    match op {
        Op::Add => left + right,
        Op::Subtract => left - right,
        Op::Multiply => left * right,
        Op::Divide if right.abs() < MIN_DIVISOR => left / if right < 0.0 { -MIN_DIVISOR } else { MIN_DIVISOR },
        Op::Divide => left / right,
        Op::Power => libm::pow(left, right),
        Op::Compare(comparison) => f64::from(match comparison {
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
        }),
        _ => 0.0,
    }
}
