//! Finds the commit from which the program is built, for `burgess --version`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tells the commit where there is no repository, such as in a container.
const GIVEN: &str = "BURGESS_COMMIT";

/// Length of a shortened commit, in characters.
const SHORT: usize = 8;

fn main() {
    println!("cargo::rerun-if-env-changed={GIVEN}");
    // Read at run time: with a shared target folder, this program may have been compiled elsewhere.
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let given = env::var(GIVEN).ok().filter(|commit| !commit.is_empty());
    let commit = given.or_else(|| commit_of_package(&own)).or_else(|| commit_of_repository(&own.join("../..")));
    let version = env!("CARGO_PKG_VERSION");
    let shown = commit.map_or(version.to_string(), |commit| format!("{version} ({commit})"));
    println!("cargo::rustc-env=BURGESS_VERSION={shown}");
}

/// The commit that cargo wrote into a package.
fn commit_of_package(own: &Path) -> Option<String> {
    let text = fs::read_to_string(own.join(".cargo_vcs_info.json")).ok()?;
    let hash = text.split("\"sha1\":").nth(1)?.split('"').nth(1)?;
    hash.get(..SHORT).map(str::to_string)
}

fn commit_of_repository(root: &Path) -> Option<String> {
    // A folder without a repository may be inside of another one.
    root.join(".git").exists().then_some(())?;
    // Every commit adds a line to the log, on any branch. In a work tree both files are elsewhere.
    for name in ["HEAD", "logs/HEAD"] {
        let file = root.join(git(root, &["rev-parse", "--git-path", name])?);
        if file.exists() {
            println!("cargo::rerun-if-changed={}", file.display());
        }
    }
    git(root, &["log", "-1", "--format=%h %cs"])
}

/// Returns what git prints, if it succeeds and prints something.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let found = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    let text = String::from_utf8(found.stdout).ok()?;
    (found.status.success() && !text.trim().is_empty()).then(|| text.trim().to_string())
}
