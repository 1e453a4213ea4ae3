//! `burgess import`: models of other programs become scene files.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use burgess_catalog::Subject;
use burgess_formats::import::ImportOptions;
use burgess_formats::import_file;
use clap::Args;

use crate::output::{counted, print};
use crate::program::program;
use crate::scene_argument::report_warnings;

/// Convert a model in another format (MJCF, URDF) to a scene file
///
/// The scene file is self-contained: it includes the meshes. Elements without a counterpart are left out and listed,
/// one line for each type; with --strict they are an error.
///
/// `simulate`, `watch`, `picture` and `export` also accept models directly.
#[derive(Args)]
#[command(after_help = "Examples:
  burgess import ant.xml -o ant.toml                                  a model of MuJoCo
  burgess import robot.urdf --package-root ~/robots -o robot.toml     package://NAME/... refers to ~/robots/NAME/...
  burgess import robot.urdf --floating -o robot.toml                  its base moves freely
  burgess import ant.xml --strict -o ant.toml                         fail if anything would be left out
  burgess simulate ant.xml                                            without a scene file")]
pub struct Import {
    /// Model: .xml (MJCF) or .urdf
    #[arg(value_name = "FILE")]
    model: PathBuf,
    /// Write to this scene file (.toml)
    #[arg(short, long, value_name = "SCENE")]
    output: PathBuf,
    /// Fail if anything would be left out [default: list it and continue]
    #[arg(long)]
    strict: bool,
    /// Resolve package:// URLs in this folder and allow meshes from it [default: the folder of the model]
    #[arg(long, value_name = "FOLDER")]
    package_root: Option<PathBuf>,
    /// Let the base of a URDF model move freely [default: it is fixed to the world]
    #[arg(long)]
    floating: bool,
    /// Start from this keyframe of the model [default: the one called start, or the reference pose]
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
}

impl Import {
    /// Writes the scene and says what is in it.
    pub fn run(&self) -> Result<ExitCode> {
        if self.output.extension().is_none_or(|extension| extension != "toml") {
            bail!("-o {}: the name of a scene file must end in .toml", self.output.display());
        }
        let options = ImportOptions {
            strict: self.strict,
            package_root: self.package_root.clone(),
            floating_base: self.floating,
            keyframe: self.keyframe.clone(),
        };
        // Any other name of a file is accepted, too: the content of the file decides.
        let subject = Subject::of_file(&self.model)?;
        if !matches!(subject, Subject::Model(_) | Subject::Scene(_)) {
            return Err(subject.wrong_kind("a model (.xml, .mjcf or .urdf)").into());
        }
        let imported = import_file(&self.model, &options)?;
        report_warnings(&imported.warnings);
        // Errors of building the scene are reported now, not when it is run.
        imported.scene.build("")?;
        imported.scene.write(&self.output)?;
        let scene = &imported.scene;
        let bodies = counted(scene.bodies.len() as u64, "body", "bodies");
        let actuators = counted(scene.actuators.len() as u64, "actuator", "actuators");
        let shown = self.output.display();
        print(&format!("{shown}: {bodies}, {actuators}; see it with `{} watch {shown}`\n", program()))?;
        Ok(ExitCode::SUCCESS)
    }
}
