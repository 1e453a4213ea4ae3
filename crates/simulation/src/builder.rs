//! From what a user says to a world that can be trusted.

use std::ops::Range;

use burgess_collision::broad_phase::Filter;
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{
    JointSpec, LinkId, LinkSpec, Model, ModelBuilder, State, Tendon, TendonPart, Workspace, update_kinematics,
};
use burgess_geometry::{MassProperties, Pose};
use glam::DVec3;

use crate::collider_spec::ColliderSpec;
use crate::constraint::{Anchor, Constraint, ConstraintKind};
use crate::material::{Material, MaterialId, Materials, Surface};
use crate::script::SharedScript;
use crate::world::{Collider, World};
use crate::world_error::WorldError;

#[derive(Debug, Clone)]
struct Placed {
    link: Option<LinkId>,
    spec: ColliderSpec,
}

/// A frame on a link (none: the world), in the link's own coordinates.
pub type Place = (Option<LinkId>, Pose);

/// A damped spring on a sum of positions (see [`Tendon`]).
#[derive(Debug, Clone, PartialEq)]
pub struct TendonSpec {
    /// Hinges and slides: the link whose joint it is, the axis from 0, and what its position is multiplied by.
    pub axes: Vec<(LinkId, usize, f64)>,
    /// In N/m, N m/rad or a mixture, as the coefficients make it.
    pub stiffness: f64,
    /// The like, times s.
    pub damping: f64,
    /// Shortest and longest length at which the spring is slack.
    pub rest: [f64; 2],
}

#[derive(Debug, Clone)]
enum Start {
    Pose(Pose),
    Velocity(Motion),
    Positions(Vec<f64>),
    JointVelocities(Vec<f64>),
}

/// Collects bodies, shapes, materials and constraints, then checks them.
///
/// ```
/// use burgess_geometry::shape::{Cuboid, HalfSpace};
/// use burgess_geometry::{Pose, Shape};
/// use burgess_simulation::{ColliderSpec, WorldBuilder};
/// use glam::DVec3;
///
/// let mut builder = WorldBuilder::new();
/// builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
/// let cube = Shape::Cuboid(Cuboid::new(DVec3::splat(0.5)).unwrap());
/// builder.body("cube", Pose::from_translation(DVec3::Z), [ColliderSpec::new(cube)]).unwrap();
/// let (world, state) = builder.build().unwrap();
/// assert_eq!(world.model().mass(), 1000.0);
/// assert_eq!(state.q[2], 1.0);
/// ```
#[derive(Debug, Clone)]
pub struct WorldBuilder {
    model: ModelBuilder,
    materials: Vec<Material>,
    surfaces: Vec<(MaterialId, MaterialId, Surface)>,
    colliders: Vec<Placed>,
    constraints: Vec<(ConstraintKind, Place, Place)>,
    tendons: Vec<TendonSpec>,
    scripts: Vec<(LinkId, SharedScript)>,
    starts: Vec<(LinkId, Start)>,
    exclusions: Vec<(LinkId, LinkId)>,
    collider_exclusions: Vec<(Range<usize>, Range<usize>)>,
    self_colliding: bool,
}

impl Default for WorldBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl WorldBuilder {
    /// An empty world: gravity of 9.81 m/s^2 along -z, one material with friction 0.5 and no restitution.
    pub fn new() -> Self {
        Self {
            model: ModelBuilder::new(),
            materials: vec![Material::default()],
            surfaces: Vec::new(),
            colliders: Vec::new(),
            constraints: Vec::new(),
            tendons: Vec::new(),
            scripts: Vec::new(),
            starts: Vec::new(),
            exclusions: Vec::new(),
            collider_exclusions: Vec::new(),
            self_colliding: true,
        }
    }

    /// Sets gravity, in m/s^2.
    pub fn gravity(&mut self, gravity: DVec3) -> &mut Self {
        self.model.gravity(gravity);
        self
    }

    /// Changes the first material, which everything has that is not given another.
    pub fn default_material(&mut self, material: Material) -> &mut Self {
        self.materials[0] = material;
        self
    }

    /// Adds a material.
    pub fn material(&mut self, material: Material) -> MaterialId {
        self.materials.push(material);
        MaterialId(self.materials.len() as u32 - 1)
    }

    /// Says how two materials meet, instead of what they make together by themselves.
    pub fn surface(&mut self, a: MaterialId, b: MaterialId, surface: Surface) -> &mut Self {
        self.surfaces.push((a, b, surface));
        self
    }

    /// Do links of one tree touch each other? They do unless told otherwise, but never the link that they hang on, unless that
    /// is welded to the world.
    pub fn self_collision(&mut self, allowed: bool) -> &mut Self {
        self.self_colliding = allowed;
        self
    }

    /// Adds a shape that stands still in the world.
    pub fn fixed(&mut self, collider: ColliderSpec) -> &mut Self {
        self.colliders.push(Placed { link: None, spec: collider });
        self
    }

    /// Adds a body that moves freely, with the mass of its shapes.
    pub fn body(
        &mut self,
        name: &str,
        pose: Pose,
        colliders: impl IntoIterator<Item = ColliderSpec>,
    ) -> Result<LinkId, WorldError> {
        let link = self.link(name, None, JointSpec::free(), None, colliders)?;
        self.starts.push((link, Start::Pose(pose)));
        Ok(link)
    }

    /// Adds a body whose motion is prescribed.
    pub fn scripted(
        &mut self,
        name: &str,
        script: SharedScript,
        colliders: impl IntoIterator<Item = ColliderSpec>,
    ) -> LinkId {
        // Its mass never matters.
        let mass = LinkSpec::new(name, 1.0, DVec3::ZERO, glam::DMat3::IDENTITY);
        let link = self.model.add_link(None, JointSpec::scripted(), mass);
        self.scripts.push((link, script));
        self.colliders.extend(colliders.into_iter().map(|spec| Placed { link: Some(link), spec }));
        link
    }

    /// Adds a link that hangs on another one (none: the world) by a joint, with the given mass or that of its shapes.
    pub fn link(
        &mut self,
        name: &str,
        parent: Option<LinkId>,
        joint: JointSpec,
        mass: Option<MassProperties>,
        colliders: impl IntoIterator<Item = ColliderSpec>,
    ) -> Result<LinkId, WorldError> {
        let colliders: Vec<_> = colliders.into_iter().collect();
        let mass = match mass {
            Some(mass) => mass,
            None => mass_of_shapes(name, &colliders)?,
        };
        let link = self.model.add_link(parent, joint, LinkSpec::from_mass_properties(name, &mass));
        self.colliders.extend(colliders.into_iter().map(|spec| Placed { link: Some(link), spec }));
        Ok(link)
    }

    /// Puts a free body somewhere.
    pub fn set_pose(&mut self, link: LinkId, pose: Pose) -> &mut Self {
        self.starts.push((link, Start::Pose(pose)));
        self
    }

    /// Gives a free body a velocity: angular (rad/s), and linear of its centre of mass (m/s).
    pub fn set_velocity(&mut self, link: LinkId, velocity: Motion) -> &mut Self {
        self.starts.push((link, Start::Velocity(velocity)));
        self
    }

    /// Sets the positions of a link's joint, in rad and m.
    pub fn set_positions(&mut self, link: LinkId, positions: &[f64]) -> &mut Self {
        self.starts.push((link, Start::Positions(positions.to_vec())));
        self
    }

    /// Sets the velocities of a link's joint, in rad/s and m/s.
    pub fn set_joint_velocities(&mut self, link: LinkId, velocities: &[f64]) -> &mut Self {
        self.starts.push((link, Start::JointVelocities(velocities.to_vec())));
        self
    }

    /// Ties two places together. The poses are in the links' own coordinates (none: the world).
    pub fn constraint(&mut self, kind: ConstraintKind, a: Place, b: Place) -> &mut Self {
        self.constraints.push((kind, a, b));
        self
    }

    /// Adds a damped spring over axes of joints (see [`Tendon`]).
    pub fn tendon(&mut self, tendon: TendonSpec) -> &mut Self {
        self.tendons.push(tendon);
        self
    }

    /// Lets two links pass through each other.
    pub fn exclude(&mut self, a: LinkId, b: LinkId) -> &mut Self {
        self.exclusions.push((a, b));
        self
    }

    /// Lets shapes pass through each other, by their numbers in the order in which they were added.
    pub fn exclude_colliders(&mut self, a: Range<usize>, b: Range<usize>) -> &mut Self {
        self.collider_exclusions.push((a, b));
        self
    }

    /// Checks everything. Returns the world and the state in which it starts.
    pub fn build(self) -> Result<(World, State), WorldError> {
        self.check_materials()?;
        let model = self.model.build()?;
        let (trees, tree_of_link) = World::find_trees(&model);
        let index = |id: LinkId, what: &str| {
            model.index(id).map_err(|_| WorldError::Unknown { what: what.to_string(), missing: "link" })
        };

        let mut state = State::new(&model);
        for (link, start) in &self.starts {
            set_start(&model, &mut state, index(*link, "a starting position")?, start)?;
        }
        let mut scripts = Vec::new();
        for (link, script) in self.scripts {
            scripts.push((index(link, "a script")?, script));
        }
        let mut exclusions = self.collider_exclusions;
        let known = |range: &Range<usize>| range.start <= range.end && range.end <= self.colliders.len();
        if !exclusions.iter().all(|(a, b)| known(a) && known(b)) {
            return Err(WorldError::Unknown { what: "an exclusion".to_string(), missing: "shape" });
        }
        for (a, b) in self.exclusions {
            index(a, "an exclusion")?;
            index(b, "an exclusion")?;
            exclusions.push((colliders_on(&self.colliders, a), colliders_on(&self.colliders, b)));
        }
        let mut constraints = Vec::new();
        for (kind, a, b) in self.constraints {
            let anchor = |(link, pose): Place| -> Result<Anchor, WorldError> {
                check_pose(&pose, || "an end of a constraint".to_string())?;
                let link = link.map(|link| index(link, "a constraint")).transpose()?;
                Ok(Anchor { link, pose })
            };
            let constraint = Constraint { kind, a: anchor(a)?, b: anchor(b)? };
            check_constraint(&model, &constraint)?;
            constraints.push(constraint);
        }
        let mut workspace = Workspace::new(&model);
        for (link, script) in &scripts {
            workspace.set_script(&model, *link, script.motion(state.time));
        }
        update_kinematics(&model, &state, &mut workspace);
        let mut colliders = Vec::new();
        for Placed { link, spec } in self.colliders {
            let link = link.map(|link| index(link, "a shape")).transpose()?;
            if spec.material.0 as usize >= self.materials.len() {
                return Err(WorldError::Unknown { what: "a shape".to_string(), missing: "material" });
            }
            check_pose(&spec.pose, || format!("a {}", spec.shape.kind()))?;
            WorldError::unless_positive("the density", spec.density)?;
            WorldError::unless_not_negative("the margin", spec.margin)?;
            let reach = match link {
                Some(link) => {
                    let anchor_in_link = model.links()[link].frame.translation;
                    spec.shape.bounding_radius(spec.pose.inverse_transform_point(anchor_in_link))
                }
                None => f64::INFINITY,
            };
            if let Some(link) = link.filter(|_| !reach.is_finite()) {
                let body = model.name(link).to_string();
                return Err(WorldError::Immovable { body, shape: spec.shape.kind() });
            }
            let place = World::place_in_tree(&model, &trees, &tree_of_link, link);
            let filter = Filter { group: spec.group, mask: spec.mask, link: place };
            colliders.push(Collider {
                link,
                shape: spec.shape,
                pose: spec.pose,
                material: spec.material,
                filter,
                reach,
                margin: spec.margin,
            });
        }
        let materials = Materials::new(self.materials, &self.surfaces);
        let self_colliding = self.self_colliding;
        let mut world = World {
            model,
            colliders,
            materials,
            constraints,
            tendons: Vec::new(),
            scripts,
            trees,
            tree_of_link,
            exclusions,
            self_colliding,
        };
        for spec in self.tendons {
            let tendon = build_tendon(&world, spec)?;
            world.tendons.push(tendon);
        }
        Ok((world, state))
    }

    fn check_materials(&self) -> Result<(), WorldError> {
        let known = |id: MaterialId| (id.0 as usize) < self.materials.len();
        if !self.surfaces.iter().all(|&(a, b, _)| known(a) && known(b)) {
            return Err(WorldError::Unknown { what: "a surface".to_string(), missing: "material" });
        }
        let special = self.surfaces.iter().map(|(_, _, surface)| surface);
        for material in self.materials.iter().chain(special) {
            let Material { friction, restitution, tangential_restitution } = *material;
            let ranges = [
                ("friction", friction, friction >= 0.0 && friction.is_finite(), "finite and not negative"),
                ("restitution", restitution, (0.0..=1.0).contains(&restitution), "from 0 to 1"),
                (
                    "tangential restitution",
                    tangential_restitution,
                    (-1.0..=1.0).contains(&tangential_restitution),
                    "from -1 to 1",
                ),
            ];
            for (what, found, fine, expected) in ranges {
                if !fine {
                    return Err(WorldError::OutOfRange { what: what.to_string(), expected, found });
                }
            }
        }
        Ok(())
    }
}

/// The shapes of a link: they were added together.
fn colliders_on(colliders: &[Placed], link: LinkId) -> Range<usize> {
    let own = |placed: &Placed| placed.link == Some(link);
    let start = colliders.iter().position(own).unwrap_or(colliders.len());
    start..start + colliders[start..].iter().take_while(|placed| own(placed)).count()
}

/// A finite position and a unit quaternion; rounding may have its way with the length.
fn check_pose(pose: &Pose, what: impl Fn() -> String) -> Result<(), WorldError> {
    let unit = (pose.rotation.length_squared() - 1.0).abs() < 1e-6;
    if pose.translation.is_finite() && unit { Ok(()) } else { Err(WorldError::Pose { what: what() }) }
}

fn check_constraint(model: &Model, constraint: &Constraint) -> Result<(), WorldError> {
    match constraint.kind {
        ConstraintKind::Pin | ConstraintKind::Hinge | ConstraintKind::Slide | ConstraintKind::Weld => {}
        ConstraintKind::Distance { length } => WorldError::unless_not_negative("the length of a distance", length)?,
        ConstraintKind::Rope { length } => WorldError::unless_not_negative("the length of a rope", length)?,
        ConstraintKind::Spring { length, stiffness, damping } => {
            WorldError::unless_not_negative("the length of a spring", length)?;
            WorldError::unless_not_negative("the stiffness of a spring", stiffness)?;
            WorldError::unless_not_negative("the damping of a spring", damping)?;
        }
    }
    match (constraint.a.link, constraint.b.link) {
        (None, None) => Err(WorldError::TiedToItself { place: "in the world".to_string() }),
        (Some(a), Some(b)) if a == b => Err(WorldError::TiedToItself { place: format!("on body '{}'", model.name(a)) }),
        _ => Ok(()),
    }
}

fn build_tendon(world: &World, spec: TendonSpec) -> Result<Tendon, WorldError> {
    let TendonSpec { axes, stiffness, damping, rest } = spec;
    WorldError::unless_not_negative("the stiffness of a tendon", stiffness)?;
    WorldError::unless_not_negative("the damping of a tendon", damping)?;
    WorldError::unless(rest[0].is_finite(), "the shortest rest of a tendon", "finite", rest[0])?;
    let is_longer = rest[1] >= rest[0] && rest[1].is_finite();
    WorldError::unless(is_longer, "the longest rest of a tendon", "finite and not below the shortest", rest[1])?;
    let unknown = |missing| WorldError::Unknown { what: "a tendon".to_string(), missing };
    let mut parts = Vec::with_capacity(axes.len());
    for (link, axis, coefficient) in axes {
        WorldError::unless(coefficient.is_finite(), "a coefficient of a tendon", "finite", coefficient)?;
        let link = world.index(link).ok_or_else(|| unknown("link"))?;
        let part = TendonPart::new(world.model(), link, axis, coefficient);
        parts.push(part.ok_or_else(|| unknown("hinge or slide"))?);
    }
    let tendon = Tendon { parts, stiffness, damping, rest };
    let [first, last] = world.trees_of_tendon(&tendon).map(|tree| tree.map(|tree| &world.trees()[tree].dofs));
    let is_there = |dof: usize| [&first, &last].into_iter().flatten().any(|dofs| dofs.contains(&dof));
    if !tendon.parts.iter().all(|part| is_there(part.dof)) {
        let why = "a tendon is over joints of more than two bodies that do not hang together; two is the most";
        return Err(WorldError::Impossible { why: why.to_string() });
    }
    Ok(tendon)
}

fn mass_of_shapes(name: &str, colliders: &[ColliderSpec]) -> Result<MassProperties, WorldError> {
    let mut parts = Vec::new();
    for collider in colliders {
        let own = collider.shape.mass_properties(collider.density);
        let own = own.map_err(|source| WorldError::Shape { body: name.to_string(), source })?;
        parts.push(own.transformed(&collider.pose));
    }
    MassProperties::combined(parts.into_iter()).ok_or(WorldError::NoMass { body: name.to_string() })
}

fn set_start(model: &Model, state: &mut State, index: usize, start: &Start) -> Result<(), WorldError> {
    let link = &model.links()[index];
    let next_q = model.links().get(index + 1).map_or(model.positions(), |next| next.q);
    let wrong =
        |what, expected, found| WorldError::StateLength { body: model.name(index).to_string(), what, expected, found };
    let finite = |what: &str, numbers: &[f64]| match numbers.iter().find(|number| !number.is_finite()) {
        Some(&found) => {
            let what = format!("the {what} of body '{}'", model.name(index));
            Err(WorldError::OutOfRange { what, expected: "finite", found })
        }
        None => Ok(()),
    };
    match start {
        Start::Pose(pose) => {
            check_pose(pose, || format!("body '{}'", model.name(index)))?;
            state.set_free_pose(model, index, pose);
        }
        Start::Velocity(velocity) => {
            finite("velocity", &[velocity.angular.to_array(), velocity.linear.to_array()].concat())?;
            state.set_free_velocity(model, index, *velocity);
        }
        Start::Positions(positions) => {
            let slot = &mut state.q[link.q..next_q];
            if slot.len() != positions.len() {
                return Err(wrong("positions", slot.len(), positions.len()));
            }
            finite("joint position", positions)?;
            slot.copy_from_slice(positions);
        }
        Start::JointVelocities(velocities) => {
            let slot = &mut state.v[link.v..link.v + link.dofs as usize];
            if slot.len() != velocities.len() {
                return Err(wrong("velocities", slot.len(), velocities.len()));
            }
            finite("joint velocity", velocities)?;
            slot.copy_from_slice(velocities);
        }
    }
    Ok(())
}
