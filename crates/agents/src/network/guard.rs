//! Formulas over numbered variables.

use burgess_formula::{Formula, FormulaError};

/// A formula whose names are bound to the indices of variables.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Guard {
    formula: Formula,
    /// The variable of each name of the formula.
    variables: Vec<usize>,
}

impl Guard {
    /// Binds the names of a formula to the positions of `known` names. The error suggests the closest known name.
    pub fn bind(formula: &Formula, known: &[&str]) -> Result<Self, FormulaError> {
        formula.check_names(known)?;
        let position = |name: &str| known.iter().position(|known| *known == name).unwrap_or(0);
        let variables = formula.names().map(position).collect();
        Ok(Self { formula: formula.clone(), variables })
    }

    /// Evaluates the formula. The stack is scratch memory.
    pub fn evaluate(&self, variable: impl Fn(usize) -> f64, stack: &mut Vec<f64>) -> f64 {
        self.formula.evaluate_indexed(|name| variable(self.variables[name]), stack)
    }

    /// The text of the formula.
    pub fn text(&self) -> &str {
        self.formula.text()
    }
}
