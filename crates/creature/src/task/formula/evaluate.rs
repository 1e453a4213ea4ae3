//! From a program to its value, which is always finite.

use super::{Comparison, Formula, Function, LARGEST, Op, SMALLEST};

impl Formula {
    /// Its value, given those of its names; what has none is 0. Negative zero does not occur.
    pub fn evaluate(&self, value: impl Fn(&str) -> Option<f64>) -> f64 {
        let mut stack: Vec<f64> = Vec::with_capacity(8);
        for op in &self.program {
            let result = match *op {
                Op::Number(number) => number,
                Op::Name(name) => value(&self.names[name].0).unwrap_or(0.0),
                Op::Negate => -pop(&mut stack),
                Op::Call(function, count) => {
                    let first = stack.len().saturating_sub(count);
                    let result = call(function, &stack[first..]);
                    stack.truncate(first);
                    result
                }
                Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Power | Op::Compare(_) => {
                    let right = pop(&mut stack);
                    let left = pop(&mut stack);
                    combine(*op, left, right)
                }
            };
            stack.push(bounded(result));
        }
        pop(&mut stack)
    }
}

fn pop(stack: &mut Vec<f64>) -> f64 {
    stack.pop().unwrap_or(0.0)
}

/// Within all bounds; 0 for what is no number.
fn bounded(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-LARGEST, LARGEST) + 0.0 }
}

fn combine(op: Op, left: f64, right: f64) -> f64 {
    match op {
        Op::Add => left + right,
        Op::Subtract => left - right,
        Op::Multiply => left * right,
        Op::Divide if right.abs() < SMALLEST => left / if right < 0.0 { -SMALLEST } else { SMALLEST },
        Op::Divide => left / right,
        Op::Power => libm::pow(left, right),
        Op::Compare(comparison) => f64::from(match comparison {
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
            Comparison::Equal => left == right,
            Comparison::Different => left != right,
        }),
        _ => 0.0,
    }
}

fn call(function: Function, values: &[f64]) -> f64 {
    match (function, values) {
        (Function::Min, values) => values.iter().copied().fold(f64::INFINITY, f64::min),
        (Function::Max, values) => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        (Function::Abs, &[x]) => x.abs(),
        (Function::Sqrt, &[x]) => x.max(0.0).sqrt(),
        (Function::Exp, &[x]) => libm::exp(x),
        (Function::Log, &[x]) => libm::log(x.max(SMALLEST)),
        // The lower bound wins where the bounds are the wrong way round.
        (Function::Clamp, &[x, low, high]) => x.min(high).max(low),
        (Function::If, &[condition, then, otherwise]) => {
            if condition == 0.0 {
                otherwise
            } else {
                then
            }
        }
        _ => 0.0,
    }
}
