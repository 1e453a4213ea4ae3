//! Routes of curved spaces: the list, and one space with its domain, its pairings and copies of its domain.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_catalog::GENERATOR_EXTENSION;
use burgess_geometry::glam::DVec3;
use burgess_geometry::manifold::{Cover, MAX_GENERATOR_BYTES, Manifold, Recipe, SpaceName, read_generators};
use burgess_geometry::space::Space;
use serde::Serialize;

use crate::api::{Parameters, PathName, Routes};
use crate::error::ApiError;
use crate::hub::Hub;

/// Number of copies of the domain that are sent if the request does not say.
const DEFAULT_COPIES: usize = 1500;

/// Maximum number of copies of the domain in one answer.
const MAX_COPIES: usize = 6000;

/// Maximum number of files of the run directory that are examined.
const MAX_FILES: usize = 10_000;

pub(super) fn routes() -> Routes {
    Routes::new().get("/api/spaces", list_spaces).get("/api/spaces/{name}", show_space)
}

/// Geometry of a space.
#[derive(Serialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "SpaceGeometry"))]
pub(crate) enum Geometry {
    /// Curvature 1.
    Spherical,
    /// Curvature 0.
    Flat,
    /// Curvature -1.
    Hyperbolic,
}

impl From<Space> for Geometry {
    fn from(space: Space) -> Self {
        match space {
            Space::Spherical => Self::Spherical,
            Space::Flat => Self::Flat,
            Space::Hyperbolic => Self::Hyperbolic,
        }
    }
}

/// A space that can be shown.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SpaceEntry {
    /// Name of the space, or of a generator file in the run directory.
    name: String,
    /// Description in one sentence.
    description: String,
    /// Geometry.
    geometry: Geometry,
}

async fn list_spaces(State(hub): State<Arc<Hub>>) -> Result<Json<Vec<SpaceEntry>>, ApiError> {
    let folder = hub.folder().to_path_buf();
    hub.heavy(move || {
        let mut spaces: Vec<SpaceEntry> = SpaceName::ALL.into_iter().map(built_in).collect();
        spaces.extend(generator_files(&folder));
        Json(spaces)
    })
    .await
}

fn built_in(name: SpaceName) -> SpaceEntry {
    let (description, geometry) = (name.description().to_string(), name.space().into());
    SpaceEntry { name: name.name().to_string(), description, geometry }
}

/// Generator files in a folder, sorted by name. Whether they can be shown is known only when one is opened.
fn generator_files(folder: &Path) -> Vec<SpaceEntry> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_FILES);
    let mut names: Vec<String> = files
        .filter(|file| file.path().extension().is_some_and(|extension| extension == GENERATOR_EXTENSION))
        .filter_map(|file| file.file_name().into_string().ok())
        .collect();
    names.sort();
    let description = "A hyperbolic space from a generator file.".to_string();
    let entry = |name| SpaceEntry { name, description: description.clone(), geometry: Geometry::Hyperbolic };
    names.into_iter().map(entry).collect()
}

/// A parameter of a space.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SpaceParameter {
    /// Name of the parameter.
    name: &'static str,
    /// Smallest value.
    min: f64,
    /// Largest value.
    max: f64,
    /// Current value.
    value: f64,
    /// Whether only whole numbers are allowed.
    whole: bool,
}

/// An edge of a domain.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SpaceEdge {
    /// Both vertices.
    ends: [usize; 2],
    /// Both faces.
    faces: [usize; 2],
    /// Cycle of edges that the group identifies.
    cycle: usize,
    /// Order of the axis along the edge: 1 in a manifold.
    order: usize,
}

/// A face of a domain.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SpaceFace {
    /// Covector that is negative in the domain and zero on the face.
    plane: [f64; 4],
    /// Point inside the face.
    centre: [f64; 4],
    /// Vertices, anticlockwise seen from outside.
    corners: Vec<usize>,
    /// Face that `pairing` maps to this one.
    partner: usize,
    /// Matrix that maps the domain to its copy beyond the face, by columns.
    pairing: [f64; 16],
}

/// A space: its domain, its pairings and copies of the domain. Points are `(x, y, z, w)` with `w = 1` in flat space,
/// `x^2 + y^2 + z^2 + w^2 = 1` in spherical and `w^2 - x^2 - y^2 - z^2 = 1` in hyperbolic space.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SpaceDetail {
    #[serde(flatten)]
    entry: SpaceEntry,
    /// Name or structure of the group.
    group: String,
    /// Order of the group, if it is finite.
    group_order: Option<usize>,
    /// Whether the space has no axes about which it is turned into itself.
    is_manifold: bool,
    /// Volume of the domain.
    volume: f64,
    /// Distance from the base point to the nearest face; pi without faces.
    in_radius: f64,
    /// Distance from the base point to the farthest corner.
    out_radius: f64,
    /// Parameters by which the space can be deformed.
    parameters: Vec<SpaceParameter>,
    /// Vertices of the domain.
    vertices: Vec<[f64; 4]>,
    /// Edges of the domain.
    edges: Vec<SpaceEdge>,
    /// Faces of the domain.
    faces: Vec<SpaceFace>,
    /// Matrices of the copies of the domain, 16 numbers each by columns, layer by layer.
    copies: Vec<f64>,
    /// Layer of each copy: the number of faces between it and the domain.
    layers: Vec<usize>,
    /// Sheet of each copy in the chosen cover.
    sheets: Vec<usize>,
    /// Number of covers with the chosen number of sheets.
    covers: usize,
}

/// What a request asks for besides the parameters of the space.
struct Request {
    base: DVec3,
    copies: usize,
    layers: usize,
    sheets: usize,
    cover: usize,
    /// Parameters of the space, by name.
    values: Vec<(String, f64)>,
}

impl Request {
    fn parse(query: BTreeMap<String, String>) -> Result<Request, ApiError> {
        let mut request = Request {
            base: DVec3::ZERO,
            copies: DEFAULT_COPIES,
            layers: usize::MAX,
            sheets: 1,
            cover: 0,
            values: Vec::new(),
        };
        for (name, text) in query {
            let wrong = |expected: &str| ApiError::bad(format!("{name}: found '{text}', expected {expected}"));
            let whole = |max: usize| {
                let number = text.parse::<usize>().ok().filter(|number| *number <= max);
                number.ok_or_else(|| wrong(&format!("a whole number up to {max}")))
            };
            match name.as_str() {
                "base" => request.base = vector(&text).ok_or_else(|| wrong("three numbers: x,y,z"))?,
                "copies" => request.copies = whole(MAX_COPIES)?,
                "layers" => request.layers = whole(100)?,
                "sheets" => request.sheets = whole(8)?,
                "cover" => request.cover = whole(10_000)?,
                // The token is read before the request gets here.
                "token" => {}
                _ => {
                    let value = text.parse::<f64>().map_err(|_| wrong("a number"))?;
                    request.values.push((name, value));
                }
            }
        }
        Ok(request)
    }
}

fn vector(text: &str) -> Option<DVec3> {
    let numbers: Vec<f64> = text.split(',').map(|word| word.trim().parse().ok()).collect::<Option<_>>()?;
    let vector = DVec3::from_array(numbers.try_into().ok()?);
    vector.is_finite().then_some(vector)
}

async fn show_space(
    State(hub): State<Arc<Hub>>,
    PathName(name): PathName<String>,
    Parameters(query): Parameters<BTreeMap<String, String>>,
) -> Result<Json<SpaceDetail>, ApiError> {
    let request = Request::parse(query)?;
    let folder = hub.folder().to_path_buf();
    hub.heavy(move || detail(&name, &request, &folder)).await?.map(Json)
}

fn detail(name: &str, request: &Request, folder: &Path) -> Result<SpaceDetail, ApiError> {
    if let Some(mut recipe) = Recipe::named(name) {
        recipe.base = request.base;
        for (parameter, value) in &request.values {
            recipe.set(parameter, *value).map_err(|error| ApiError::bad(error.to_string()))?;
        }
        let manifold = recipe.build().map_err(|error| ApiError::bad(error.to_string()))?;
        let values = recipe.name.parameters().iter().zip(&recipe.values);
        let parameters = values.map(|(parameter, &value)| SpaceParameter {
            name: parameter.name,
            min: parameter.min,
            max: parameter.max,
            value,
            whole: parameter.whole,
        });
        let entry = SpaceEntry { name: name.to_string(), ..built_in(recipe.name) };
        return Ok(describe(entry, recipe.name.group().to_string(), parameters.collect(), &manifold, request));
    }
    let (generators, manifold) = from_file(name, request, folder)?;
    if let Some((parameter, _)) = request.values.first() {
        return Err(ApiError::bad(format!("a generator file has no parameter '{parameter}'")));
    }
    let relations = manifold.cycles.len();
    let group = format!("infinite, {generators} generators in the file; {relations} relations of the domain");
    let entry = SpaceEntry {
        name: name.to_string(),
        description: "A hyperbolic space from a generator file.".to_string(),
        geometry: Geometry::Hyperbolic,
    };
    Ok(describe(entry, group, Vec::new(), &manifold, request))
}

/// Reads a generator file of the run directory. Returns the number of its generators, and the space.
fn from_file(name: &str, request: &Request, folder: &Path) -> Result<(usize, Manifold), ApiError> {
    let unknown = || ApiError::missing(format!("there is no space '{name}'; GET /api/spaces lists all"));
    let is_plain = Path::new(name).file_name().is_some_and(|file| file == name);
    if !is_plain || Path::new(name).extension().is_none_or(|extension| extension != GENERATOR_EXTENSION) {
        return Err(unknown());
    }
    let path = folder.join(name);
    let length = fs::metadata(&path).map_err(|_| unknown())?.len();
    if length > MAX_GENERATOR_BYTES as u64 {
        return Err(ApiError::bad(format!("{name}: found {length} bytes, expected at most {MAX_GENERATOR_BYTES}")));
    }
    let bytes = fs::read(&path).map_err(|error| ApiError::bad(format!("{name}: cannot be read: {error}")))?;
    let bad = |error: &dyn std::fmt::Display| ApiError::bad(format!("{name}, {error}"));
    let file = read_generators(&bytes).map_err(|error| bad(&error))?;
    let domain = file.domain(request.base).map_err(|error| bad(&error))?;
    let manifold = Manifold::new(file.generators.clone(), domain).map_err(|error| bad(&error))?;
    Ok((file.generators.len(), manifold))
}

fn describe(
    entry: SpaceEntry,
    group: String,
    parameters: Vec<SpaceParameter>,
    manifold: &Manifold,
    request: &Request,
) -> SpaceDetail {
    let domain = &manifold.domain;
    let mut cycle_of = vec![0; domain.edges.len()];
    for (index, cycle) in manifold.cycles.iter().enumerate() {
        for &edge in &cycle.edges {
            cycle_of[edge] = index;
        }
    }
    let edge = |(index, edge): (usize, &burgess_geometry::manifold::Edge)| SpaceEdge {
        ends: edge.ends,
        faces: edge.faces,
        cycle: cycle_of[index],
        order: manifold.cycles.get(cycle_of[index]).map_or(1, |cycle| cycle.order),
    };
    let face = |face: &burgess_geometry::manifold::Face| SpaceFace {
        plane: face.plane.to_array(),
        centre: face.centre.to_array(),
        corners: face.corners.clone(),
        partner: face.partner,
        pairing: face.pairing.matrix().to_cols_array(),
    };
    let elements = domain.elements(request.layers, request.copies);
    let covers = domain.covers(&manifold.cycles, request.sheets);
    let sheets = covers.get(request.cover).map(|cover: &Cover| cover.sheets_of(&elements));
    SpaceDetail {
        entry,
        group,
        group_order: manifold.group_order(),
        is_manifold: manifold.is_manifold(),
        volume: domain.volume(),
        in_radius: domain.in_radius().min(std::f64::consts::PI),
        out_radius: domain.out_radius(),
        parameters,
        vertices: domain.vertices.iter().map(|vertex| vertex.to_array()).collect(),
        edges: domain.edges.iter().enumerate().map(edge).collect(),
        faces: domain.faces.iter().map(face).collect(),
        copies: elements.iter().flat_map(|element| element.isometry.matrix().to_cols_array()).collect(),
        layers: elements.iter().map(|element| element.layer).collect(),
        sheets: sheets.unwrap_or_else(|| vec![0; elements.len()]),
        covers: covers.len(),
    }
}
