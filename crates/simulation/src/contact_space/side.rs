//! The ends of contacts and rows.

use burgess_dynamics::Workspace;
use burgess_dynamics::spatial::{Force, Motion};
use glam::DVec3;

use crate::world::World;

/// The response of one degree of freedom between a link and its root to a unit impulse: along three axes (T is a
/// vector), or along a row (T is a number).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Column<T> {
    /// Degree of freedom.
    pub dof: u32,
    /// Component of the impulse at it, propagated inward.
    pub z: T,
    /// `z` divided by the joint's inertia.
    pub freed: T,
}

/// Returns the columns of two paths that belong to the same degrees of freedom. Paths that have met are equal up to the
/// root, which comes last.
#[inline]
pub(crate) fn common<'a, S, T>(
    a: &'a [Column<S>],
    b: &'a [Column<T>],
) -> impl Iterator<Item = (&'a Column<S>, &'a Column<T>)> {
    a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a.dof == b.dof)
}

/// Returns the common columns of two rows. A tendon spans several paths, so joints that only one of the two has are
/// skipped.
#[inline]
pub(crate) fn common_of_rows<'a, S, T>(
    a: &'a [Column<S>],
    b: &'a [Column<T>],
) -> impl Iterator<Item = (&'a Column<S>, &'a Column<T>)> {
    let (mut a, mut b) = (a.iter().rev().peekable(), b.iter().rev().peekable());
    std::iter::from_fn(move || {
        loop {
            let (first, second) = (*a.peek()?, *b.peek()?);
            match first.dof.cmp(&second.dof) {
                // Degrees of freedom ascend from the root outward, and a path contains all of those of a joint.
                std::cmp::Ordering::Less => a.next(),
                std::cmp::Ordering::Greater => {
                    b.next();
                    continue;
                }
                std::cmp::Ordering::Equal => return a.next().zip(b.next()),
            };
        }
    })
}

/// The range of the columns of an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.start == self.end
    }

    #[inline]
    pub(crate) fn of<'a, T>(&self, all: &'a [T]) -> &'a [T] {
        &all[self.start as usize..self.end as usize]
    }
}

/// One end of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Side {
    /// A free body. The impulse acts at a lever from its centre of mass.
    Body {
        /// Tree of the body.
        tree: u32,
        /// Lever from the centre of mass, in m.
        lever: DVec3,
    },
    /// A link of an articulated tree.
    Tree {
        /// The link.
        link: u32,
        /// Point of application, in the world.
        point: DVec3,
        /// Columns, outermost joint first.
        path: Span,
        /// Velocity of the point before any impulse, in m/s.
        start: DVec3,
    },
    /// A body that no impulse moves.
    Prescribed {
        /// Velocity of the contact point, in m/s.
        velocity: DVec3,
    },
}

/// One end of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowSide {
    /// No body.
    Nothing,
    /// A free body.
    Body {
        /// Tree of the body.
        tree: u32,
        /// Coefficients of the angular velocity.
        angular: DVec3,
        /// Coefficients of the velocity of the centre of mass.
        linear: DVec3,
    },
    /// An articulated tree.
    Tree {
        /// The tree.
        tree: u32,
        /// Description of the end.
        end: RowEnd,
        /// Columns, outermost joint first.
        path: Span,
        /// Velocity along the row before any impulse, in m/s or rad/s.
        start: f64,
    },
    /// A body that no impulse moves.
    Prescribed {
        /// Velocity along the row, in m/s or rad/s.
        velocity: f64,
    },
}

/// Description of one end of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowEnd {
    /// A force along `linear` at `point`, and a moment along `angular`, on a link; none for the world.
    Link {
        /// The link.
        link: Option<usize>,
        /// Point of application, in the world.
        point: DVec3,
        /// Direction of the moment.
        angular: DVec3,
        /// Direction of the force.
        linear: DVec3,
    },
    /// Efforts along up to three degrees of freedom of a joint.
    Joint {
        /// The link whose joint it is.
        link: usize,
        /// The first degree of freedom.
        dof: usize,
        /// Coefficient of each; zero beyond the joint's last.
        coefficients: DVec3,
    },
    /// Efforts along all joints of a tree that a tendon spans.
    Tendon {
        /// Index of the tendon in the world.
        tendon: usize,
        /// The tree.
        tree: usize,
    },
    /// No body.
    Nothing,
}

impl RowEnd {
    /// Calls `with(dof, factor)` for every degree of freedom that moves along this end: its part of the row of J.
    pub(crate) fn for_each_factor(&self, world: &World, workspace: &Workspace, mut with: impl FnMut(usize, f64)) {
        match *self {
            Self::Link { link: Some(link), point, .. } => {
                workspace.for_each_column(world.model(), link, point, |dof, motion| with(dof, self.along(&motion)));
            }
            Self::Joint { dof, coefficients, .. } => {
                let factors = coefficients.to_array().into_iter().enumerate();
                factors.filter(|(_, factor)| *factor != 0.0).for_each(|(k, factor)| with(dof + k, factor));
            }
            Self::Tendon { tendon, tree } => {
                for (dof, factor) in tendon_parts(world, tendon, tree) {
                    with(dof, factor);
                }
            }
            Self::Link { link: None, .. } | Self::Nothing => {}
        }
    }

    /// Returns the component along the row of a motion of the link's point.
    pub(crate) fn along(&self, motion: &Motion) -> f64 {
        match *self {
            Self::Link { angular, linear, .. } => motion.dot(&Force::new(angular, linear)),
            Self::Joint { .. } | Self::Tendon { .. } | Self::Nothing => 0.0,
        }
    }
}

/// Returns the degrees of freedom of a tree that a tendon spans, with their coefficients.
pub(crate) fn tendon_parts(world: &World, tendon: usize, tree: usize) -> impl Iterator<Item = (usize, f64)> {
    let dofs = world.trees()[tree].dofs.clone();
    let parts = world.tendons()[tendon].parts.iter().map(|part| (part.dof, part.coefficient));
    parts.filter(move |(dof, _)| dofs.contains(dof))
}
