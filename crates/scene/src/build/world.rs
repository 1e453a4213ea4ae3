//! Builds the world: bodies, constraints and materials.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{LinkId, ModelError};
use burgess_files::{At, Fault};
use burgess_geometry::{MassProperties, Pose};
use burgess_simulation::{ColliderSpec, MaterialId, Place, WorldBuilder, WorldError};
use glam::{DMat3, DVec3};

use super::built::{BuiltBody, BuiltScene};
use super::drag::build_drag;
use super::fusion::{Fusion, standing_pose};
use super::mass::mass_of;
use crate::actuator::{Actuators, Drives};
use crate::check::{check_names, check_values};
use crate::constraint::build_constraint;
use crate::error::{FieldError, SceneError, SceneFault, without_file};
use crate::joint::{BuiltJoint, build_joint};
use crate::script::build_script;
use crate::sensor::build_sensors;
use crate::shape::ShapeMaker;
use crate::spec::{AnchorSpec, BodySpec, JointKind, JointSpec, SceneSpec};
use crate::tendon::build_tendon;

impl SceneSpec {
    /// Builds the world. Mesh files are relative to `folder`. Scenes with includes must be read from a file.
    pub fn build(&self, folder: impl AsRef<Path>) -> Result<BuiltScene, SceneError> {
        build(self, folder.as_ref()).map_err(without_file)
    }
}

pub(crate) fn build(scene: &SceneSpec, folder: &Path) -> Result<BuiltScene, FieldError> {
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
    fusion: Fusion,
    /// Bodies that must be links even if they are fixed, because they have children.
    needed_links: BTreeSet<usize>,
    built: Vec<Option<BuiltBody>>,
    colliders: usize,
}

/// Shapes and masses of the bodies of one link, in the frame of that link.
struct Parts {
    colliders: Vec<ColliderSpec>,
    /// Number of shapes and mass of each body.
    bodies: Vec<(usize, Option<MassProperties>)>,
}

impl Parts {
    fn mass(&self) -> Option<MassProperties> {
        match &self.bodies[..] {
            [(_, mass)] => *mass,
            all => MassProperties::combined(all.iter().filter_map(|(_, mass)| *mass)),
        }
    }

    /// Vector from the centre of mass of the first body to that of all bodies, in m.
    fn center_offset(&self) -> DVec3 {
        let first = self.bodies[0].1.map_or(DVec3::ZERO, |first| first.center_of_mass);
        self.mass().map_or(DVec3::ZERO, |all| all.center_of_mass - first)
    }
}

impl<'a> Assembly<'a> {
    fn new(scene: &'a SceneSpec, folder: &'a Path) -> Self {
        let bodies = scene.bodies.iter();
        let index_by_name: BTreeMap<_, _> =
            bodies.clone().enumerate().map(|(index, body)| (body.name.as_str(), index)).collect();
        let fusion = Fusion::new(scene, &index_by_name);
        let hanging = |index: &usize| fusion.carrier(*index) == *index;
        let parents = (0..scene.bodies.len()).filter(hanging).filter_map(|index| parent_of(&scene.bodies[index]));
        let needed_links = parents.map(|parent| fusion.carrier(index_by_name[parent])).collect();
        Self {
            scene,
            folder,
            builder: WorldBuilder::new(),
            shapes: ShapeMaker::new(folder),
            materials: BTreeMap::new(),
            index_by_name,
            drives: Drives::new(scene),
            fusion,
            needed_links,
            built: vec![None; scene.bodies.len()],
            colliders: 0,
        }
    }

    fn assemble(mut self) -> Result<BuiltScene, FieldError> {
        let scene = self.scene;
        self.builder.gravity(scene.gravity).self_collision(scene.self_collision);
        self.add_materials();
        for index in 0..scene.bodies.len() {
            self.add_with_parents(index)?;
        }
        for tie in &scene.constraints {
            let kind = build_constraint(&tie.kind);
            let (a, b) = (self.place(&tie.a), self.place(&tie.b));
            self.builder.constraint(kind, a, b);
        }
        for tendon in &scene.tendons {
            let made = build_tendon(tendon, |name| self.body(name)?.link);
            self.builder.tendon(made);
        }
        for [a, b] in &scene.exclusions {
            if let (Some(a), Some(b)) = (self.body(a), self.body(b)) {
                self.builder.exclude_colliders(a.colliders.clone(), b.colliders.clone());
            }
        }
        let bodies: Vec<BuiltBody> = self.built.into_iter().flatten().collect();
        let (world, state) = self.builder.build().map_err(|error| at_body(scene, error))?;
        let drag = scene.fluid.as_ref().map(|fluid| build_drag(fluid, &world, &bodies));
        let link = |name: &str| world.index(bodies[*self.index_by_name.get(name)?].link?);
        let actuators = scene.actuators.iter().filter_map(|actuator| Some((link(&actuator.joint)?, actuator)));
        let actuators = Actuators::new(world.model(), actuators);
        let sensors = build_sensors(scene, &world, &bodies, &self.index_by_name, &actuators)?;
        Ok(BuiltScene { world, state, bodies, drag, actuators, sensors })
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

    /// Adds parents before their children; a file may have them in any order.
    fn add_with_parents(&mut self, index: usize) -> Result<(), FieldError> {
        let mut chain = vec![self.fusion.carrier(index)];
        while let Some(&last) = chain.last() {
            let parent = parent_of(&self.scene.bodies[last]).map(|parent| self.index_by_name[parent]);
            match parent.filter(|&parent| self.built[parent].is_none()) {
                Some(parent) => chain.push(self.fusion.carrier(parent)),
                None => {
                    if self.built[last].is_none() {
                        self.add(last)?;
                    }
                    chain.pop();
                }
            }
        }
        Ok(())
    }

    /// Adds a body and the bodies welded to it.
    fn add(&mut self, carrier: usize) -> Result<(), FieldError> {
        let body = &self.scene.bodies[carrier];
        let standing = standing_pose(body);
        let floats = body.joint.as_ref().is_none_or(|joint| matches!(joint.kind, JointKind::Free(_)));
        let start = standing.or_else(|| floats.then(|| body.pose()));
        let parts = self.parts(carrier, standing.is_none() && body.script.is_none())?;
        let masses = parts.bodies.clone();
        let link = match standing {
            Some(pose) if !self.needed_links.contains(&carrier) => {
                for collider in parts.colliders {
                    let placed = pose.compose(&collider.pose);
                    self.builder.fixed(collider.at(placed));
                }
                None
            }
            _ => Some(self.add_link(carrier, standing, parts)?),
        };
        let fusion = &self.fusion;
        for (&index, (shapes, mass)) in fusion.members(carrier).iter().zip(masses) {
            let in_carrier = fusion.in_carrier(index);
            let colliders = self.colliders..self.colliders + shapes;
            self.colliders = colliders.end;
            let in_link = if link.is_some() { in_carrier } else { Pose::IDENTITY };
            let pose = start.map_or(Pose::IDENTITY, |start| start.compose(&in_carrier));
            self.built[index] = Some(BuiltBody { link, in_link, pose, mass, colliders });
        }
        Ok(())
    }

    fn add_link(&mut self, carrier: usize, standing: Option<Pose>, parts: Parts) -> Result<LinkId, FieldError> {
        let body = &self.scene.bodies[carrier];
        let list = At::ROOT.field("bodies");
        let at = list.index(carrier);
        let refuse = |error| at.fault(SceneFault::World(error));
        if let Some(script) = &body.script {
            return Ok(self.builder.scripted(
                &body.name,
                build_script(at.field("script"), script, body.pose())?,
                parts.colliders,
            ));
        }
        if let Some(pose) = standing {
            // Its mass has no effect.
            let mass = MassProperties { mass: 1.0, center_of_mass: DVec3::ZERO, inertia: DMat3::IDENTITY };
            let joint = burgess_dynamics::JointSpec::weld().in_parent(pose);
            return self.builder.link(&body.name, None, joint, Some(mass), parts.colliders).map_err(refuse);
        }
        match &body.joint {
            None => self.add_free(body, burgess_dynamics::JointSpec::free(), parts).map_err(refuse),
            Some(joint) if matches!(joint.kind, JointKind::Free(_)) => {
                self.add_free(body, self.joint(body, joint).joint, parts).map_err(refuse)
            }
            Some(joint) => {
                let parent = joint.parent.as_deref().and_then(|parent| self.body(parent));
                let (parent, frame) = parent.map_or((None, Pose::IDENTITY), BuiltBody::place);
                let built = self.joint(body, joint);
                let hung = built.joint.in_parent(frame.compose(&joint.in_parent.pose()));
                let mass = parts.mass();
                let link = self.builder.link(&body.name, parent, hung, mass, parts.colliders).map_err(refuse)?;
                self.builder.set_positions(link, &built.positions);
                self.builder.set_joint_velocities(link, &built.velocities);
                Ok(link)
            }
        }
    }

    /// Builds a joint with the motors of its actuators.
    fn joint(&self, body: &BodySpec, joint: &JointSpec) -> BuiltJoint {
        let mut built = build_joint(joint);
        self.drives.put_on(&body.name, &mut built.joint);
        built
    }

    fn add_free(
        &mut self,
        body: &BodySpec,
        joint: burgess_dynamics::JointSpec,
        parts: Parts,
    ) -> Result<LinkId, WorldError> {
        let (mass, pose) = (parts.mass(), body.pose());
        // The given velocity is that of the body's own centre of mass; the link needs that of all its bodies.
        let offset = pose.transform_vector(parts.center_offset());
        let velocity = body.velocity + body.angular_velocity.cross(offset);
        let link = self.builder.link(&body.name, None, joint, mass, parts.colliders)?;
        self.builder.set_pose(link, pose);
        self.builder.set_velocity(link, Motion::new(body.angular_velocity, velocity));
        Ok(link)
    }

    /// Shapes of a body and of the bodies welded to it, and their masses if they are needed.
    fn parts(&mut self, carrier: usize, has_mass: bool) -> Result<Parts, FieldError> {
        let list = At::ROOT.field("bodies");
        let mut parts = Parts { colliders: Vec::new(), bodies: Vec::new() };
        for place in 0..self.fusion.members(carrier).len() {
            let index = self.fusion.members(carrier)[place];
            let (at, body, pose) = (list.index(index), &self.scene.bodies[index], self.fusion.in_carrier(index));
            self.check_display(at, body)?;
            let mut colliders = self.colliders_of(at, body)?;
            let mut mass = if has_mass { mass_of(at, body, &colliders)? } else { None };
            if index != carrier {
                mass = mass.map(|mass| mass.transformed(&pose));
                colliders.iter_mut().for_each(|collider| collider.pose = pose.compose(&collider.pose));
            }
            parts.bodies.push((colliders.len(), mass));
            parts.colliders.extend(colliders);
        }
        Ok(parts)
    }

    fn check_display(&self, at: At, body: &BodySpec) -> Result<(), FieldError> {
        let Some(file) = &body.display_mesh else { return Ok(()) };
        let file = self.folder.join(file);
        if file.is_file() {
            return Ok(());
        }
        let fault = SceneFault::MeshFile(format!("there is no file '{}'", file.display()));
        Err(at.field("display_mesh").fault(fault))
    }

    fn colliders_of(&mut self, at: At, body: &BodySpec) -> Result<Vec<ColliderSpec>, FieldError> {
        let list = at.field("shapes");
        let mut colliders = Vec::with_capacity(body.shapes.len());
        for (index, spec) in body.shapes.iter().enumerate() {
            let shape = self.shapes.make(list.index(index), &spec.kind)?;
            let mut collider = ColliderSpec::new(shape);
            collider.pose = crate::spec::PoseSpec { position: spec.position, orientation: spec.orientation }.pose();
            collider.material = self.materials[spec.material.as_deref().unwrap_or("default")];
            (collider.density, collider.group, collider.mask) = (spec.density, spec.group, spec.mask);
            collider.margin = spec.margin;
            colliders.push(collider);
        }
        Ok(colliders)
    }

    fn body(&self, name: &str) -> Option<&BuiltBody> {
        self.built[*self.index_by_name.get(name)?].as_ref()
    }

    fn place(&self, anchor: &AnchorSpec) -> Place {
        let body = anchor.body.as_deref().and_then(|name| self.body(name));
        let (link, frame) = body.map_or((None, Pose::IDENTITY), BuiltBody::place);
        (link, frame.compose(&anchor.pose()))
    }
}

fn parent_of(body: &BodySpec) -> Option<&str> {
    body.joint.as_ref()?.parent.as_deref()
}

/// Points an error of the simulator at the body that it names.
fn at_body(scene: &SceneSpec, error: WorldError) -> FieldError {
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
        Some(index) => list.index(index).fault(SceneFault::World(error)),
        None => At::ROOT.fault(SceneFault::World(error)),
    }
}
