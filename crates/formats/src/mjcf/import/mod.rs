//! Imports MJCF models as scenes.
//!
//! A model is read in stages, each in its own module: included files are expanded, the grammar is checked, settings and
//! default classes are read, then the body tree, then the elements that refer to it; finally the scene is built. The
//! reference is the XML reference of MuJoCo's documentation.

mod actuator;
mod assets;
mod compiler;
mod contacts;
mod defaults;
mod display;
mod equality;
mod geom;
mod grammar;
mod include;
mod inertia;
mod joint;
mod keyframe;
mod line;
mod masses;
mod mesh;
mod options;
mod placement;
mod replicate;
mod scene;
mod sensor;
mod softness;
mod tendon;
mod tree;

use std::path::Path;

use burgess_scene::spec::SceneSpec;

use self::actuator::Actuators;
use self::assets::Assets;
use self::compiler::Compiler;
use self::contacts::Contacts;
use self::defaults::Classes;
use self::options::Options;
use self::scene::SceneBuilder;
use self::tree::{Reader, Tree};
use super::StateMap;
use crate::import::{ImportError, ImportFault, ImportOptions, ImportWarning, Imported, ModelFolder, Warnings};
use crate::xml::{Document, Element};

/// An imported model: the scene and the mapping of its states.
#[derive(Debug, Clone, PartialEq)]
pub struct MjcfModel {
    /// The scene. It needs no other files.
    pub scene: SceneSpec,
    /// Features that were omitted or approximated.
    pub warnings: Vec<ImportWarning>,
    /// Maps MuJoCo's states, with joints and actuators in MuJoCo's order.
    pub states: StateMap,
}

impl From<MjcfModel> for Imported {
    fn from(model: MjcfModel) -> Self {
        Self { scene: model.scene, warnings: model.warnings }
    }
}

/// Imports a model from a file.
pub fn import_file(path: impl AsRef<Path>, options: &ImportOptions) -> Result<MjcfModel, ImportError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let document = Document::read(path, &name)?;
    let folder = ModelFolder::of(path, options).map_err(|fault| ImportError::file(&name, fault))?;
    import(document, &folder, options)
}

/// Imports a model from a text; messages refer to it as `name`. Models that need other files are refused.
pub fn import_text(text: &str, name: &str, options: &ImportOptions) -> Result<MjcfModel, ImportError> {
    import(Document::parse(text, name)?, &ModelFolder::none(), options)
}

/// Imports a model from a document whose files are in a folder.
pub(crate) fn import(
    document: Document,
    folder: &ModelFolder,
    options: &ImportOptions,
) -> Result<MjcfModel, ImportError> {
    let file = document.root.file.to_string();
    if *document.root.name != *"mujoco" {
        let root = document.root.name.to_string();
        return Err(document.root.fault(ImportFault::UnknownFormat { root }));
    }
    let root = include::expand(document.root, folder)?;
    grammar::check(&root)?;
    let mut warnings = Warnings::default();
    let compiler = Compiler::read(&root, &mut warnings)?;
    let root = replicate::expand(root, &compiler)?;
    let (mut scene, states) = read(&root, &compiler, folder, &mut warnings)?;
    keyframe::start(&mut scene, options.keyframe.as_deref(), &file)?;
    let Imported { scene, warnings } = Imported::new(scene, warnings, &file, options)?;
    scene.check().map_err(|error| ImportError::file(&file, ImportFault::Scene(error)))?;
    Ok(MjcfModel { scene, warnings, states })
}

fn read(
    root: &Element,
    compiler: &Compiler,
    folder: &ModelFolder,
    warnings: &mut Warnings,
) -> Result<(SceneSpec, StateMap), ImportError> {
    let options = Options::read(root, warnings)?;
    let classes = Classes::read(root, warnings)?;
    let mut assets = Assets::read(root, &classes, folder, warnings)?;
    let has_fluid = options.fluid().is_some();
    let mut reader = Reader { compiler, classes: &classes, assets: &mut assets, warnings, has_fluid };
    let tree = Tree::read(root, &mut reader)?;
    tree.warn_about_differences(warnings);
    let mut actuators = Actuators::read(root, &tree, &classes, compiler, warnings)?;
    options.apply_to_actuators(&mut actuators);
    let exclusions = equality::exclusions(root, &tree)?;
    let contacts = Contacts::read(&tree, &exclusions, !options.contacts())?;
    let builder = SceneBuilder { tree: &tree, contacts: &contacts, options: &options, actuators: &actuators };

    let mut scene = SceneSpec::new(&model_name(root), "");
    scene.gravity = options.gravity();
    scene.simulation.step = options.step;
    // MuJoCo accepts bodies that overlap at the start and pushes them apart.
    scene.simulation.allow_overlap = true;
    scene.fluid = options.fluid();
    contacts.add_materials(&mut scene);
    scene.bodies = builder.bodies();
    scene.exclusions = builder.exclusions(&exclusions);
    scene.constraints = equality::read(root, &tree, &classes, warnings)?;
    scene.constraints.truncate(if options.equality() { usize::MAX } else { 0 });
    scene.constraints.extend(line::read(root, &tree, &classes, compiler, &options, warnings)?);
    scene.tendons = tendon::read(root, &tree, &classes, compiler, warnings)?;
    options.apply_to_tendons(&mut scene.tendons);
    let states = builder.state_map();
    scene.actuators = actuators.list.clone();
    sensor::add(root, &tree, &mut scene, warnings)?;
    keyframe::add(root, &tree, &states, &mut scene)?;
    scene.display = display::read(&tree)?;
    warn_about_sections(root, warnings);
    Ok((scene, states))
}

/// Adds warnings for sections that are not supported as a whole.
fn warn_about_sections(root: &Element, warnings: &mut Warnings) {
    for element in &root.children {
        for child in &element.children {
            match (&*element.name, &*child.name) {
                ("contact", "pair") => warnings.add("explicit contact pairs (pair)", child),
                ("deformable", "flex") => warnings.add("deformable bodies (flex)", child),
                ("deformable", "skin") => warnings.add("skins", child),
                ("extension", _) => warnings.add("plugins", child),
                _ => {}
            }
        }
    }
}

/// Returns the model's name, or else the stem of its file name.
fn model_name(root: &Element) -> String {
    let given = root.text("model").filter(|name| !name.is_empty());
    let stem = Path::new(&*root.file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    given.map(str::to_string).or(stem).unwrap_or_default()
}
