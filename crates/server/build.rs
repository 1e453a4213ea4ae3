//! Puts the page into `$OUT_DIR/page`, from where it is embedded in the program.
//!
//! `BURGESS_PAGE=FOLDER` uses a page that was built before. Otherwise npm builds the page in `web/` if its sources
//! changed. Packages of the crate have no `web/`, but the built page in `page/`. If there is no page, a placeholder says
//! what to install; the build never fails because of the page.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Sources of the page, in `web/`.
const SOURCES: [&str; 10] = [
    "src",
    "public",
    "package.json",
    "package-lock.json",
    "index.html",
    "vite.config.ts",
    "vite.share.ts",
    "svelte.config.js",
    "tsconfig.json",
    ".npmrc",
];

const PREBUILT: &str = "BURGESS_PAGE";

/// Folder of the built page in packages of the crate.
const PACKAGED: &str = "page";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/no_page.html");
    println!("cargo::rerun-if-env-changed={PREBUILT}");
    let Some(out) = env::var_os("OUT_DIR").map(PathBuf::from) else { return };
    let page = out.join("page");
    let built = match env::var_os(PREBUILT).filter(|folder| !folder.is_empty()) {
        Some(folder) => take(Path::new(&folder), &page).map_err(|error| format!("{PREBUILT}: {error}")),
        None => build(&page),
    };
    if let Err(why) = &built {
        println!("cargo::warning=the viewer's page is not in this program: {why}");
        write_placeholder(why, &page);
    }
    println!("cargo::rustc-check-cfg=cfg(page_is_built)");
    if built.is_ok() {
        println!("cargo::rustc-cfg=page_is_built");
    }
}

/// Takes a page that was built before.
fn take(folder: &Path, page: &Path) -> Result<(), String> {
    println!("cargo::rerun-if-changed={}", folder.display());
    if !folder.join("index.html").is_file() {
        return Err(format!("the folder {} has no index.html", folder.display()));
    }
    let copied = empty(page).and_then(|()| copy(folder, page));
    copied.map_err(|error| format!("{} cannot be copied: {error}", folder.display()))
}

fn build(page: &Path) -> Result<(), String> {
    // Read at run time: with a shared target folder, this program may have been compiled elsewhere.
    let own = env::var_os("CARGO_MANIFEST_DIR").ok_or("CARGO_MANIFEST_DIR is not set")?;
    let own = Path::new(&own);
    let web = own.join("../../web");
    if !web.join("package.json").is_file() {
        return take(&own.join(PACKAGED), page);
    }
    // A missing path would count as changed each time.
    for source in SOURCES.iter().map(|source| web.join(source)).filter(|source| source.exists()) {
        println!("cargo::rerun-if-changed={}", source.display());
    }
    if npm(&web, ["--version"]).is_err() {
        watch_for_npm();
        return Err(
            "npm is not installed; install Node.js 20.19, or 22.12 or newer, which comes with npm, and build again"
                .to_string(),
        );
    }
    let retry = "; then touch web/package.json and build again";
    if is_older(&web.join("node_modules/.package-lock.json"), &web.join("package-lock.json")) {
        install(&web).map_err(|error| format!("{error}{retry}"))?;
    }
    let arguments = ["run", "build", "--", "--outDir"].map(OsStr::new);
    let arguments = arguments.into_iter().chain([page.as_os_str(), OsStr::new("--emptyOutDir")]);
    npm(&web, arguments).map_err(|error| format!("{error}{retry}"))?;
    if page.join("index.html").is_file() { Ok(()) } else { Err("npm run build made no index.html".to_string()) }
}

/// Installs the packages of the lock file, and platform-specific packages that it lacks.
fn install(web: &Path) -> Result<(), String> {
    let quiet = ["--no-audit", "--no-fund", "--prefer-offline"];
    let exact = npm(web, ["ci"].iter().chain(&quiet));
    match exact {
        Err(error) if error.contains("EUSAGE") => npm(web, ["install", "--no-save"].iter().chain(&quiet)),
        other => other,
    }
}

/// Makes cargo build again when a folder of `PATH` changes, as it does when npm is installed.
fn watch_for_npm() {
    println!("cargo::rerun-if-env-changed=PATH");
    let path = env::var_os("PATH").unwrap_or_default();
    for folder in env::split_paths(&path).filter(|folder| folder.is_absolute() && folder.is_dir()) {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
}

/// Runs npm. Its output is hidden from cargo, which would interpret some of it.
fn npm(web: &Path, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Result<(), String> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = Command::new(program);
    command.current_dir(web).args(arguments);
    let output = command.output().map_err(|error| format!("npm cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = [output.stderr, output.stdout].concat();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(12).collect();
    Err(format!("{command:?} failed: {}", lines.join(" / ")))
}

/// Returns whether a file is missing or older than another.
fn is_older(file: &Path, than: &Path) -> bool {
    let time = |file: &Path| fs::metadata(file).and_then(|data| data.modified());
    match (time(file), time(than)) {
        (Ok(file), Ok(than)) => file < than,
        (Ok(_), Err(_)) => false,
        (Err(_), _) => true,
    }
}

fn empty(folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&target)?;
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn write_placeholder(why: &str, page: &Path) {
    let text = fs::read_to_string("src/no_page.html").unwrap_or_default();
    let why = why.replace('&', "&amp;").replace('<', "&lt;");
    let written = empty(page).and_then(|()| fs::write(page.join("index.html"), text.replace("{why}", &why)));
    if let Err(error) = written {
        println!("cargo::warning={}: {error}", page.display());
    }
}
