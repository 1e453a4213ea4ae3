//! The licences of all dependencies are among those that `deny.toml` allows.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use spdx::{Expression, Licensee, ParseMode};

use crate::common::text;

/// Licences of tools that build and test the page, beside the allowed ones: they are not part of the program.
const LICENCES_OF_TOOLS: [&str; 1] = ["BlueOak-1.0.0"];

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)).unwrap()
}

/// The licences that `deny.toml` allows.
fn allowed() -> Vec<Licensee> {
    let settings: toml::Table = toml::from_str(&read("deny.toml")).unwrap();
    let names = settings["licenses"]["allow"].as_array().unwrap();
    names.iter().map(|name| Licensee::parse(name.as_str().unwrap()).unwrap()).collect()
}

/// Says why a package is not allowed.
fn refused(package: &str, licence: Option<&str>, allowed: &[Licensee]) -> Option<String> {
    let Some(licence) = licence else { return Some(format!("{package} has no licence")) };
    match Expression::parse_mode(licence, ParseMode::LAX) {
        Ok(expression) => {
            let is_allowed = expression.evaluate(|needed| allowed.iter().any(|licence| licence.satisfies(needed)));
            (!is_allowed).then(|| format!("{package}: {licence}"))
        }
        Err(error) => Some(format!("{package}: {licence}: {}", error.reason)),
    }
}

#[test]
fn licences_of_crates_are_allowed() {
    let arguments = ["metadata", "--format-version", "1", "--locked"];
    let found = Command::new(env!("CARGO")).args(arguments).output().unwrap();
    assert!(found.status.success(), "{}", text(&found.stderr));
    let metadata: Value = serde_json::from_slice(&found.stdout).unwrap();
    let packages: Vec<&Value> =
        metadata["packages"].as_array().unwrap().iter().filter(|package| !package["source"].is_null()).collect();
    assert!(packages.len() > 200);
    let allowed = allowed();
    let refused: Vec<String> = packages
        .iter()
        .filter_map(|package| refused(package["name"].as_str().unwrap(), package["license"].as_str(), &allowed))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn licences_of_packages_of_the_page_are_allowed() {
    let lock: Value = serde_json::from_str(&read("web/package-lock.json")).unwrap();
    let packages = lock["packages"].as_object().unwrap().iter().filter(|(path, _)| !path.is_empty());
    let shipped = allowed();
    let mut of_tools = allowed();
    of_tools.extend(LICENCES_OF_TOOLS.map(|name| Licensee::parse(name).unwrap()));
    let refused: Vec<String> = packages
        .filter_map(|(path, package)| {
            let allowed = if package["dev"] == true { &of_tools } else { &shipped };
            refused(path, package["license"].as_str(), allowed)
        })
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
