//! `burgess spaces`: the curved spaces.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use burgess_catalog::{SpaceOrigin, Subject};
use burgess_geometry::glam::DVec3;
use burgess_geometry::manifold::{MAX_GENERATOR_BYTES, Manifold, Recipe, SpaceName, read_generators};
use burgess_geometry::space::Space;
use clap::Args;
use serde::Serialize;

use crate::output::print;
use crate::program::program;

/// List the curved spaces, one per line: the name, then what it is. With SPACE, describe one
#[derive(Args)]
#[command(after_help = "Examples:
  burgess spaces                    list all
  burgess spaces weeks              volume, faces and group of one
  burgess spaces lens-7-2           the lens space L(7, 2)
  burgess spaces mine.gens --json   a generator file of SnapPea
  burgess watch weeks               see it from inside, in the browser")]
pub struct Spaces {
    /// Name of a space, or a generator file of SnapPea (.gens)
    #[arg(value_name = "SPACE")]
    space: Option<String>,
    /// Print JSON on one line
    #[arg(long)]
    json: bool,
}

impl Spaces {
    /// Prints the list or one space.
    pub fn run(&self) -> Result<ExitCode> {
        let text = match &self.space {
            None if self.json => serde_json::to_string(&all()?)? + "\n",
            None => list(),
            Some(word) => {
                let Subject::Space(origin) = Subject::resolve(word)? else {
                    bail!("'{word}' is not a curved space; `burgess spaces` lists all");
                };
                let summary = SpaceSummary::load(&origin)?;
                if self.json { serde_json::to_string(&summary)? + "\n" } else { summary.to_string() }
            }
        };
        print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn list() -> String {
    let width = SpaceName::ALL.iter().map(|space| space.name().len()).max().unwrap_or(0);
    SpaceName::ALL.iter().map(|space| format!("{:width$}  {}\n", space.name(), space.description())).collect()
}

fn all() -> Result<Vec<SpaceSummary>> {
    let load = |space: &SpaceName| SpaceSummary::load(&SpaceOrigin::Builtin(space.name().to_string()));
    SpaceName::ALL.iter().map(load).collect()
}

/// What is known about a space.
#[derive(Serialize)]
pub struct SpaceSummary {
    /// Name of the space, or of its file.
    pub name: String,
    description: String,
    geometry: &'static str,
    curvature: f64,
    group: String,
    group_order: Option<usize>,
    is_manifold: bool,
    volume: f64,
    /// Distance from the base point to the nearest face; null without faces.
    in_radius: Option<f64>,
    /// Distance from the base point to the farthest corner.
    out_radius: f64,
    faces: usize,
    edges: usize,
    vertices: usize,
    edge_cycles: usize,
    /// By how much the worst product of pairings round an edge differs from the identity.
    edge_error: f64,
}

impl SpaceSummary {
    /// Makes the space and measures it.
    pub fn load(origin: &SpaceOrigin) -> Result<SpaceSummary> {
        match origin {
            SpaceOrigin::Builtin(name) => {
                let recipe = Recipe::named(name).context("the space has no recipe")?;
                let (description, group) = (recipe.name.description().to_string(), recipe.name.group().to_string());
                Ok(Self::new(name.clone(), description, group, &recipe.build()?))
            }
            SpaceOrigin::File(path) => Self::load_file(path),
        }
    }

    fn load_file(path: &Path) -> Result<SpaceSummary> {
        let place = || path.display().to_string();
        let mut bytes = Vec::new();
        let file = File::open(path).with_context(place)?;
        file.take(MAX_GENERATOR_BYTES as u64 + 1).read_to_end(&mut bytes).with_context(place)?;
        let file = read_generators(&bytes).with_context(place)?;
        let domain = file.domain(DVec3::ZERO).with_context(place)?;
        let group = format!("infinite, {} generators in the file", file.generators.len());
        let manifold = Manifold::new(file.generators, domain)?;
        let name = path.file_name().map_or_else(place, |name| name.to_string_lossy().into_owned());
        Ok(Self::new(name, "A hyperbolic space from a generator file.".to_string(), group, &manifold))
    }

    fn new(name: String, description: String, group: String, manifold: &Manifold) -> SpaceSummary {
        let domain = &manifold.domain;
        let geometry = match domain.space {
            Space::Spherical => "spherical",
            Space::Flat => "flat",
            Space::Hyperbolic => "hyperbolic",
        };
        SpaceSummary {
            name,
            description,
            geometry,
            curvature: domain.space.curvature(),
            group,
            group_order: manifold.group_order(),
            is_manifold: manifold.is_manifold(),
            volume: domain.volume(),
            in_radius: Some(domain.in_radius()).filter(|radius| radius.is_finite()),
            out_radius: domain.out_radius(),
            faces: domain.faces.len(),
            edges: domain.edges.len(),
            vertices: domain.vertices.len(),
            edge_cycles: manifold.cycles.len(),
            edge_error: manifold.cycles.iter().map(|cycle| cycle.error()).fold(0.0, f64::max),
        }
    }
}

impl fmt::Display for SpaceSummary {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}: {}", self.name, self.description)?;
        writeln!(f, "geometry  {}, curvature {}", self.geometry, self.curvature)?;
        writeln!(f, "volume    {:.12}", self.volume)?;
        writeln!(f, "group     {}", self.group)?;
        writeln!(f, "domain    {} faces, {} edges, {} vertices", self.faces, self.edges, self.vertices)?;
        if let Some(radius) = self.in_radius {
            writeln!(f, "radii     {radius:.6} inside, {:.6} outside", self.out_radius)?;
        }
        writeln!(
            f,
            "`{} watch {}` opens a page that shows it from inside; if the output is not a terminal, add --listen.",
            program(),
            self.name
        )
    }
}
