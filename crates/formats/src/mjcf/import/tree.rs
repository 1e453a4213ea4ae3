//! `<worldbody>`: bodies within bodies, with their joints, geoms and sites.

use std::collections::{BTreeMap, BTreeSet};

use burgess_geometry::Pose;
use burgess_scene::MAX_BODIES;
use burgess_scene::spec::ShapeKind;
use glam::DVec3;

use super::assets::{Assets, unknown};
use super::compiler::Compiler;
use super::defaults::Classes;
use super::geom::{Geom, Surroundings};
use super::inertia::Inertia;
use super::joint::{Joint, JointSettings, Kind};
use super::placement::Placement;
use crate::import::{ImportError, ImportFault, Warnings};
use crate::xml::Element;

/// More geoms or sites in one model are refused.
const MAX_PARTS: usize = 1_000_000;

/// A body. The first one is the world.
#[derive(Debug)]
pub(super) struct Body<'a> {
    pub name: String,
    pub element: &'a Element,
    /// Index of its parent; of the world itself for the world.
    pub parent: usize,
    /// In its parent, where the model is drawn.
    pub pose: Pose,
    /// In the world, where the model is drawn.
    pub world_pose: Pose,
    /// It stands in the world, whatever happens.
    pub is_static: bool,
    /// Its mass matters, and is that of its geoms.
    weighs: bool,
    pub joints: Vec<Joint<'a>>,
    pub geoms: Vec<Geom>,
    pub has_plane: bool,
    /// The element, and the frame that it is in, on the body.
    pub inertial: Option<(&'a Element, Pose)>,
    /// In the body's coordinates; none for the world and for bodies without mass.
    pub inertia: Option<Inertia>,
}

/// A place on a body, by name.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub body: usize,
    pub pose: Pose,
}

/// A camera or a light where the model is drawn.
#[derive(Debug, Clone)]
pub(super) struct Onlooker<'a> {
    pub element: &'a Element,
    pub body: usize,
    /// In the world.
    pub pose: Pose,
}

/// All bodies, parents before children in MuJoCo's order.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    pub bodies: Vec<Body<'a>>,
    pub body_names: BTreeMap<String, usize>,
    /// Body, and place among its joints.
    pub joint_names: BTreeMap<String, (usize, usize)>,
    pub sites: BTreeMap<String, Site>,
    pub cameras: Vec<Onlooker<'a>>,
    pub lights: Vec<Onlooker<'a>>,
    geom_names: BTreeSet<String>,
    parts: usize,
}

/// What the tree is read with.
pub(super) struct Reader<'a, 'b> {
    pub compiler: &'b Compiler,
    pub classes: &'b Classes,
    pub assets: &'b mut Assets<'a>,
    pub warnings: &'b mut Warnings,
    pub fluid: bool,
}

/// Where in the tree the reader is.
#[derive(Clone, Copy)]
struct Place {
    body: usize,
    /// The frame within the body.
    frame: Pose,
    /// The class of the bodies around.
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
            weighs: false,
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
        tree.name_the_nameless();
        tree.weigh(reader.compiler)?;
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
                return Err(element.conflict(format!("frames that scale what is in them ({attribute}) are not read")));
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
            return Err(element.fault(ImportFault::Duplicate { what: "body", name }));
        }
        if element.boolean("mocap")? == Some(true) {
            if at.body != 0 {
                return Err(element.conflict("a mocap body hangs on the world"));
            }
            reader.warnings.add("bodies moved from outside (mocap); they stand still", element);
        }
        if element.number("gravcomp")?.is_some_and(|share| share != 0.0) {
            reader.warnings.add("compensation of gravity (gravcomp)", element);
        }
        let parent = &self.bodies[at.body];
        let is_static = parent.is_static && !holds(element, &["joint", "freejoint"]);
        let from_geoms = reader.compiler.inertia_from_geoms.unwrap_or(!holds(element, &["inertial"]));
        self.bodies.push(Body {
            name,
            element,
            parent: at.body,
            pose,
            world_pose: parent.world_pose.compose(&pose),
            is_static,
            weighs: from_geoms && (!is_static || reader.compiler.total_mass.is_some()),
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
            // Defaults are not for it.
            "freejoint" => JointSettings::free(),
            _ => {
                let mut settings = reader.classes.of(element, at.class)?.joint.clone();
                settings.apply(element, reader.warnings)?;
                settings
            }
        };
        if at.body == 0 {
            return Err(element.conflict("the world has no joints; put it in a body"));
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
            return Err(element.fault(ImportFault::Duplicate { what: "joint", name: name.clone() }));
        }
        self.bodies[at.body].joints.push(joint);
        Ok(())
    }

    fn check_joints(&self, index: usize) -> Result<(), ImportError> {
        let body = &self.bodies[index];
        let of_kind = |kind| body.joints.iter().find(|joint| joint.kind == kind);
        if let Some(free) = of_kind(Kind::Free) {
            if body.parent != 0 {
                return Err(free.element.conflict("a free joint is for bodies that hang on the world"));
            }
            if body.joints.len() > 1 {
                return Err(free.element.conflict("a body with a free joint has no other joints"));
            }
        }
        if let Some(ball) = of_kind(Kind::Ball)
            && body.joints.len() > 1
        {
            return Err(ball.element.conflict(
                "a ball joint with other joints in the same body cannot be told in a scene; put it in a body of its own",
            ));
        }
        match body.joints.get(6) {
            Some(seventh) => Err(seventh.element.conflict("a body has at most six joints")),
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
                    return Err(element.fault(ImportFault::Duplicate { what: "site", name: name.to_string() }));
                }
            }
            "camera" => {
                let mut placement = reader.classes.of(element, at.class)?.camera;
                placement.apply(element)?;
                let local = at.frame.compose(&placement.pose(reader.compiler, element)?);
                self.cameras.push(self.onlooker(element, at.body, &local));
            }
            "light" => {
                reader.classes.of(element, at.class)?;
                let position = element.vector("pos")?.unwrap_or_default();
                let local = at.frame.compose(&Pose::new(glam::DQuat::IDENTITY, position));
                self.lights.push(self.onlooker(element, at.body, &local));
            }
            "inertial" => {
                if at.body == 0 {
                    return Err(element.conflict("the world has no mass; put it in a body"));
                }
                if self.bodies[at.body].inertial.replace((element, at.frame)).is_some() {
                    return Err(element.conflict("the body has another <inertial>"));
                }
            }
            "flexcomp" => reader.warnings.add("soft bodies (flex)", element),
            "composite" => reader.warnings.add("composite bodies", element),
            "attach" => reader.warnings.add("models within models (attach)", element),
            "plugin" => reader.warnings.add("plugins", element),
            _ => {}
        }
        Ok(())
    }

    fn onlooker(&self, element: &'a Element, body: usize, local: &Pose) -> Onlooker<'a> {
        Onlooker { element, body, pose: self.bodies[body].world_pose.compose(local) }
    }

    fn read_geom(&mut self, element: &'a Element, at: Place, reader: &mut Reader<'a, '_>) -> Result<(), ImportError> {
        let mut settings = reader.classes.of(element, at.class)?.geom.clone();
        settings.apply(element, reader.warnings)?;
        if let Some(name) = element.text("name").filter(|name| !name.is_empty())
            && !self.geom_names.insert(name.to_string())
        {
            return Err(element.fault(ImportFault::Duplicate { what: "geom", name: name.to_string() }));
        }
        let mut around = Surroundings {
            compiler: reader.compiler,
            assets: reader.assets,
            warnings: reader.warnings,
            fluid: reader.fluid,
        };
        let body = &mut self.bodies[at.body];
        let geom = Geom::new(settings, element, &at.frame, (body.is_static, body.weighs), &mut around)?;
        body.has_plane |= geom.as_ref().is_some_and(|geom| matches!(geom.shape, Some(ShapeKind::HalfSpace(_))));
        body.geoms.extend(geom);
        Ok(())
    }

    /// Bodies without a name are called by their number.
    fn name_the_nameless(&mut self) {
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

    /// The body that an attribute names.
    pub fn body(&self, element: &Element, attribute: &'static str) -> Result<usize, ImportError> {
        let name = element.required(attribute)?;
        self.body_names.get(name).copied().ok_or_else(|| unknown(element, "body", name, self.body_names.keys()))
    }

    /// The site that an attribute names.
    pub fn site(&self, element: &Element, attribute: &'static str) -> Result<&Site, ImportError> {
        let name = element.required(attribute)?;
        self.sites.get(name).ok_or_else(|| unknown(element, "site", name, self.sites.keys()))
    }

    /// Body and place of the joint that an attribute names.
    pub fn joint(&self, element: &Element, attribute: &'static str) -> Result<(usize, usize), ImportError> {
        let name = element.required(attribute)?;
        self.joint_names.get(name).copied().ok_or_else(|| unknown(element, "joint", name, self.joint_names.keys()))
    }
}

/// Does a body have one of some elements, be it within frames?
fn holds(element: &Element, names: &[&str]) -> bool {
    element
        .children
        .iter()
        .any(|child| names.contains(&&*child.name) || (*child.name == *"frame" && holds(child, names)))
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
