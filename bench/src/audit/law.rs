//! Laws of single worlds: motion in closed form, rest, and symmetry.

use std::fmt;
use std::sync::Arc;

use burgess_paradigms::Paradigm;
use burgess_simulation::Simulation;
use glam::DVec3;

/// Largest error of motion as a share of the distance travelled, per second of step: 2 % at 1/240 s.
pub const MOTION_PER_STEP: f64 = 0.02 * 240.0;

/// Returns the error after a step; none where it is not known. The workspace is at the present state.
pub type Check = Box<dyn FnMut(&mut Simulation) -> Option<f64>>;

/// Largest error: a fixed part, and a part in proportion to the step.
#[derive(Debug, Clone, Copy)]
pub struct Bound {
    /// The fixed part.
    pub fixed: f64,
    /// The part per second of step.
    pub per_step: f64,
}

impl Bound {
    /// Creates a bound for all steps.
    pub fn fixed(fixed: f64) -> Self {
        Self { fixed, per_step: 0.0 }
    }

    /// Creates the bound of errors of motion.
    pub fn of_motion() -> Self {
        Self { fixed: 0.0, per_step: MOTION_PER_STEP }
    }

    /// Returns the bound at a step in s.
    pub fn at(self, step: f64) -> f64 {
        self.fixed + self.per_step * step
    }
}

/// A law of one world.
#[derive(Clone)]
pub struct Law {
    /// Name in tables.
    pub name: &'static str,
    /// Largest error.
    pub bound: Bound,
    /// Whether the error is one of motion.
    pub is_motion: bool,
    /// Creates the check of a run by a paradigm with a step in s.
    start: Arc<dyn Fn(Paradigm, f64) -> Check + Send + Sync>,
}

impl fmt::Debug for Law {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Law").field("name", &self.name).field("bound", &self.bound).finish_non_exhaustive()
    }
}

/// A point of a link: the index of the link, and the point in its own coordinates, in m.
pub type Point = (usize, DVec3);

impl Law {
    /// Creates a law about motion.
    pub fn new(
        name: &'static str,
        bound: Bound,
        start: impl Fn(Paradigm, f64) -> Check + Send + Sync + 'static,
    ) -> Self {
        Self { name, bound, is_motion: true, start: Arc::new(start) }
    }

    /// Creates a law whose error depends only on the present state.
    pub fn of_state(
        name: &'static str,
        bound: Bound,
        error: impl Fn(&Simulation) -> Option<f64> + Send + Sync + 'static,
    ) -> Self {
        let error = Arc::new(error);
        Self::new(name, bound, move |_, _| {
            let error = error.clone();
            Box::new(move |simulation| error(simulation))
        })
    }

    /// Creates the law that points move in a known way: `course` returns their places (m) at a time (s), or none where
    /// they are not known. The error is the largest distance from there, as a share of `size` (m) and of the distance
    /// that the point should have travelled.
    pub fn course(
        points: Vec<Point>,
        size: f64,
        course: impl Fn(f64) -> Option<Vec<DVec3>> + Send + Sync + 'static,
    ) -> Self {
        let course = Arc::new(course);
        Self::new("motion", Bound::of_motion(), move |_, _| {
            let (points, course) = (points.clone(), course.clone());
            let mut before = course(0.0);
            let mut ways = vec![size; points.len()];
            Box::new(move |simulation| {
                let now = course(simulation.state().time)?;
                if let Some(before) = &before {
                    for (way, (a, b)) in ways.iter_mut().zip(now.iter().zip(before)) {
                        *way += (*a - *b).length();
                    }
                }
                let errors = points.iter().zip(&now).zip(&ways);
                let error =
                    largest(errors.map(|((point, exact), way)| (place(simulation, *point) - *exact).length() / way));
                before = Some(now);
                Some(error)
            })
        })
    }

    /// Creates the law that nothing moves: points stay within a share of `size` (m) of given places.
    pub fn rest(points: Vec<(Point, DVec3)>, size: f64, share: f64) -> Self {
        Self::of_state("holds", Bound::fixed(share), move |simulation| {
            Some(largest(points.iter().map(|(point, start)| (place(simulation, *point) - *start).length() / size)))
        })
    }

    /// Returns the check of a run by a paradigm with a step in s.
    pub fn start(&self, paradigm: Paradigm, step: f64) -> Check {
        (self.start)(paradigm, step)
    }
}

/// Returns the place of a point in the world, in m. The workspace must be at the present state.
pub fn place(simulation: &Simulation, (link, point): Point) -> DVec3 {
    simulation.data().workspace.position(simulation.world().model(), link, point)
}

/// Returns the largest of some numbers; NaN if there is one.
pub fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |a: f64, b| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) })
}
