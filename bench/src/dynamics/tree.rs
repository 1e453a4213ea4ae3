//! A tree of links as numbers, from which each library builds its own model.

use anyhow::{Result, bail};
use burgess_dynamics::{JointSpec, LinkSpec, Model, ModelBuilder};
use burgess_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::motion::random_unit_vector;

/// The joint of a link to its parent, in the frame that both share at position zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Joint {
    /// Six degrees of freedom; at position zero the frame is that of the world.
    Free,
    /// A hinge about coordinate axis 0, 1 or 2.
    Hinge(usize),
}

impl Joint {
    /// Returns the numbers of positions and degrees of freedom.
    pub fn sizes(self) -> (usize, usize) {
        match self {
            Self::Free => (7, 6),
            Self::Hinge(_) => (1, 1),
        }
    }
}

/// A link in its joint frame.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// Index of the parent, which comes before the link; `None` for the world.
    pub parent: Option<usize>,
    pub joint: Joint,
    /// Joint frame in the parent.
    pub rotation: DMat3,
    pub translation: DVec3,
    /// Mass, in kg.
    pub mass: f64,
    /// Centre of mass, in m.
    pub center_of_mass: DVec3,
    /// Inertia about the centre of mass, in kg m^2.
    pub inertia: DMat3,
}

/// Links in depth-first order, which both libraries keep.
#[derive(Debug, Clone)]
pub struct Tree(pub Vec<Link>);

impl Tree {
    /// Creates a floating trunk with four legs of two hinges, both about y, at hip and knee.
    pub fn quadruped() -> Self {
        let trunk = Link {
            parent: None,
            joint: Joint::Free,
            rotation: DMat3::IDENTITY,
            translation: DVec3::ZERO,
            mass: 6.0,
            center_of_mass: DVec3::new(0.01, 0.0, 0.02),
            inertia: DMat3::from_diagonal(DVec3::new(0.025, 0.07, 0.08)),
        };
        let segment = |parent, joint, translation, mass| Link {
            parent: Some(parent),
            joint,
            rotation: DMat3::IDENTITY,
            translation,
            mass,
            center_of_mass: DVec3::new(0.0, 0.0, -0.1),
            inertia: DMat3::from_diagonal(DVec3::new(0.004, 0.004, 0.0005)),
        };
        let mut links = vec![trunk];
        for (front, left) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let hip = DVec3::new(0.2 * front, 0.1 * left, 0.0);
            links.push(segment(0, Joint::Hinge(1), hip, 0.8));
            links.push(segment(links.len() - 1, Joint::Hinge(1), DVec3::new(0.0, 0.0, -0.2), 0.3));
        }
        Self(links)
    }

    /// Creates a chain of hinges in random directions, starting from the world.
    pub fn chain(links: usize) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(0xc4a1);
        let link = |index: usize| Link {
            parent: index.checked_sub(1),
            joint: Joint::Hinge(index % 3),
            rotation: DMat3::from_quat(DQuat::from_rotation_arc(DVec3::Z, random_unit_vector(&mut random))),
            translation: random_unit_vector(&mut random) * 0.3,
            mass: random.random_range(0.5..1.5),
            center_of_mass: random_unit_vector(&mut random) * 0.1,
            inertia: DMat3::from_diagonal(DVec3::from_array(core::array::from_fn(|_| random.random_range(0.02..0.03)))),
        };
        Self((0..links).map(link).collect())
    }

    /// Returns the numbers of positions and degrees of freedom.
    pub fn sizes(&self) -> (usize, usize) {
        let sizes = self.0.iter().map(|link| link.joint.sizes());
        sizes.fold((0, 0), |sum, link| (sum.0 + link.0, sum.1 + link.1))
    }

    /// Builds the tree in Burgess.
    pub fn model(&self) -> Result<Model> {
        let mut builder = ModelBuilder::new();
        let mut ids = Vec::with_capacity(self.0.len());
        for (index, link) in self.0.iter().enumerate() {
            let frame = Pose::new(DQuat::from_mat3(&link.rotation).normalize(), link.translation);
            let joint = match link.joint {
                Joint::Free => JointSpec::free().in_parent(frame),
                Joint::Hinge(axis) => JointSpec::revolute(DVec3::AXES[axis]).in_parent(frame),
            };
            let spec = LinkSpec::new(&format!("link {index}"), link.mass, link.center_of_mass, link.inertia);
            ids.push(builder.add_link(link.parent.map(|parent| ids[parent]), joint, spec));
        }
        let model = builder.build()?;
        for (index, id) in ids.into_iter().enumerate() {
            if model.index(id)? != index {
                bail!("link {index} is not in depth-first order");
            }
        }
        Ok(model)
    }

    /// Describes the tree: degrees of freedom and joints by kind.
    pub fn composition(&self) -> String {
        let hinges = |axis| self.0.iter().filter(|link| link.joint == Joint::Hinge(axis)).count();
        let free = self.0.iter().filter(|link| link.joint == Joint::Free).count();
        let [x, y, z] = [hinges(0), hinges(1), hinges(2)];
        format!("{} degrees of freedom: {free} free, hinges about x {x}, y {y}, z {z}", self.sizes().1)
    }
}
