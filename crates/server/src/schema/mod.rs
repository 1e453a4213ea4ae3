//! Generation of the descriptions of the protocol from the types that implement it. The tests in this module fail if a
//! generated file is not current; with `BURGESS_GENERATE=1` in the environment they write the files instead.
//!
//! | file | generated part |
//! |---|---|
//! | `web/src/lib/protocol.generated.ts` | types of all messages, layout of frames, measures and descriptors |
//! | `crates/server/openapi.yaml` | `components.schemas` |
//! | `docs/protocol.md` | the table of frame sections |

mod markdown;
mod typescript;
mod yaml;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use burgess_evolution::Id;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};

use crate::session::SectionKind;
use crate::{api, clip, error, flows, runs, session, walls};

const REFERENCE: &str = "#/components/schemas/";
const COMMAND: &str = "BURGESS_GENERATE=1 cargo test -p burgess-server schema";

// This mirrors `burgess_evolution::IndividualSummary`, whose crate has no schemas.
/// An individual in a list.
#[derive(JsonSchema)]
#[allow(dead_code)]
pub(crate) struct IndividualSummary {
    /// Id of the individual.
    id: Id,
    /// Generation in which it was born.
    generation: u64,
    /// Name of the operator that created it.
    operator: String,
    /// Ids of the parents, the main parent first.
    parents: Vec<Id>,
    /// Fitness, if it was scored.
    fitness: Option<f64>,
    /// Outcome of the evaluation.
    outcome: String,
    /// Reason why it was not scored.
    reason: Option<String>,
    /// Descriptors by name.
    descriptors: BTreeMap<String, f64>,
    /// Measures by name.
    measures: BTreeMap<String, f64>,
    /// Whether a user marked it as a favourite.
    favourite: bool,
    /// Whether a user removed it from the parents.
    removed: bool,
}

impl From<burgess_evolution::IndividualSummary> for IndividualSummary {
    /// This conversion fails to compile if the fields of the two types differ.
    fn from(summary: burgess_evolution::IndividualSummary) -> Self {
        #[rustfmt::skip]
        let burgess_evolution::IndividualSummary {
            id, generation, operator, parents, fitness, outcome, reason, descriptors, measures, favourite, removed,
        } = summary;
        #[rustfmt::skip]
        let mirrored = Self {
            id, generation, operator, parents, fitness, outcome, reason, descriptors, measures, favourite, removed,
        };
        mirrored
    }
}

// This mirrors `burgess_evolution::Spread`.
/// Spread of an individual's fitness over several draws of the conditions.
#[derive(JsonSchema)]
#[allow(dead_code)]
pub(crate) struct Spread {
    /// Number of evaluations: 1 and the number of retests.
    draws: usize,
    /// Quantile by which individuals rank, from 0 to 1.
    quantile: f64,
    /// Fitness at this quantile.
    rank: f64,
    /// Lowest fitness.
    lowest: f64,
    /// Median fitness.
    median: f64,
    /// Highest fitness.
    highest: f64,
}

impl From<burgess_evolution::Spread> for Spread {
    /// This conversion fails to compile if the fields of the two types differ.
    fn from(spread: burgess_evolution::Spread) -> Self {
        let burgess_evolution::Spread { draws, quantile, rank, lowest, median, highest } = spread;
        Self { draws, quantile, rank, lowest, median, highest }
    }
}

// This mirrors `burgess_evolution::algorithm::Dimension`.
/// A dimension of the grid of a run.
#[derive(JsonSchema)]
#[allow(dead_code)]
pub(crate) struct Dimension {
    /// Name of a descriptor.
    descriptor: String,
    /// Lowest value. Lower values count as this one.
    low: f64,
    /// Highest value. Higher values count as this one.
    high: f64,
    /// Number of cells.
    cells: usize,
}

impl From<burgess_evolution::algorithm::Dimension> for Dimension {
    /// This conversion fails to compile if the fields of the two types differ.
    fn from(dimension: burgess_evolution::algorithm::Dimension) -> Self {
        let burgess_evolution::algorithm::Dimension { descriptor, low, high, cells } = dimension;
        Self { descriptor, low, high, cells }
    }
}

impl JsonSchema for SectionKind {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "OverlayName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "description": "Name of an overlay, which is a section of frames.",
            "type": "string",
            "enum": SectionKind::ALL.map(SectionKind::name),
        })
    }
}

/// The schemas of all types of the protocol, by name.
struct Schemas {
    all: BTreeMap<String, Value>,
    /// Names of the types that are only received.
    requests: BTreeSet<String>,
}

fn schemas() -> Schemas {
    let settings = || {
        let mut settings = SchemaSettings::draft2020_12();
        settings.definitions_path = "/components/schemas".into();
        settings
    };
    let mut responses = settings().for_serialize().into_generator();
    responses.subschema_for::<error::ErrorBody>();
    responses.subschema_for::<api::about::About>();
    responses.subschema_for::<api::catalogue::SceneEntry>();
    responses.subschema_for::<api::catalogue::CreatureEntry>();
    responses.subschema_for::<api::catalogue::TaskEntry>();
    responses.subschema_for::<api::catalogue::RecordingEntry>();
    responses.subschema_for::<api::scene_texts::SceneText>();
    responses.subschema_for::<api::scene_texts::TextCheck>();
    responses.subschema_for::<api::scene_texts::SceneFileEntry>();
    responses.subschema_for::<api::sessions::SessionEntry>();
    responses.subschema_for::<api::spaces::SpaceEntry>();
    responses.subschema_for::<api::spaces::SpaceDetail>();
    responses.subschema_for::<flows::FlowDetail>();
    responses.subschema_for::<session::About>();
    responses.subschema_for::<session::Appearance>();
    responses.subschema_for::<session::Contents>();
    responses.subschema_for::<session::BrainGraph>();
    responses.subschema_for::<session::SessionMessage>();
    responses.subschema_for::<session::Take>();
    responses.subschema_for::<runs::list::RunDetail>();
    responses.subschema_for::<runs::list::Entry>();
    responses.subschema_for::<runs::page::RunPage>();
    responses.subschema_for::<api::versions::Versions>();
    responses.subschema_for::<runs::contest::Contest>();
    responses.subschema_for::<runs::contest::TournamentResult>();
    responses.subschema_for::<runs::curve::Curve>();
    responses.subschema_for::<runs::history::RunHistory>();
    responses.subschema_for::<runs::points::Scatter>();
    responses.subschema_for::<runs::map::Map>();
    responses.subschema_for::<runs::individuals::IndividualList>();
    responses.subschema_for::<runs::individuals::IndividualDetail>();
    responses.subschema_for::<runs::lineage::Lineage>();
    responses.subschema_for::<clip::ClipHead>();
    responses.subschema_for::<runs::interventions::NewChild>();
    responses.subschema_for::<runs::interventions::NewChildren>();
    responses.subschema_for::<runs::live_run::RunMessage>();
    responses.subschema_for::<walls::CaveStatus>();
    responses.subschema_for::<burgess_walls::message::WallMessage>();
    responses.subschema_for::<burgess_walls::menu::MenuView>();
    let mut requests = settings().for_deserialize().into_generator();
    requests.subschema_for::<session::OpenRequest>();
    requests.subschema_for::<session::WireCommand>();
    requests.subschema_for::<api::scene_texts::NewText>();
    requests.subschema_for::<api::scene_texts::NewSceneFile>();
    requests.subschema_for::<runs::start::NewRun>();
    requests.subschema_for::<runs::interventions::ResumeRun>();
    requests.subschema_for::<runs::interventions::Favourite>();
    requests.subschema_for::<runs::interventions::Remove>();
    requests.subschema_for::<runs::interventions::Breed>();
    requests.subschema_for::<runs::interventions::Merge>();
    requests.subschema_for::<runs::interventions::Inject>();
    requests.subschema_for::<walls::CaveChoice>();
    requests.subschema_for::<walls::ShowRequest>();
    requests.subschema_for::<walls::FlowRequest>();
    requests.subschema_for::<walls::SetupRequest>();
    requests.subschema_for::<walls::BodyRequest>();
    requests.subschema_for::<walls::CalibrationRequest>();
    requests.subschema_for::<burgess_walls::tracking::Tracking>();
    requests.subschema_for::<burgess_walls::message::WallCommand>();
    // A type that is both sent and received is described as it is sent.
    let mut all = requests.take_definitions(true);
    let sent = responses.take_definitions(true);
    let requests = all.keys().filter(|name| !sent.contains_key(*name)).cloned().collect();
    all.extend(sent);
    Schemas { all: all.into_iter().map(|(name, schema)| (name, plain(schema))).collect(), requests }
}

/// Removes the formats of Rust's number types, which other programs do not know.
fn plain(schema: Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let is_known = |name: &str, value: &Value| !(name == "format" && value.is_string());
            let kept = fields.into_iter().filter(|(name, value)| is_known(name, value));
            Value::Object(kept.map(|(name, value)| (name, plain(value))).collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(plain).collect()),
        other => other,
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compares a file with what it should contain, or writes it.
fn check(file: &str, expected: &str) {
    let path = root().join(file);
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    if std::env::var_os("BURGESS_GENERATE").is_some() {
        if found != expected {
            std::fs::write(&path, expected).expect("the file can be written");
        }
        return;
    }
    assert!(found == expected, "{file} is not current; run: {COMMAND}");
}

/// Replaces the part of a file between a line that contains `begin` and a line that contains `end`.
fn with_part(file: &str, begin: &str, end: &str, part: &str) -> String {
    let text = std::fs::read_to_string(root().join(file)).expect("the file can be read");
    let start = text.find(begin).expect("the begin mark is there");
    let start = start + text[start..].find('\n').expect("the mark has a line") + 1;
    let rest = start + text[start..].find(end).expect("the end mark is there");
    let rest = text[..rest].rfind('\n').map_or(rest, |line| line + 1);
    format!("{}{part}{}", &text[..start], &text[rest..])
}

#[test]
fn types_of_the_page_are_current() {
    check("web/src/lib/protocol.generated.ts", &typescript::file(&schemas()));
}

#[test]
fn schemas_of_the_openapi_document_are_current() {
    let file = "crates/server/openapi.yaml";
    check(file, &with_part(file, "# begin generated", "# end generated", &yaml::schemas(&schemas().all)));
}

#[test]
fn section_table_of_the_documentation_is_current() {
    let file = "docs/protocol.md";
    check(file, &with_part(file, "<!-- begin generated", "<!-- end generated", &markdown::sections()));
}
