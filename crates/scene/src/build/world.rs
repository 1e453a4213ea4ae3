//! Bodies, constraints and materials for the simulator.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{LinkId, ModelError, State};
use burgess_geometry::{MassProperties, Pose};
use burgess_simulation::{
    ColliderSpec, ConstraintKind, MaterialId, Oscillation, Place, SharedScript, SteadyMotion, World, WorldBuilder,
    WorldError,
};
use glam::{DMat3, DVec3};

use super::actuators::Drives;
use super::drag::{FluidDrag, build_drag};
use super::joints::{BuiltJoint, build_joint};
use super::keyframes::Keyframes;
use super::shapes::ShapeMaker;
use crate::actuators::Actuators;
use crate::check::{check_names, check_values};
use crate::error::{At, Fault, Misfit, SceneError};
use crate::spec::{
    AnchorSpec, BodySpec, JointKind, JointSpec, SceneSpec, ScriptSpec, TendonJoint, TendonSpec, TieKind,
};

/// What became of a body of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct BuiltBody {
    /// Its link; none if it stands in the world and nothing hangs on it.
    pub link: Option<LinkId>,
    /// Where its frame is at the start if it has no joint but a free one; the identity otherwise.
    pub pose: Pose,
    /// Its shapes among the colliders of the world, in order.
    pub colliders: Range<usize>,
}

/// A scene that can be stepped.
#[derive(Debug, Clone)]
pub struct BuiltScene {
    /// What does not change.
    pub world: World,
    /// How it starts.
    pub state: State,
    /// What became of the scene's bodies, in their order.
    pub bodies: Vec<BuiltBody>,
    /// The fluid, and what it drags on.
    pub drag: Option<FluidDrag>,
    /// What turns controls into motors; the world's are at the controls of the start.
    pub actuators: Actuators,
}

impl BuiltScene {
    /// Index of a body's link in the model.
    pub fn link_index(&self, body: usize) -> Option<usize> {
        self.world.index(self.bodies.get(body)?.link?)
    }
}

impl SceneSpec {
    /// Makes the world. Mesh files are looked for in `folder`. Scenes with includes must be read from a file.
    pub fn build(&self, folder: impl AsRef<Path>) -> Result<BuiltScene, SceneError> {
        build(self, folder.as_ref()).map_err(Misfit::without_file)
    }
}

pub(crate) fn build(scene: &SceneSpec, folder: &Path) -> Result<BuiltScene, Misfit> {
    check_values(scene)?;
    if !scene.include.is_empty() {
        let why = "includes are files: read this scene from a file, or put the bodies into it";
        return Err(At::ROOT.field("include").fault(Fault::Conflict(why.to_string())));
    }
    check_names(scene)?;
    Assembly::new(scene, folder).assemble()
}

struct Assembly<'a> {
    scene: &'a SceneSpec,
    folder: &'a Path,
    builder: WorldBuilder,
    shapes: ShapeMaker<'a>,
    materials: BTreeMap<&'a str, MaterialId>,
    index_by_name: BTreeMap<&'a str, usize>,
    drives: Drives<'a>,
    /// Fixed bodies that have to be links, because something hangs on them or passes through them.
    needed_links: BTreeSet<&'a str>,
    built: Vec<Option<BuiltBody>>,
    colliders: usize,
}

impl<'a> Assembly<'a> {
    fn new(scene: &'a SceneSpec, folder: &'a Path) -> Self {
        let parents = scene.bodies.iter().filter_map(|body| body.joint.as_ref()?.parent.as_deref());
        let excluded = scene.exclusions.iter().flatten().map(String::as_str);
        Self {
            scene,
            folder,
            builder: WorldBuilder::new(),
            shapes: ShapeMaker::new(folder),
            materials: BTreeMap::new(),
            index_by_name: scene.bodies.iter().enumerate().map(|(index, body)| (body.name.as_str(), index)).collect(),
            drives: Drives::new(scene),
            needed_links: parents.chain(excluded).collect(),
            built: vec![None; scene.bodies.len()],
            colliders: 0,
        }
    }

    fn assemble(mut self) -> Result<BuiltScene, Misfit> {
        let scene = self.scene;
        self.builder.gravity(scene.gravity).self_collision(scene.self_collision);
        self.add_materials();
        for index in 0..scene.bodies.len() {
            self.add_with_parents(index)?;
        }
        for tie in &scene.constraints {
            let kind = match &tie.kind {
                TieKind::Pin(_) => ConstraintKind::Pin,
                TieKind::Hinge(_) => ConstraintKind::Hinge,
                TieKind::Slide(_) => ConstraintKind::Slide,
                TieKind::Weld(_) => ConstraintKind::Weld,
                TieKind::Distance(tie) => ConstraintKind::Distance { length: tie.length },
                TieKind::Rope(tie) => ConstraintKind::Rope { length: tie.length },
                TieKind::Spring(tie) => {
                    ConstraintKind::Spring { length: tie.length, stiffness: tie.stiffness, damping: tie.damping }
                }
            };
            let (a, b) = (self.place(&tie.a), self.place(&tie.b));
            self.builder.constraint(kind, a, b);
        }
        for tendon in &scene.tendons {
            let axis = |part: &TendonJoint| Some((self.link(&part.joint)?, part.axis, part.coefficient));
            let axes = tendon.joints.iter().filter_map(axis).collect();
            let TendonSpec { stiffness, damping, rest, .. } = *tendon;
            self.builder.tendon(burgess_simulation::TendonSpec { axes, stiffness, damping, rest });
        }
        for [a, b] in &scene.exclusions {
            if let (Some(a), Some(b)) = (self.link(a), self.link(b)) {
                self.builder.exclude(a, b);
            }
        }
        let bodies: Vec<BuiltBody> = self.built.into_iter().flatten().collect();
        let (world, state) = self.builder.build().map_err(|error| misfit_of(scene, error))?;
        let drag = scene.fluid.as_ref().map(|fluid| build_drag(fluid, &world));
        let link = |name: &str| world.index(bodies[*self.index_by_name.get(name)?].link?);
        let actuators = scene.actuators.iter().filter_map(|actuator| Some((link(&actuator.joint)?, actuator)));
        let actuators = Actuators::new(world.model(), actuators);
        Ok(BuiltScene { world, state, bodies, drag, actuators })
    }

    fn add_materials(&mut self) {
        self.materials.insert("default", MaterialId::default());
        for (name, material) in &self.scene.materials {
            if name == "default" {
                self.builder.default_material(material.material());
            } else {
                self.materials.insert(name, self.builder.material(material.material()));
            }
        }
        for surface in &self.scene.surfaces {
            let [a, b] = surface.between.each_ref().map(|name| self.materials[name.as_str()]);
            let material = burgess_simulation::Surface {
                friction: surface.friction,
                restitution: surface.restitution,
                tangential_restitution: surface.tangential_restitution,
            };
            self.builder.surface(a, b, material);
        }
    }

    /// Parents must be there before their children, in whatever order a file has them.
    fn add_with_parents(&mut self, index: usize) -> Result<(), Misfit> {
        let mut way = vec![index];
        while let Some(&last) = way.last() {
            let parent = self.scene.bodies[last].joint.as_ref().and_then(|joint| joint.parent.as_deref());
            match parent.map(|parent| self.index_by_name[parent]).filter(|&parent| self.built[parent].is_none()) {
                Some(parent) => way.push(parent),
                None => {
                    if self.built[last].is_none() {
                        self.built[last] = Some(self.add(last)?);
                    }
                    way.pop();
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, index: usize) -> Result<BuiltBody, Misfit> {
        let body = &self.scene.bodies[index];
        let list = At::ROOT.field("bodies");
        let at = list.index(index);
        if let Some(file) = &body.display_mesh {
            let file = self.folder.join(file);
            if !file.is_file() {
                let fault = Fault::MeshFile(format!("there is no file '{}'", file.display()));
                return Err(at.field("display_mesh").fault(fault));
            }
        }
        let colliders = self.colliders_of(at, body)?;
        let first = self.colliders;
        self.colliders += colliders.len();
        let range = first..self.colliders;
        let pose = if body.joint.as_ref().is_none_or(|joint| matches!(joint.kind, JointKind::Free(_))) {
            body.pose()
        } else {
            Pose::IDENTITY
        };
        if body.fixed && !self.needed_links.contains(body.name.as_str()) {
            for collider in colliders {
                let placed = pose.compose(&collider.pose);
                self.builder.fixed(collider.at(placed));
            }
            return Ok(BuiltBody { link: None, pose, colliders: range });
        }
        let refuse = |error| at.fault(Fault::World(error));
        let link = if let Some(script) = &body.script {
            self.builder.scripted(&body.name, self.script(at, body, script)?, colliders)
        } else if body.fixed {
            // Its mass never matters.
            let mass = MassProperties { mass: 1.0, center_of_mass: DVec3::ZERO, inertia: DMat3::IDENTITY };
            let joint = burgess_dynamics::JointSpec::weld().in_parent(pose);
            self.builder.link(&body.name, None, joint, Some(mass), colliders).map_err(refuse)?
        } else {
            let mass = mass_of(at, body, &colliders)?;
            match &body.joint {
                None => self.add_free(body, burgess_dynamics::JointSpec::free(), mass, colliders).map_err(refuse)?,
                Some(joint) if matches!(joint.kind, JointKind::Free(_)) => {
                    self.add_free(body, self.joint(body, joint).joint, mass, colliders).map_err(refuse)?
                }
                Some(joint) => {
                    let parent = joint.parent.as_deref().and_then(|parent| self.link(parent));
                    let built = self.joint(body, joint);
                    let added = self.builder.link(&body.name, parent, built.joint, mass, colliders);
                    let link = added.map_err(refuse)?;
                    self.builder.set_positions(link, &built.positions);
                    self.builder.set_joint_velocities(link, &built.velocities);
                    link
                }
            }
        };
        Ok(BuiltBody { link: Some(link), pose, colliders: range })
    }

    /// A joint with the motors of its actuators.
    fn joint(&self, body: &BodySpec, joint: &JointSpec) -> BuiltJoint {
        let mut built = build_joint(joint);
        self.drives.put_on(&body.name, &mut built.joint);
        built
    }

    fn add_free(
        &mut self,
        body: &BodySpec,
        joint: burgess_dynamics::JointSpec,
        mass: Option<MassProperties>,
        colliders: Vec<ColliderSpec>,
    ) -> Result<LinkId, WorldError> {
        let link = self.builder.link(&body.name, None, joint, mass, colliders)?;
        self.builder.set_pose(link, body.pose());
        self.builder.set_velocity(link, Motion::new(body.angular_velocity, body.velocity));
        Ok(link)
    }

    fn colliders_of(&mut self, at: At, body: &BodySpec) -> Result<Vec<ColliderSpec>, Misfit> {
        let list = at.field("shapes");
        let mut colliders = Vec::with_capacity(body.shapes.len());
        for (index, spec) in body.shapes.iter().enumerate() {
            let shape = self.shapes.make(list.index(index), &spec.kind)?;
            let mut collider = ColliderSpec::new(shape);
            collider.pose = crate::spec::PoseSpec { position: spec.position, orientation: spec.orientation }.pose();
            collider.material = self.materials[spec.material.as_deref().unwrap_or("default")];
            (collider.density, collider.group, collider.mask) = (spec.density, spec.group, spec.mask);
            colliders.push(collider);
        }
        Ok(colliders)
    }

    fn script(&self, at: At, body: &BodySpec, script: &ScriptSpec) -> Result<SharedScript, Misfit> {
        let start = body.pose();
        Ok(match script {
            ScriptSpec::Steady(steady) => {
                Arc::new(SteadyMotion { start, linear: steady.velocity, angular: steady.angular_velocity })
            }
            ScriptSpec::Oscillation(wave) => Arc::new(Oscillation {
                middle: start,
                amplitude: wave.amplitude,
                angle: wave.angle_degrees * (std::f64::consts::PI / 180.0),
                frequency: wave.frequency,
                phase: wave.phase_degrees.to_radians(),
            }),
            ScriptSpec::Keyframes(keys) => {
                let made = Keyframes::from_spec(keys, &start);
                Arc::new(made.map_err(|error| at.field("script").fault(Fault::Conflict(error.to_string())))?)
            }
        })
    }

    fn body(&self, name: &str) -> Option<&BuiltBody> {
        self.built[*self.index_by_name.get(name)?].as_ref()
    }

    fn link(&self, name: &str) -> Option<LinkId> {
        self.body(name)?.link
    }

    /// A body that stands in the world without a link leaves a place in the world.
    fn place(&self, anchor: &AnchorSpec) -> Place {
        match anchor.body.as_deref().and_then(|name| self.body(name)) {
            Some(BuiltBody { link: None, pose, .. }) => (None, pose.compose(&anchor.pose())),
            Some(body) => (body.link, anchor.pose()),
            None => (None, anchor.pose()),
        }
    }
}

/// The mass that is given, or that of the shapes scaled to it. None: that of the shapes.
fn mass_of(at: At, body: &BodySpec, colliders: &[ColliderSpec]) -> Result<Option<MassProperties>, Misfit> {
    let Some(mass) = body.mass else { return Ok(None) };
    if let &[xx, yy, zz, ref rest @ ..] = &body.inertia[..] {
        let [xy, xz, yz] = rest.try_into().unwrap_or([0.0; 3]);
        let inertia = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
        let made = MassProperties::new(mass, body.center_of_mass.unwrap_or_default(), inertia);
        return made.map(Some).map_err(|error| at.field("inertia").fault(Fault::Shape(error)));
    }
    let mut parts = Vec::with_capacity(colliders.len());
    for collider in colliders {
        let own = collider.shape.mass_properties(collider.density).map_err(|error| at.fault(Fault::Shape(error)))?;
        parts.push(own.transformed(&collider.pose));
    }
    let combined = MassProperties::combined(parts.into_iter());
    let scaled = combined.map(|all| all.with_mass(mass)).transpose();
    scaled.map_err(|error| at.field("mass").fault(Fault::Shape(error)))
}

/// Points an error of the simulator at the body that it names.
fn misfit_of(scene: &SceneSpec, error: WorldError) -> Misfit {
    let name = match &error {
        WorldError::Shape { body, .. }
        | WorldError::NoMass { body }
        | WorldError::Immovable { body, .. }
        | WorldError::StateLength { body, .. } => Some(body),
        WorldError::Model(
            ModelError::Mass { link, .. }
            | ModelError::Inertia { link, .. }
            | ModelError::NotFinite { link, .. }
            | ModelError::MissingParent { link }
            | ModelError::Cycle { link }
            | ModelError::ZeroAxis { link, .. }
            | ModelError::LimitOrder { link, .. }
            | ModelError::Negative { link, .. }
            | ModelError::Joint { link, .. },
        ) => Some(link),
        _ => None,
    };
    let index = name.and_then(|name| scene.bodies.iter().position(|body| body.name == *name));
    let list = At::ROOT.field("bodies");
    match index {
        Some(index) => list.index(index).fault(Fault::World(error)),
        None => At::ROOT.fault(Fault::World(error)),
    }
}
