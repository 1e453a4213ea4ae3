//! Builds a world and checks it.

use std::ops::Range;

use burgess_collision::broad_phase::Filter;
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{JointSpec, LinkId, LinkSpec, ModelBuilder, State, Workspace, update_kinematics};
use burgess_geometry::{MassProperties, Pose};
use glam::DVec3;

mod checks;
mod starts;
mod tendons;

use checks::{check_constraint, check_materials, check_pose};
use starts::{Start, set_start};
pub use tendons::TendonSpec;
use tendons::build_tendon;

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
    /// Creates an empty world: gravity of 9.81 m/s^2 along -z, one material with friction 0.5 and no restitution.
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

    /// Sets the default material.
    pub fn default_material(&mut self, material: Material) -> &mut Self {
        self.materials[0] = material;
        self
    }

    /// Adds a material.
    pub fn material(&mut self, material: Material) -> MaterialId {
        self.materials.push(material);
        MaterialId(self.materials.len() as u32 - 1)
    }

    /// Sets the combined properties of two materials, in place of the default rule.
    pub fn surface(&mut self, a: MaterialId, b: MaterialId, surface: Surface) -> &mut Self {
        self.surfaces.push((a, b, surface));
        self
    }

    /// Sets whether links of one tree touch each other (the default). A link never touches its parent, unless that is
    /// welded to the world.
    pub fn self_collision(&mut self, allowed: bool) -> &mut Self {
        self.self_colliding = allowed;
        self
    }

    /// Adds a fixed shape.
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

    /// Adds a link that a joint connects to its parent (none: the world), with the given mass or that of its shapes.
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

    /// Sets the initial pose of a free body.
    pub fn set_pose(&mut self, link: LinkId, pose: Pose) -> &mut Self {
        self.starts.push((link, Start::Pose(pose)));
        self
    }

    /// Sets the initial velocity of a free body: angular (rad/s), and linear of its centre of mass (m/s).
    pub fn set_velocity(&mut self, link: LinkId, velocity: Motion) -> &mut Self {
        self.starts.push((link, Start::Velocity(velocity)));
        self
    }

    /// Sets the initial positions of a link's joint, in rad and m.
    pub fn set_positions(&mut self, link: LinkId, positions: &[f64]) -> &mut Self {
        self.starts.push((link, Start::Positions(positions.to_vec())));
        self
    }

    /// Sets the initial velocities of a link's joint, in rad/s and m/s.
    pub fn set_joint_velocities(&mut self, link: LinkId, velocities: &[f64]) -> &mut Self {
        self.starts.push((link, Start::JointVelocities(velocities.to_vec())));
        self
    }

    /// Adds a constraint between two places. The poses are in the links' own coordinates (none: the world).
    pub fn constraint(&mut self, kind: ConstraintKind, a: Place, b: Place) -> &mut Self {
        self.constraints.push((kind, a, b));
        self
    }

    /// Adds a damped spring over axes of joints (see [`Tendon`](burgess_dynamics::Tendon)).
    pub fn tendon(&mut self, tendon: TendonSpec) -> &mut Self {
        self.tendons.push(tendon);
        self
    }

    /// Disables contacts between two links.
    pub fn exclude(&mut self, a: LinkId, b: LinkId) -> &mut Self {
        self.exclusions.push((a, b));
        self
    }

    /// Disables contacts between two ranges of shapes, numbered as they were added.
    pub fn exclude_colliders(&mut self, a: Range<usize>, b: Range<usize>) -> &mut Self {
        self.collider_exclusions.push((a, b));
        self
    }

    /// Checks everything. Returns the world and the state in which it starts.
    pub fn build(self) -> Result<(World, State), WorldError> {
        check_materials(&self.materials, &self.surfaces)?;
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
}

/// The range of shapes of a link, which were added together.
fn colliders_on(colliders: &[Placed], link: LinkId) -> Range<usize> {
    let own = |placed: &Placed| placed.link == Some(link);
    let start = colliders.iter().position(own).unwrap_or(colliders.len());
    start..start + colliders[start..].iter().take_while(|placed| own(placed)).count()
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
