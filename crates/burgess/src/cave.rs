//! The option `--cave` of `serve` and `flow watch`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use burgess_walls::CaveText;

/// Reads a cave file, or copies a built-in cave into a folder, where changes are saved.
pub fn read_cave(cave: &Path, folder: &Path) -> Result<(CaveText, PathBuf)> {
    let preset = cave.to_str().filter(|_| !cave.exists()).and_then(CaveText::preset);
    if let Some(preset) = preset {
        let file = folder.join("cave.toml");
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&file, &preset.text));
        written.with_context(|| format!("{}: the file cannot be written", file.display()))?;
        return Ok((preset, file));
    }
    let name = cave.display().to_string();
    let text = burgess_files::read_text(cave).with_context(|| {
        format!("--cave {name}: expected a cave file, or one of {}", burgess_walls::PRESETS.join(", "))
    })?;
    Ok((CaveText::read(text, &name)?, cave.to_path_buf()))
}
