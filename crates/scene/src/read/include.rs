//! Scenes included in scenes.
//!
//! The elements of a file come first, then those of its includes in order. An included scene is moved and turned as a
//! whole, and all its names get a prefix. Each file is checked by itself, with what it includes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use burgess_files::{At, Fault, NameFault, Step, read_text};
use burgess_geometry::Pose;
use glam::DVec3;

use super::file::at_include;
use super::parse;
use crate::MAX_BODIES;
use crate::check::check_names;
use crate::error::{FieldError, SceneError, SceneFault};
use crate::spec::pose::displace_pose;
use crate::spec::{
    BodySpec, ControllerSpec, IncludeSpec, JointKind, JointSpec, Orientation, PoseSpec, SceneSpec, ScriptSpec,
    ShapeKind,
};

/// Largest nesting depth of includes.
const MAX_DEPTH: usize = 16;
/// Largest number of files in one scene.
const MAX_FILES: usize = 1000;

/// A scene with all that it includes, and where its bodies came from.
#[derive(Debug, Clone, Default)]
pub(super) struct Merged {
    pub scene: SceneSpec,
    /// For each body, its file and its index there.
    pub origins: Vec<(usize, usize)>,
    /// Names and texts of the files.
    pub sources: Vec<(String, String)>,
}

/// Access to the files that a scene names.
pub trait SceneFolder {
    /// Returns the text of an included scene.
    fn text(&self, file: &Path) -> Result<String, Fault>;

    /// Refuses a mesh that must not be read.
    fn check_mesh(&self, file: &Path) -> Result<(), Fault>;

    /// A path by which two names of one file are recognized.
    fn identity(&self, file: &Path) -> PathBuf;
}

/// All files of this machine.
pub(super) struct AllFiles;

impl SceneFolder for AllFiles {
    fn text(&self, file: &Path) -> Result<String, Fault> {
        read_text(file)
    }

    fn check_mesh(&self, _: &Path) -> Result<(), Fault> {
        Ok(())
    }

    fn identity(&self, file: &Path) -> PathBuf {
        file.canonicalize().unwrap_or_else(|_| file.to_path_buf())
    }
}

/// Reads a scene with the files of a folder that it names.
pub(super) fn read(path: &Path, text: String, folder: &dyn SceneFolder) -> Result<Merged, SceneError> {
    let mut reader = Reader { sources: Vec::new(), open: Vec::new(), files: folder };
    let (scene, origins) = reader.read(path, text)?;
    Ok(Merged { scene, origins, sources: reader.sources })
}

type Part = (SceneSpec, Vec<(usize, usize)>);

struct Reader<'a> {
    sources: Vec<(String, String)>,
    /// The files that are being read, the outermost first.
    open: Vec<PathBuf>,
    files: &'a dyn SceneFolder,
}

impl Reader<'_> {
    fn read(&mut self, path: &Path, text: String) -> Result<Part, SceneError> {
        let file = path.display().to_string();
        let mut scene = parse(&text, &file)?;
        let source = self.sources.len();
        self.sources.push((file.clone(), text.clone()));
        self.open.push(self.files.identity(path));
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let list = At::ROOT.field("bodies");
        for (place, body) in scene.bodies.iter_mut().enumerate() {
            find_files(body, &folder, self.files, list.index(place)).map_err(|error| error.in_toml(&text, &file))?;
        }
        let mut origins: Vec<_> = (0..scene.bodies.len()).map(|place| (source, place)).collect();
        // Where the elements of each include begin.
        let mut begins = Vec::new();
        for (index, include) in std::mem::take(&mut scene.include).into_iter().enumerate() {
            let refuse = |field, fault: Fault| at_include(index, field, fault, &text, &file);
            let inner_path = folder.join(&include.file);
            if self.open.contains(&self.files.identity(&inner_path)) {
                let fault = SceneFault::Cycle(inner_path.display().to_string());
                return Err(at_include(index, "file", fault, &text, &file));
            }
            if self.open.len() >= MAX_DEPTH {
                let what = "files within each other";
                return Err(refuse("file", Fault::TooMany { what, found: self.open.len() + 1, limit: MAX_DEPTH }));
            }
            if self.sources.len() >= MAX_FILES {
                let found = self.sources.len() + 1;
                return Err(refuse("file", Fault::TooMany { what: "files", found, limit: MAX_FILES }));
            }
            let inner_text = self
                .files
                .text(&inner_path)
                .map_err(|fault| refuse("file", Fault::Conflict(format!("'{}' {fault}", inner_path.display()))))?;
            let (inner, inner_origins) = self.read(&inner_path, inner_text)?;
            begins.push(lengths(&scene));
            merge(&mut scene, inner, &include).map_err(|(field, fault)| refuse(field, fault))?;
            origins.extend(inner_origins);
            if scene.bodies.len() > MAX_BODIES {
                let found = scene.bodies.len();
                return Err(refuse("file", Fault::TooMany { what: "bodies", found, limit: MAX_BODIES }));
            }
        }
        self.open.pop();
        check_names(&scene).map_err(|mut error| {
            // Point errors of included elements at the include.
            if let [Step::Field(list), Step::Index(place), ..] = &error.path.0[..]
                && let Some(include) = begins.iter().rposition(|begins| begins.are_before(list, *place))
            {
                error.path.0 = vec![Step::Field("include".to_string()), Step::Index(include)];
            }
            error.in_toml(&text, &file)
        })?;
        Ok((scene, origins))
    }
}

/// Lengths of the lists of named elements.
struct Lengths([(&'static str, usize); 6]);

fn lengths(scene: &SceneSpec) -> Lengths {
    Lengths([
        ("bodies", scene.bodies.len()),
        ("actuators", scene.actuators.len()),
        ("tendons", scene.tendons.len()),
        ("sites", scene.sites.len()),
        ("sensors", scene.sensors.len()),
        ("keyframes", scene.keyframes.len()),
    ])
}

impl Lengths {
    /// Returns whether an index of a list is beyond these lengths.
    fn are_before(&self, list: &str, place: usize) -> bool {
        self.0.iter().any(|&(name, length)| name == list && length <= place)
    }
}

/// Resolves file names relative to the scene file.
fn find_files(body: &mut BodySpec, folder: &Path, files: &dyn SceneFolder, at: At) -> Result<(), FieldError> {
    if let Some(file) = &mut body.display_mesh {
        *file = folder.join(&*file);
        files.check_mesh(file).map_err(|fault| at.field("display_mesh").fault(fault))?;
    }
    let shapes = at.field("shapes");
    for (place, shape) in body.shapes.iter_mut().enumerate() {
        if let ShapeKind::Mesh(mesh) = &mut shape.kind
            && let Some(file) = &mut mesh.file
        {
            *file = folder.join(&*file);
            files.check_mesh(file).map_err(|fault| shapes.index(place).field("file").fault(fault))?;
        }
    }
    Ok(())
}

fn merge(outer: &mut SceneSpec, mut inner: SceneSpec, include: &IncludeSpec) -> Result<(), (&'static str, Fault)> {
    let offset = PoseSpec { position: include.position, orientation: include.orientation }.pose();
    if inner.self_collision != outer.self_collision && !inner.bodies.is_empty() {
        let why = "self_collision of the included scene differs from this one's; give both the same";
        return Err(("file", Fault::Conflict(why.to_string())));
    }
    confine(&mut inner);
    rename(&mut inner, &include.prefix);
    if offset != Pose::IDENTITY {
        displace(&mut inner, &offset)?;
    }
    for (name, material) in inner.materials {
        let same = outer.materials.get(&name).is_none_or(|known| *known == material);
        if !same {
            return Err(("prefix", Fault::Name(NameFault::Duplicate { what: "material", name })));
        }
        outer.materials.insert(name, material);
    }
    outer.surfaces.extend(inner.surfaces);
    outer.bodies.extend(inner.bodies);
    outer.exclusions.extend(inner.exclusions);
    outer.constraints.extend(inner.constraints);
    outer.actuators.extend(inner.actuators);
    outer.tendons.extend(inner.tendons);
    outer.sites.extend(inner.sites);
    outer.sensors.extend(inner.sensors);
    outer.keyframes.extend(inner.keyframes);
    outer.controllers.extend(inner.controllers);
    Ok(())
}

/// Restricts what an included scene says of all bodies (default material, force fields) to its own bodies.
fn confine(scene: &mut SceneSpec) {
    if scene.materials.contains_key("default") {
        for shape in scene.bodies.iter_mut().flat_map(|body| &mut body.shapes) {
            shape.material.get_or_insert_with(|| "default".to_string());
        }
    }
    let movable = |body: &&BodySpec| !body.fixed && body.script.is_none();
    let names: Vec<String> = scene.bodies.iter().filter(movable).map(|body| body.name.clone()).collect();
    for controller in &mut scene.controllers {
        if let ControllerSpec::ForceField(field) = controller
            && field.bodies.is_empty()
        {
            field.bodies.clone_from(&names);
        }
    }
}

fn rename(scene: &mut SceneSpec, prefix: &str) {
    if prefix.is_empty() {
        return;
    }
    let add = |name: &mut String| name.insert_str(0, prefix);
    // 'default' means the outer scene's default unless the inner scene has its own.
    let own_default = scene.materials.contains_key("default");
    let add_material = |name: &mut String| {
        if own_default || name != "default" {
            name.insert_str(0, prefix);
        }
    };
    let materials = std::mem::take(&mut scene.materials);
    scene.materials = materials.into_iter().map(|(name, material)| (format!("{prefix}{name}"), material)).collect();
    scene.surfaces.iter_mut().flat_map(|surface| &mut surface.between).for_each(add_material);
    for body in &mut scene.bodies {
        add(&mut body.name);
        body.joint.iter_mut().filter_map(|joint| joint.parent.as_mut()).for_each(add);
        body.shapes.iter_mut().filter_map(|shape| shape.material.as_mut()).for_each(add_material);
    }
    scene.exclusions.iter_mut().flatten().for_each(add);
    for tie in &mut scene.constraints {
        [&mut tie.a, &mut tie.b].into_iter().for_each(|anchor| anchor.add_prefix(prefix));
    }
    for actuator in &mut scene.actuators {
        [&mut actuator.name, &mut actuator.joint].into_iter().for_each(add);
    }
    for tendon in &mut scene.tendons {
        add(&mut tendon.name);
        tendon.joints.iter_mut().for_each(|part| add(&mut part.joint));
    }
    for site in &mut scene.sites {
        add(&mut site.name);
        site.body.iter_mut().for_each(add);
    }
    for sensor in &mut scene.sensors {
        add(&mut sensor.name);
        sensor.kind.target_mut().into_iter().for_each(add);
    }
    for keyframe in &mut scene.keyframes {
        add(&mut keyframe.name);
        let bodies = std::mem::take(&mut keyframe.bodies);
        keyframe.bodies = bodies.into_iter().map(|(name, start)| (format!("{prefix}{name}"), start)).collect();
        let controls = std::mem::take(&mut keyframe.controls);
        keyframe.controls = controls.into_iter().map(|(name, control)| (format!("{prefix}{name}"), control)).collect();
    }
    scene.controllers.iter_mut().for_each(|controller| controller.add_prefix(prefix));
}

/// Moves and turns everything that is given in the world's coordinates.
fn displace(scene: &mut SceneSpec, offset: &Pose) -> Result<(), (&'static str, Fault)> {
    let turn = |vector: &mut DVec3| *vector = offset.transform_vector(*vector);
    let put = |position: &mut DVec3, orientation: &mut Orientation| displace_pose(offset, position, orientation);
    for body in &mut scene.bodies {
        match &mut body.joint {
            Some(joint) if matches!(joint.kind, JointKind::Free(_)) => put(&mut body.position, &mut body.orientation),
            Some(joint) if joint.parent.is_none() => {
                put(&mut joint.in_parent.position, &mut joint.in_parent.orientation);
            }
            Some(_) => {}
            None => put(&mut body.position, &mut body.orientation),
        }
        turn(&mut body.velocity);
        turn(&mut body.angular_velocity);
        match &mut body.script {
            Some(ScriptSpec::Steady(steady)) => {
                turn(&mut steady.velocity);
                turn(&mut steady.angular_velocity);
            }
            Some(ScriptSpec::Oscillation(wave)) => {
                turn(&mut wave.amplitude);
                turn(&mut wave.angle_degrees);
            }
            // Keys are relative to the body's place.
            Some(ScriptSpec::Keyframes(_)) | None => {}
        }
    }
    for tie in &mut scene.constraints {
        [&mut tie.a, &mut tie.b].into_iter().for_each(|anchor| anchor.displace(offset));
    }
    for site in scene.sites.iter_mut().filter(|site| site.body.is_none()) {
        put(&mut site.position, &mut site.orientation);
    }
    let floats = |joint: &Option<JointSpec>| joint.as_ref().is_none_or(|own| matches!(own.kind, JointKind::Free(_)));
    let free: BTreeSet<&str> =
        scene.bodies.iter().filter(|body| floats(&body.joint)).map(|body| body.name.as_str()).collect();
    let starts = scene.keyframes.iter_mut().flat_map(|keyframe| &mut keyframe.bodies);
    for (_, start) in starts.filter(|(name, _)| free.contains(name.as_str())) {
        put(&mut start.position, &mut start.orientation);
        turn(&mut start.velocity);
        turn(&mut start.angular_velocity);
    }
    for controller in &mut scene.controllers {
        controller.displace(offset)?;
    }
    Ok(())
}
