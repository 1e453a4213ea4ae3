//! Marks on the time axis of a session: edits, collisions after a time without any, falls of the subject, faults.

use serde::Serialize;

use super::edit::RecordedEdit;

/// Maximum number of marks of one kind. The latest are kept.
const MAX_MARKS: usize = 300;
/// Time without collisions after which a collision is marked, in s. Shorter pauses would fill the axis.
const QUIET_TIME: f64 = 0.25;
/// The subject falls when its height is below this fraction of that at the start.
const FALLEN: f64 = 0.5;
/// It can fall again when its height is above this fraction.
const UPRIGHT: f64 = 0.75;
/// Edits of the same kind are one mark if fewer seconds lie between them.
const EDIT_GAP: f64 = 0.25;

/// The kind of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum MarkKind {
    /// An edit of a viewer.
    Edit,
    /// A collision after a quarter of a second without any.
    Contact,
    /// The subject that the camera follows fell below half of its height at the start.
    Fall,
    /// The simulation failed.
    Fault,
}

/// A mark on the time axis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Mark {
    /// Number of steps from the start.
    pub step: u64,
    /// Kind of the mark.
    pub kind: MarkKind,
    /// The command of an edit, or the reason of a fault; empty otherwise.
    pub text: String,
}

/// The marks of a session that are not edits.
#[derive(Debug, Default)]
pub struct Marks {
    found: Vec<Mark>,
    /// Steps with collisions are known until this one.
    seen: u64,
    last_collision: Option<(u64, f64)>,
    start_height: Option<f64>,
    fallen: bool,
    /// Number that changes with the marks.
    pub version: u64,
}

impl Marks {
    /// Removes all marks.
    pub fn clear(&mut self) {
        *self = Self { version: self.version + 1, ..Self::default() };
    }

    /// Records the collisions of a step at a time (s). Steps that are known are ignored.
    pub fn collisions(&mut self, step: u64, time: f64, count: usize) {
        if step <= self.seen {
            return;
        }
        self.seen = step;
        if count == 0 {
            return;
        }
        if self.last_collision.is_none_or(|(_, last)| time - last >= QUIET_TIME) {
            self.add(step, MarkKind::Contact, String::new());
        }
        self.last_collision = Some((step, time));
    }

    /// Records the height of the subject (m) at a step.
    pub fn height(&mut self, step: u64, height: f64) {
        let start = *self.start_height.get_or_insert(height);
        if start <= 0.0 {
            return;
        }
        if !self.fallen && height < FALLEN * start {
            self.fallen = true;
            self.add(step, MarkKind::Fall, String::new());
        } else if self.fallen && height > UPRIGHT * start {
            self.fallen = false;
        }
    }

    /// Records a fault at a step.
    pub fn fault(&mut self, step: u64, why: &str) {
        if !self.found.iter().any(|mark| mark.kind == MarkKind::Fault && mark.step == step) {
            self.add(step, MarkKind::Fault, why.to_string());
        }
    }

    fn add(&mut self, step: u64, kind: MarkKind, text: String) {
        self.version += 1;
        self.found.push(Mark { step, kind, text });
        if self.found.iter().filter(|mark| mark.kind == kind).count() > MAX_MARKS
            && let Some(first) = self.found.iter().position(|mark| mark.kind == kind)
        {
            self.found.remove(first);
        }
    }

    /// Drops all marks after a step, because an edit was made there.
    pub fn truncate(&mut self, step: u64) {
        self.version += 1;
        self.found.retain(|mark| mark.step <= step && mark.kind != MarkKind::Fault);
        self.seen = self.seen.min(step);
        if self.last_collision.is_some_and(|(at, _)| at > step) {
            self.last_collision = None;
        }
        // The subject may be up again; if it is not, its fall is known.
        self.fallen = self.found.iter().any(|mark| mark.kind == MarkKind::Fall) && self.fallen;
    }

    /// All marks in the order of their steps. `step_length` is in s.
    pub fn all(&self, edits: &[RecordedEdit], step_length: f64) -> Vec<Mark> {
        let mut marks: Vec<Mark> = Vec::new();
        let gap = (EDIT_GAP / step_length) as u64;
        // Steps of the last edit of each kind.
        let mut last: Vec<(&str, u64)> = Vec::new();
        for recorded in edits {
            let Some(label) = recorded.edit.label() else { continue };
            let known = last.iter_mut().find(|(other, _)| *other == label);
            let is_new = known.as_ref().is_none_or(|(_, step)| recorded.step > step.saturating_add(gap));
            match known {
                Some((_, step)) => *step = recorded.step,
                None => last.push((label, recorded.step)),
            }
            if is_new {
                marks.push(Mark { step: recorded.step, kind: MarkKind::Edit, text: label.to_string() });
            }
        }
        let surplus = marks.len().saturating_sub(MAX_MARKS);
        marks.drain(..surplus);
        marks.extend(self.found.iter().cloned());
        marks.sort_by_key(|mark| mark.step);
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::edit::Edit;

    fn steps(marks: &Marks, kind: MarkKind) -> Vec<u64> {
        marks.all(&[], 0.01).iter().filter(|mark| mark.kind == kind).map(|mark| mark.step).collect()
    }

    #[test]
    fn collisions_are_marked_after_a_pause() {
        let mut marks = Marks::default();
        for step in 1..=300 {
            let collides = [10, 11, 30, 80, 200, 224, 260].contains(&step);
            marks.collisions(step, step as f64 * 0.01, usize::from(collides));
        }
        assert_eq!(steps(&marks, MarkKind::Contact), [10, 80, 200, 260]);
        // Steps that are simulated again add nothing.
        marks.collisions(10, 0.1, 1);
        marks.truncate(100);
        assert_eq!(steps(&marks, MarkKind::Contact), [10, 80]);
        marks.collisions(101, 1.01, 1);
        assert_eq!(steps(&marks, MarkKind::Contact), [10, 80, 101]);
    }

    #[test]
    fn a_subject_that_lies_falls_once() {
        let mut marks = Marks::default();
        for (step, height) in [1.0, 0.8, 0.49, 0.2, 0.6, 0.4, 0.9, 0.3].into_iter().enumerate() {
            marks.height(step as u64, height);
        }
        assert_eq!(steps(&marks, MarkKind::Fall), [2, 7]);
    }

    #[test]
    fn a_long_edit_is_one_mark() {
        let control = |step| RecordedEdit { step, edit: Edit::Control { actuator: 0, control: Some(0.0) } };
        let edits = [control(1), control(10), control(30), control(200)];
        let marks = Marks::default().all(&edits, 0.01);
        assert_eq!(marks.iter().map(|mark| mark.step).collect::<Vec<_>>(), [1, 200]);
    }

    #[test]
    fn the_number_of_marks_is_bounded() {
        let mut marks = Marks::default();
        (1..=1000).for_each(|step| marks.collisions(step, step as f64, 1));
        assert_eq!(steps(&marks, MarkKind::Contact).len(), MAX_MARKS);
        assert_eq!(steps(&marks, MarkKind::Contact).last(), Some(&1000));
    }
}
