//! Names and what they stand for.

use burgess_agents::network::Guard;
use burgess_agents::pedestrians::WALKER_VARIABLES;
use burgess_files::{At, Fault, NameFault, closest};
use burgess_formula::Formula;

use super::spec::CrowdSpec;
use crate::error::FieldError;
use crate::rules::{Checked, conflict};

/// The index of a name. The error suggests the closest name.
pub(super) fn position<'a>(
    at: At,
    what: &'static str,
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize, FieldError> {
    known.clone().position(|known| known == name).ok_or_else(|| {
        let suggestion = closest(name, known);
        at.fault(Fault::Name(NameFault::Unknown { what, name: name.to_string(), suggestion }))
    })
}

/// Checks that names are there and different.
pub(super) fn unique<'a>(list: At, names: impl Iterator<Item = &'a str>) -> Checked {
    let mut known: Vec<&str> = Vec::new();
    for (index, name) in names.enumerate() {
        let at = list.index(index);
        if name.is_empty() {
            return Err(at.field("name").fault(Fault::Missing));
        }
        if known.contains(&name) {
            return conflict(at.field("name"), &format!("'{name}' is named twice"));
        }
        known.push(name);
    }
    Ok(())
}

/// The variables that formulas of a crowd can use.
pub(super) struct Variables {
    names: Vec<String>,
}

impl Variables {
    pub fn of(spec: &CrowdSpec) -> Self {
        let nodes =
            spec.nodes.iter().flat_map(|node| [format!("{}_distance", node.name), format!("{}_angle", node.name)]);
        let fixed = WALKER_VARIABLES.iter().map(|name| name.to_string());
        Self { names: fixed.chain(spec.signals.iter().cloned()).chain(nodes).collect() }
    }

    /// Binds a formula.
    pub fn bind(&self, at: At, formula: &Formula) -> Result<Guard, FieldError> {
        let known: Vec<&str> = self.names.iter().map(String::as_str).collect();
        Guard::bind(formula, &known).map_err(|error| at.fault(Fault::Syntax(error.to_string())))
    }
}
