//! `<worldbody>`: the tree of bodies with their joints, geoms, sites, cameras and lights.

use burgess_files::NameFault;
use std::collections::{BTreeMap, BTreeSet};

use burgess_geometry::Pose;
use burgess_scene::MAX_BODIES;
use burgess_scene::spec::ShapeKind;
use glam::DVec3;

use super::assets::{Assets, unknown_name};
use super::compiler::Compiler;
use super::defaults::Classes;
use super::geom::{Geom, GeomContext};
use super::inertia::Inertia;
use super::joint::{Joint, JointSettings, Kind};
use super::placement::Placement;
use crate::import::{ImportError, ImportFault, Warnings};
use crate::xml::Element;

/// Maximum number of geoms, sites, cameras and lights in one model.
const MAX_PARTS: usize = 1_000_000;

/// A body. The first one is the world.
#[derive(Debug)]
pub(super) struct Body<'a> {
    pub name: String,
    pub element: &'a Element,
    /// Index of the parent body; the world is its own parent.
    pub parent: usize,
    /// Pose in the parent body, in the reference configuration.
    pub pose: Pose,
    /// Pose in the world, in the reference configuration.
    pub world_pose: Pose,
    /// Neither the body nor any of its ancestors has a joint.
    pub is_static: bool,
    /// The mass of the body is needed and computed from its geoms.
    mass_from_geoms: bool,
    pub joints: Vec<Joint<'a>>,
    pub geoms: Vec<Geom>,
    pub has_plane: bool,
    /// The `<inertial>` element and the pose of its enclosing `<frame>` on the body.
    pub inertial: Option<(&'a Element, Pose)>,
    /// Mass properties in body coordinates; `None` for the world and for bodies without mass.
    pub inertia: Option<Inertia>,
}

/// A named frame on a body.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub body: usize,
    pub pose: Pose,
}

/// A camera or a light in the reference configuration.
#[derive(Debug, Clone)]
pub(super) struct Viewpoint<'a> {
    pub element: &'a Element,
    pub body: usize,
    /// Pose in the world.
    pub pose: Pose,
}

/// All bodies, parents before children in MuJoCo's order.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    pub bodies: Vec<Body<'a>>,
    pub body_names: BTreeMap<String, usize>,
    /// Body index and index among the joints of that body.
    pub joint_names: BTreeMap<String, (usize, usize)>,
    pub sites: BTreeMap<String, Site>,
    pub cameras: Vec<Viewpoint<'a>>,
    pub lights: Vec<Viewpoint<'a>>,
    geom_names: BTreeSet<String>,
    parts: usize,
}

/// Shared inputs of reading the tree.
pub(super) struct Reader<'a, 'b> {
    pub compiler: &'b Compiler,
    pub classes: &'b Classes,
    pub assets: &'b mut Assets<'a>,
    pub warnings: &'b mut Warnings,
    pub has_fluid: bool,
}

/// Current position in the tree.
#[derive(Clone, Copy)]
struct Place {
    body: usize,
    /// Pose of the enclosing `<frame>` in the body.
    frame: Pose,
    /// Default class inherited from the enclosing bodies.
    class: Option<usize>,
}

impl<'a> Tree<'a> {
    pub fn read(root: &'a Element, reader: &mut Reader<'a, '_>) -> Result<Self, ImportError> {
        let world = Body {
            name: "world".to_string(),
            element: root,
            parent: 0,
            pose: Pose::IDENTITY,
            world_pose: Pose::IDENTITY,
            is_static: true,
            mass_from_geoms: false,
            joints: Vec::new(),
            geoms: Vec::new(),
            has_plane: false,
            inertial: None,
            inertia: None,
        };
        let mut tree = Self {
            bodies: vec![world],
            body_names: BTreeMap::from([("world".to_string(), 0)]),
            joint_names: BTreeMap::new(),
            sites: BTreeMap::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
            geom_names: BTreeSet::new(),
            parts: 0,
        };
        for element in root.children("worldbody") {
            tree.read_children(element, Place { body: 0, frame: Pose::IDENTITY, class: None }, reader)?;
        }
        tree.name_unnamed_bodies();
        tree.compute_masses(reader.compiler)?;
        Ok(tree)
    }

    fn read_children(
        &mut self,
        element: &'a Element,
        at: Place,
        reader: &mut Reader<'a, '_>,
    ) -> Result<(), ImportError> {
        for child in &element.children {
            match &*child.name {
                "body" => self.read_body(child, at, reader)?,
                "joint" | "freejoint" => self.read_joint(child, at, reader)?,
                "frame" => self.read_frame(child, at, reader)?,
                _ => self.read_part(child, at, reader)?,
            }
        }
        Ok(())
    }

    fn read_frame(&mut self, element: &'a Element, at: Place, reader: &mut Reader<'a, '_>) -> Result<(), ImportError> {
        for attribute in ["scale", "massscale"] {
            let unit = element.numbers(attribute, 1..=3)?.is_none_or(|values| values.iter().all(|&value| value == 1.0));
            if !unit {
                return Err(
                    element.conflict(format!("a frame that scales its contents ({attribute}) is not supported"))
                );
            }
        }
        let mut placement = Placement::default();
        placement.apply(element)?;
        let frame = at.frame.compose(&placement.pose(reader.compiler, element)?);
        let class = reader.classes.named(element, "childclass")?.or(at.class);
        self.read_children(element, Place { frame, class, ..at }, reader)
    }

    fn read_body(&mut self, element: &'a Element, at: Place, reader: &mut Reader<'a, '_>) -> Result<(), ImportError> {
        let mut placement = Placement::default();
        placement.apply(element)?;
        let pose = at.frame.compose(&placement.pose(reader.compiler, element)?);
        let class = reader.classes.named(element, "childclass")?.or(at.class);
        if self.bodies.len() > MAX_BODIES {
            return Err(element.fault(ImportFault::TooMany { what: "bodies", limit: MAX_BODIES }));
        }
        let index = self.bodies.len();
        let name = element.text("name").unwrap_or_default().to_string();
        if !name.is_empty() && self.body_names.insert(name.clone(), index).is_some() {
            return Err(element.fault(ImportFault::Name(NameFault::Duplicate { what: "body", name })));
        }
        if element.boolean("mocap")? == Some(true) {
            if at.body != 0 {
                return Err(element.conflict("a mocap body must be a child of the world"));
            }
            reader.warnings.add("mocap bodies (mocap); they are imported as fixed bodies", element);
        }
        if element.number("gravcomp")?.is_some_and(|share| share != 0.0) {
            reader.warnings.add("gravity compensation (gravcomp)", element);
        }
        let parent = &self.bodies[at.body];
        let is_static = parent.is_static && !contains_any(element, &["joint", "freejoint"]);
        let from_geoms = reader.compiler.inertia_from_geoms.unwrap_or(!contains_any(element, &["inertial"]));
        self.bodies.push(Body {
            name,
            element,
            parent: at.body,
            pose,
            world_pose: parent.world_pose.compose(&pose),
            is_static,
            mass_from_geoms: from_geoms && (!is_static || reader.compiler.total_mass.is_some()),
            joints: Vec::new(),
            geoms: Vec::new(),
            has_plane: false,
            inertial: None,
            inertia: None,
        });
        self.read_children(element, Place { body: index, frame: Pose::IDENTITY, class }, reader)?;
        self.check_joints(index)
    }

    fn read_joint(&mut self, element: &'a Element, at: Place, reader: &mut Reader<'a, '_>) -> Result<(), ImportError> {
        let settings = match &*element.name {
            // Default classes do not apply to <freejoint>.
            "freejoint" => JointSettings::free(),
            _ => {
                let mut settings = reader.classes.of(element, at.class)?.joint.clone();
                settings.apply(element, reader.warnings)?;
                settings
            }
        };
        if at.body == 0 {
            return Err(element.conflict("the world cannot have joints; move this element into a body"));
        }
        let align = element.boolean_or_auto("align")?.flatten().unwrap_or(reader.compiler.align_free);
        if settings.kind == Kind::Free && align {
            let what = "free joints aligned with the inertia (align, alignfree); states refer to the body's own frame";
            reader.warnings.add(what, element);
        }
        let joint = Joint::new(&settings, element, &at.frame, reader.compiler)?;
        if joint.kind == Kind::Free && (joint.stiffness > 0.0 || joint.friction > 0.0 || joint.armature > 0.0) {
            reader.warnings.add("stiffness, frictionloss and armature of free joints", element);
        }
        let place = self.bodies[at.body].joints.len();
        if let Some(name) = &joint.name
            && self.joint_names.insert(name.clone(), (at.body, place)).is_some()
        {
            return Err(element.fault(ImportFault::Name(NameFault::Duplicate { what: "joint", name: name.clone() })));
        }
        self.bodies[at.body].joints.push(joint);
        Ok(())
    }

    fn check_joints(&self, index: usize) -> Result<(), ImportError> {
        let body = &self.bodies[index];
        let of_kind = |kind| body.joints.iter().find(|joint| joint.kind == kind);
        if let Some(free) = of_kind(Kind::Free) {
            if body.parent != 0 {
                return Err(free.element.conflict("a body with a free joint must be a child of the world"));
            }
            if body.joints.len() > 1 {
                return Err(free.element.conflict("a body with a free joint cannot have other joints"));
            }
        }
        if let Some(ball) = of_kind(Kind::Ball)
            && body.joints.len() > 1
        {
            return Err(ball.element.conflict(
                "a ball joint cannot be combined with other joints in the same body; move it to a body of its own",
            ));
        }
        match body.joints.get(6) {
            Some(seventh) => Err(seventh.element.conflict("the body has more than six joints; expected at most six")),
            None => Ok(()),
        }
    }

    fn read_part(&mut self, element: &'a Element, at: Place, reader: &mut Reader<'a, '_>) -> Result<(), ImportError> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(
                element.fault(ImportFault::TooMany { what: "geoms, sites, cameras and lights", limit: MAX_PARTS })
            );
        }
        match &*element.name {
            "geom" => self.read_geom(element, at, reader)?,
            "site" => {
                let pose = site_pose(element, at, reader)?;
                if let Some(name) = element.text("name").filter(|name| !name.is_empty())
                    && self.sites.insert(name.to_string(), Site { body: at.body, pose }).is_some()
                {
                    return Err(
                        element.fault(ImportFault::Name(NameFault::Duplicate { what: "site", name: name.to_string() }))
                    );
                }
            }
            "camera" => {
                let mut placement = reader.classes.of(element, at.class)?.camera;
                placement.apply(element)?;
                let local = at.frame.compose(&placement.pose(reader.compiler, element)?);
                self.cameras.push(self.viewpoint(element, at.body, &local));
            }
            "light" => {
                reader.classes.of(element, at.class)?;
                let position = element.vector("pos")?.unwrap_or_default();
                let local = at.frame.compose(&Pose::new(glam::DQuat::IDENTITY, position));
                self.lights.push(self.viewpoint(element, at.body, &local));
            }
            "inertial" => {
                if at.body == 0 {
                    return Err(element.conflict("the world cannot have mass; move this element into a body"));
                }
                if self.bodies[at.body].inertial.replace((element, at.frame)).is_some() {
                    return Err(element.conflict("the body has another <inertial>"));
                }
            }
            "flexcomp" => reader.warnings.add("deformable bodies (flex)", element),
            "composite" => reader.warnings.add("composite bodies", element),
            "attach" => reader.warnings.add("attached models (attach)", element),
            "plugin" => reader.warnings.add("plugins", element),
            _ => {}
        }
        Ok(())
    }

    fn viewpoint(&self, element: &'a Element, body: usize, local: &Pose) -> Viewpoint<'a> {
        Viewpoint { element, body, pose: self.bodies[body].world_pose.compose(local) }
    }

    fn read_geom(&mut self, element: &'a Element, at: Place, reader: &mut Reader<'a, '_>) -> Result<(), ImportError> {
        let mut settings = reader.classes.of(element, at.class)?.geom.clone();
        settings.apply(element, reader.warnings)?;
        if let Some(name) = element.text("name").filter(|name| !name.is_empty())
            && !self.geom_names.insert(name.to_string())
        {
            return Err(element.fault(ImportFault::Name(NameFault::Duplicate { what: "geom", name: name.to_string() })));
        }
        let mut context = GeomContext {
            compiler: reader.compiler,
            assets: reader.assets,
            warnings: reader.warnings,
            has_fluid: reader.has_fluid,
        };
        let body = &mut self.bodies[at.body];
        let geom = Geom::new(settings, element, &at.frame, (body.is_static, body.mass_from_geoms), &mut context)?;
        body.has_plane |= geom.as_ref().is_some_and(|geom| matches!(geom.shape, Some(ShapeKind::HalfSpace(_))));
        body.geoms.extend(geom);
        Ok(())
    }

    /// Names each unnamed body after its index.
    fn name_unnamed_bodies(&mut self) {
        for index in 1..self.bodies.len() {
            if self.bodies[index].name.is_empty() {
                let mut name = format!("body{index}");
                while self.body_names.contains_key(&name) {
                    name.push('_');
                }
                self.body_names.insert(name.clone(), index);
                self.bodies[index].name = name;
            }
        }
    }

    /// Returns the body that an attribute names.
    pub fn body(&self, element: &Element, attribute: &'static str) -> Result<usize, ImportError> {
        let name = element.required(attribute)?;
        self.body_names.get(name).copied().ok_or_else(|| unknown_name(element, "body", name, self.body_names.keys()))
    }

    /// Returns the site that an attribute names.
    pub fn site(&self, element: &Element, attribute: &'static str) -> Result<&Site, ImportError> {
        let name = element.required(attribute)?;
        self.sites.get(name).ok_or_else(|| unknown_name(element, "site", name, self.sites.keys()))
    }

    /// Returns body index and joint index of the joint that an attribute names.
    pub fn joint(&self, element: &Element, attribute: &'static str) -> Result<(usize, usize), ImportError> {
        let name = element.required(attribute)?;
        self.joint_names.get(name).copied().ok_or_else(|| unknown_name(element, "joint", name, self.joint_names.keys()))
    }
}

/// Returns whether a body contains an element with one of the given names, directly or within frames.
fn contains_any(element: &Element, names: &[&str]) -> bool {
    element
        .children
        .iter()
        .any(|child| names.contains(&&*child.name) || (*child.name == *"frame" && contains_any(child, names)))
}

fn site_pose(element: &Element, at: Place, reader: &Reader) -> Result<Pose, ImportError> {
    let mut placement = reader.classes.of(element, at.class)?.site;
    placement.apply(element)?;
    let local = match element.array::<6>("fromto")? {
        Some([x0, y0, z0, x1, y1, z1]) => {
            let (from, to) = (DVec3::new(x0, y0, z0), DVec3::new(x1, y1, z1));
            let direction =
                (from - to).try_normalize().ok_or_else(|| element.wrong("fromto", "two points that differ"))?;
            Pose::new(super::placement::z_to(direction), 0.5 * (from + to))
        }
        None => placement.pose(reader.compiler, element)?,
    };
    Ok(at.frame.compose(&local))
}
