//! The ends of contacts and rows.

use burgess_dynamics::Workspace;
use burgess_dynamics::spatial::{Force, Motion};
use glam::DVec3;

use crate::world::World;

/// How one degree of freedom between a link and its root gives way to a unit impulse: along three axes (T is a vector),
/// or along a row (T is a number).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Column<T> {
    /// The degree of freedom.
    pub dof: u32,
    /// What the impulse leaves at it on the way inward.
    pub z: T,
    /// The same over its inertia.
    pub freed: T,
}

/// The columns of two paths that are of the same degrees of freedom. Paths that have met stay together up to the root,
/// which comes last.
#[inline]
pub(crate) fn common<'a, S, T>(
    a: &'a [Column<S>],
    b: &'a [Column<T>],
) -> impl Iterator<Item = (&'a Column<S>, &'a Column<T>)> {
    a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a.dof == b.dof)
}

/// The same for the columns of a tendon, which runs over several paths: joints that only one of the two has are passed
/// over.
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
                // From the root outward degrees of freedom of joints ascend, and a joint is there with all of them.
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

/// Where the columns of an end are.
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
    /// A free body, hit at a lever from its centre of mass.
    Body {
        /// Its tree.
        tree: u32,
        /// Lever from the centre of mass, in m.
        lever: DVec3,
    },
    /// A link of a larger tree.
    Tree {
        /// The link.
        link: u32,
        /// Where it is hit, in the world.
        point: DVec3,
        /// Its columns, outermost joint first.
        path: Span,
        /// Velocity of the point before any impulse, in m/s.
        start: DVec3,
    },
    /// Something that no impulse moves.
    Prescribed {
        /// Velocity of its point, in m/s.
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
        /// Its tree.
        tree: u32,
        /// What multiplies the angular velocity.
        angular: DVec3,
        /// What multiplies the velocity of the centre of mass.
        linear: DVec3,
    },
    /// A larger tree.
    Tree {
        /// The tree.
        tree: u32,
        /// As it was described.
        end: RowEnd,
        /// Its columns, outermost joint first.
        path: Span,
        /// Velocity along the row before any impulse, in m/s or rad/s.
        start: f64,
    },
    /// Something that no impulse moves.
    Prescribed {
        /// Velocity along the row, in m/s or rad/s.
        velocity: f64,
    },
}

/// One end of a row, as a caller describes it.
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
        /// What multiplies each; zeros beyond the joint's last.
        coefficients: DVec3,
    },
    /// Efforts along all joints of a tree that a tendon runs over.
    Tendon {
        /// Its place in the world.
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

    /// A motion of the link's point along the row.
    pub(crate) fn along(&self, motion: &Motion) -> f64 {
        match *self {
            Self::Link { angular, linear, .. } => motion.dot(&Force::new(angular, linear)),
            Self::Joint { .. } | Self::Tendon { .. } | Self::Nothing => 0.0,
        }
    }
}

/// The degrees of freedom of a tree that a tendon runs over, with their coefficients.
pub(crate) fn tendon_parts(world: &World, tendon: usize, tree: usize) -> impl Iterator<Item = (usize, f64)> {
    let dofs = world.trees()[tree].dofs.clone();
    let parts = world.tendons()[tendon].parts.iter().map(|part| (part.dof, part.coefficient));
    parts.filter(move |(dof, _)| dofs.contains(dof))
}
