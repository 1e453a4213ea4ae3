//! Finds the commit from which the program is built, for `burgess --version`.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=BURGESS_COMMIT");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // Every commit adds a line here, on any branch.
    for file in [".git/HEAD", ".git/logs/HEAD"] {
        let file = root.join(file);
        if file.exists() {
            println!("cargo::rerun-if-changed={}", file.display());
        }
    }
    println!("cargo::rustc-env=BURGESS_VERSION={}", version(&root));
}

/// The version of the package, with the commit where it is known.
fn version(root: &Path) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let given = std::env::var("BURGESS_COMMIT").ok().filter(|commit| !commit.is_empty());
    match given.or_else(|| commit(root)) {
        Some(commit) => format!("{version} ({commit})"),
        None => version.to_string(),
    }
}

fn commit(root: &Path) -> Option<String> {
    // A folder without a repository may be inside of another one.
    root.join(".git").exists().then_some(())?;
    let arguments = ["log", "-1", "--format=%h %cs"];
    let found = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    let text = String::from_utf8(found.stdout).ok()?;
    (found.status.success() && !text.trim().is_empty()).then(|| text.trim().to_string())
}
