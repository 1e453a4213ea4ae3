//! Creature files: a creature as JSON.
//!
//! ```json
//! {
//!   "format": "burgess-creature", "version": 1,
//!   "name": "walker", "description": "Walks on four legs.", "task": "walk", "seed": 7, "fitness": 3.2,
//!   "physiology": {"density": 1000.0},
//!   "genome": {"family": "legged"}
//! }
//! ```
//!
//! Numbers are written with enough digits to read the same bits again. Only name and genome are required. Members that
//! a physiology leaves out have their default values. A creature of a contest may have a `side` and an `opponent`, which
//! is another genome.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use burgess_files::write_atomically;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use super::file_error::{CreatureFault, CreatureFileError};
use super::layout::format_json;
use super::tagged::Tagged;
use crate::evaluation::Side;
use crate::genome::{AnyGenome, Family};
use crate::physiology::Physiology;

/// Value of the member `format` of every creature file.
pub const FORMAT: &str = "burgess-creature";

/// The newest version that is read, and the version in which genomes are written. Legged ones without a side and an
/// opponent have version 1.
pub const JSON_VERSION: u64 = 2;

/// Maximum size of a creature file, in bytes.
pub const MAX_JSON_BYTES: u64 = 16 << 20;

/// A creature and what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct CreatureFile {
    /// Name of the creature.
    pub name: String,
    /// One-sentence description.
    pub description: Option<String>,
    /// Name of the task that it was bred for.
    pub task: Option<String>,
    /// Seed of the evaluation that gave the fitness.
    pub seed: Option<u64>,
    /// Fitness in its task.
    pub fitness: Option<f64>,
    /// Physiology, if it is not the default.
    pub physiology: Option<Physiology>,
    /// Side on which it plays a contest.
    pub side: Option<Side>,
    /// Genome of its opponent in a contest.
    pub opponent: Option<AnyGenome>,
    /// Genome.
    pub genome: AnyGenome,
}

/// The file as it is written.
#[derive(Serialize)]
struct FileContent<'a> {
    format: &'static str,
    version: u64,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: &'a Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: &'a Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fitness: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    physiology: &'a Option<Physiology>,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<Side>,
    genome: &'a AnyGenome,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent: &'a Option<AnyGenome>,
}

/// The members that determine how the rest is read.
#[derive(Deserialize)]
struct Header {
    format: Option<serde_json::Value>,
    version: Option<u64>,
    genome: Option<HeaderGenome>,
    opponent: Option<HeaderGenome>,
}

#[derive(Deserialize)]
#[serde(expecting = "a genome")]
struct HeaderGenome {
    family: Option<serde_json::Value>,
}

/// The file as it is read, with a genome of family `G`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound = "G: DeserializeOwned")]
struct Content<G> {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    #[serde(rename = "version")]
    _version: IgnoredAny,
    name: String,
    description: Option<String>,
    task: Option<String>,
    seed: Option<u64>,
    fitness: Option<f64>,
    physiology: Option<Physiology>,
    side: Option<Side>,
    genome: Tagged<G>,
    #[serde(rename = "opponent")]
    _opponent: Option<IgnoredAny>,
}

/// The opponent, with a genome of family `G`, as it is read from the file.
#[derive(Deserialize)]
#[serde(bound = "G: DeserializeOwned")]
struct OpponentContent<G> {
    opponent: Tagged<G>,
}

impl CreatureFile {
    /// Creates a file with a name and a genome only.
    pub fn new(name: impl Into<String>, genome: AnyGenome) -> Self {
        Self {
            name: name.into(),
            description: None,
            task: None,
            seed: None,
            fitness: None,
            physiology: None,
            side: None,
            opponent: None,
            genome,
        }
    }

    /// Reads a file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, CreatureFileError> {
        let path = path.as_ref();
        let text = read_text(path).map_err(|fault| in_file(&path.display().to_string(), fault))?;
        Self::from_json(&text, &path.display().to_string())
    }

    /// Reads a file from text. `file` is its name for error messages.
    pub fn from_json(text: &str, file: &str) -> Result<Self, CreatureFileError> {
        Self::parse(text).map_err(|fault| in_file(file, fault))
    }

    /// Writes the file atomically.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), CreatureFileError> {
        let path = path.as_ref();
        let named = |fault| in_file(&path.display().to_string(), fault);
        let text = self.check().map(|()| self.to_json()).map_err(named)?;
        write_atomically(path, text.as_bytes()).map_err(|error| named(CreatureFault::Unwritable(error)))
    }

    /// Returns the file as text. Numbers that JSON cannot represent (NaN, infinities) become `null`, which the reader
    /// refuses.
    pub fn to_json(&self) -> String {
        let Self { name, description, task, seed, fitness, physiology, side, opponent, genome } = self;
        let (seed, fitness, side) = (*seed, *fitness, *side);
        let is_version_1 = genome.family() == Family::Legged && side.is_none() && opponent.is_none();
        let (format, version) = (FORMAT, if is_version_1 { 1 } else { JSON_VERSION });
        let content =
            FileContent { format, version, name, description, task, seed, fitness, physiology, side, genome, opponent };
        // Serialization fails only for custom errors and keys that are not strings; creatures have neither.
        format_json(&serde_json::to_string(&content).expect("creatures are plain data"))
    }

    fn parse(text: &str) -> Result<Self, CreatureFault> {
        let header: Header = from_text(text)?;
        match header.format {
            Some(serde_json::Value::String(format)) if format == FORMAT => {}
            found => return Err(CreatureFault::Foreign { found: shorten(found, "missing") }),
        }
        match header.version {
            Some(1..=JSON_VERSION) => {}
            Some(found) => return Err(CreatureFault::Version { found }),
            None => {
                return Err(CreatureFault::Invalid { field: "version", reason: "missing, expected a number".into() });
            }
        }
        let family = header.genome.and_then(|genome| genome.family);
        let mut creature = match family.as_ref().and_then(serde_json::Value::as_str) {
            Some("graph") => Self::with_genome(from_text(text)?, AnyGenome::Graph),
            Some("legged") => Self::with_genome(from_text(text)?, AnyGenome::Legged),
            Some("tuning") => Self::with_genome(from_text(text)?, AnyGenome::Tuning),
            _ => return Err(CreatureFault::Family { field: "genome", found: shorten(family, "nothing") }),
        };
        creature.opponent = header.opponent.map(|opponent| parse_opponent(text, opponent.family)).transpose()?;
        creature.check()?;
        Ok(creature)
    }

    fn with_genome<G>(content: Content<G>, genome: fn(G) -> AnyGenome) -> Self {
        let Content { name, description, task, seed, fitness, physiology, side, .. } = content;
        let genome = genome(content.genome.0);
        Self { description, task, seed, fitness, physiology, side, ..Self::new(name, genome) }
    }

    /// Checks the genomes, the physiology and the fitness.
    fn check(&self) -> Result<(), CreatureFault> {
        let invalid = |field| move |reason| CreatureFault::Invalid { field, reason };
        self.genome.validate().map_err(invalid("genome"))?;
        self.opponent.as_ref().map_or(Ok(()), AnyGenome::validate).map_err(invalid("opponent"))?;
        self.physiology.as_ref().map_or(Ok(()), Physiology::validate).map_err(invalid("physiology"))?;
        match self.fitness {
            Some(fitness) if !fitness.is_finite() => {
                Err(invalid("fitness")(format!("is {fitness}, expected a number")))
            }
            _ => Ok(()),
        }
    }
}

/// Reads the opponent, given its family.
fn parse_opponent(text: &str, family: Option<serde_json::Value>) -> Result<AnyGenome, CreatureFault> {
    match family.as_ref().and_then(serde_json::Value::as_str) {
        Some("graph") => from_text(text).map(|OpponentContent { opponent }| AnyGenome::Graph(opponent.0)),
        Some("legged") => from_text(text).map(|OpponentContent { opponent }| AnyGenome::Legged(opponent.0)),
        _ => Err(CreatureFault::Family { field: "opponent", found: shorten(family, "nothing") }),
    }
}

fn in_file(file: &str, fault: CreatureFault) -> CreatureFileError {
    CreatureFileError { file: file.to_string(), fault }
}

/// Reads a file up to the maximum size.
fn read_text(path: &Path) -> Result<String, CreatureFault> {
    let file = File::open(path).map_err(CreatureFault::Unreadable)?;
    let mut bytes = Vec::new();
    // A pipe or a device has no length, so the limit is checked while reading.
    file.take(MAX_JSON_BYTES + 1).read_to_end(&mut bytes).map_err(CreatureFault::Unreadable)?;
    if bytes.len() as u64 > MAX_JSON_BYTES {
        return Err(CreatureFault::TooLong);
    }
    String::from_utf8(bytes).map_err(|error| CreatureFault::Unreadable(std::io::Error::other(error)))
}

fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, CreatureFault> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = serde_path_to_error::deserialize(&mut reader);
    let read = read.map_err(|error| (error.path().to_string(), error.into_inner()));
    let ended = read.and_then(|value| reader.end().map(|()| value).map_err(|error| (String::new(), error)));
    ended.map_err(|(field, error)| {
        let (line, column) = (error.line(), error.column());
        let sentence = error.to_string();
        let place = format!(" at line {line} column {column}");
        let reason = sentence.strip_suffix(&place).unwrap_or(&sentence).to_string();
        // The path ends with "." at the top and with "?" where there is no key yet.
        let field = field.trim_end_matches(['.', '?']).to_string();
        CreatureFault::Content { line, column, field, reason }
    })
}

/// Formats a value for an error message, at most 60 characters.
fn shorten(value: Option<serde_json::Value>, none: &str) -> String {
    let Some(value) = value else { return none.to_string() };
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
