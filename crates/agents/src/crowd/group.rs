//! A crowd: walkers on a floor, and one step of time.

use glam::DVec2;

use super::decision::stand;
use super::field::{FieldGrid, FloorField};
use super::floor::Floor;
use super::neighbours::Neighbours;
use super::pace::COUNT_RADIUS;
use super::settings::CrowdSettings;
use super::view::{Goal, Mover, Near, View};
use super::walker::{Activity, Walker};

/// Distance of a point goal at which a walker has arrived, in m.
const ARRIVAL_DISTANCE: f64 = 0.4;
/// Cells within which others are seen: near ones always, far ones where few are near.
const NEAR_CELLS: i64 = 2;
const FAR_CELLS: i64 = 5;
/// Number of others up to which a walker looks farther.
const FEW: usize = 12;
/// Size of the cells for which the open share of the surroundings is known, in m.
const SHARE_CELL: f64 = 0.5;
/// Least share of the surroundings that counts as open, so that densities stay finite.
const MIN_OPEN_SHARE: f64 = 0.2;

/// Further energy of places: what a behaviour net adds to the decision of its walker.
pub trait Influence {
    /// Energy (m) for a walker of a place (m) with a heading (rad), among others whose offsets are relative to `root`
    /// (m).
    fn energy(&self, walker: usize, root: DVec2, others: &[Near], place: DVec2, heading: f64) -> f64;
}

/// No further energy.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoInfluence;

impl Influence for NoInfluence {
    fn energy(&self, _walker: usize, _root: DVec2, _others: &[Near], _place: DVec2, _heading: f64) -> f64 {
        0.0
    }
}

/// Walkers on a floor. Everything besides the public state is derived from it or constant.
#[derive(Debug, Clone)]
pub struct Crowd {
    settings: CrowdSettings,
    floor: Floor,
    goals: Vec<Goal>,
    /// The walkers.
    pub walkers: Vec<Walker>,
    /// Whether each gate is open.
    pub gates_open: Vec<bool>,
    /// What moves besides the walkers.
    pub movers: Vec<Mover>,
    /// Index of the walker that is the first to decide in the next step.
    pub cursor: usize,
    grid: FieldGrid,
    fields: Vec<FloorField>,
    /// The gates for which the fields were computed.
    fields_for: Vec<bool>,
    /// Share of the surroundings of each cell that can be walked on.
    open_shares: Vec<f64>,
    share_columns: usize,
    neighbours: Neighbours,
    near: Vec<Near>,
}

impl Crowd {
    /// Creates a crowd without walkers.
    pub fn new(settings: CrowdSettings, floor: Floor, goals: Vec<Goal>) -> Self {
        let grid = FieldGrid::new(&floor, settings.cell, settings.radius);
        let fields = goals
            .iter()
            .map(|goal| match goal {
                Goal::Region(_) => grid.field(),
                _ => FloorField::default(),
            })
            .collect();
        let (open_shares, share_columns) = open_shares(&floor);
        let gates_open = vec![true; floor.gates().len()];
        let mut crowd = Self {
            neighbours: Neighbours::new(floor.min(), floor.max(), floor.ring().is_some()),
            settings,
            floor,
            goals,
            walkers: Vec::new(),
            gates_open,
            movers: Vec::new(),
            cursor: 0,
            grid,
            fields,
            fields_for: Vec::new(),
            open_shares,
            share_columns,
            near: Vec::new(),
        };
        crowd.march();
        crowd
    }

    /// The settings.
    pub fn settings(&self) -> &CrowdSettings {
        &self.settings
    }

    /// The floor.
    pub fn floor(&self) -> &Floor {
        &self.floor
    }

    /// The goals.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// Returns the length (m) of the way from a point to a goal, if there is one.
    pub fn way(&mut self, goal: usize, point: DVec2) -> Option<f64> {
        self.update_fields();
        match self.goals.get(goal)? {
            Goal::Region(_) => self.fields[goal].length(point),
            Goal::Point(place) => Some(point.distance(*place)),
            Goal::Direction(_) | Goal::Free => None,
        }
    }

    /// Sets the first decisions of the walkers to different times within a period (s), by their indices.
    pub fn stagger(&mut self, period: f64) {
        for (index, walker) in self.walkers.iter_mut().enumerate() {
            // Multiples of the golden ratio are spread evenly.
            let share = (index as f64 * 0.618_033_988_749_895).fract();
            walker.gait.until = share * period;
        }
    }

    /// Sorts the walkers by place, for [`around`](Self::around).
    pub fn sort(&mut self) {
        let positions = self.walkers.iter().map(Walker::position);
        self.neighbours.sort(positions);
    }

    /// Returns the walkers near one, as of the last call of [`sort`](Self::sort).
    pub fn around(&mut self, walker: usize) -> &[Near] {
        let root = self.walkers[walker].gait.root();
        self.find_near(walker, root);
        &self.near
    }

    /// Advances the crowd by a time (s).
    pub fn step(&mut self, time: f64, influence: &impl Influence) {
        self.update_fields();
        for walker in &mut self.walkers {
            walker.gait.elapsed += time;
        }
        self.sort();
        let count = self.walkers.len();
        let mut budget = (self.settings.decision_share * count as f64).ceil() as usize;
        let first = self.cursor;
        for turn in 0..count {
            let index = (first + turn) % count;
            let gait = &self.walkers[index].gait;
            if self.walkers[index].activity == Activity::Gone || gait.elapsed < gait.until {
                continue;
            }
            if budget == 0 {
                self.cursor = index;
                return;
            }
            budget -= 1;
            self.decide(index, influence);
        }
    }

    fn decide(&mut self, index: usize, influence: &impl Influence) {
        let mut walker = self.walkers[index];
        let root = walker.gait.root();
        let Some(&goal) = self.goals.get(walker.goal) else { return stand(&mut self.walkers[index], Activity::NoWay) };
        if has_arrived(&goal, root) {
            if self.settings.leave {
                walker.activity = Activity::Gone;
            } else {
                stand(&mut walker, Activity::Arrived);
            }
            self.walkers[index] = walker;
            return;
        }
        // A walker that was due before this step continues without a pause.
        let late = if walker.activity == Activity::Walking { walker.gait.elapsed - walker.gait.until } else { 0.0 };
        self.find_near(index, root);
        let view = View {
            settings: &self.settings,
            floor: &self.floor,
            goal,
            field: self.fields.get(walker.goal),
            gates_open: &self.gates_open,
            movers: &self.movers,
            near: &self.near,
            open_share: self.open_share(root),
            radius: self.settings.room(walker.need()),
        };
        let near = &self.near;
        view.decide(&mut walker, late, |place, heading| influence.energy(index, root, near, place, heading));
        self.walkers[index] = walker;
    }

    /// Lists the walkers near one.
    fn find_near(&mut self, index: usize, root: DVec2) {
        let ring = self.floor.ring();
        let Self { near, neighbours, walkers, .. } = self;
        for cells in [NEAR_CELLS, FAR_CELLS] {
            near.clear();
            neighbours.visit(root, cells, |other| {
                if other == index {
                    return;
                }
                let gait = &walkers[other].gait;
                let mut offset = gait.root() - root;
                if let Some(length) = ring {
                    offset.x -= length * (offset.x / length).round();
                }
                let remaining = (gait.duration - gait.elapsed).max(0.0);
                let (velocity, pace) = (gait.velocity(), gait.pace());
                near.push(Near { offset, velocity, pace, remaining, first: other < index });
            });
            if near.len() > FEW {
                break;
            }
        }
    }

    fn open_share(&self, point: DVec2) -> f64 {
        let place = ((point - self.floor.min()) / SHARE_CELL).floor().max(DVec2::ZERO);
        let column = (place.x as usize).min(self.share_columns - 1);
        let index = place.y as usize * self.share_columns + column;
        self.open_shares.get(index).copied().unwrap_or(1.0)
    }

    /// Computes the fields again if gates with a detour have changed.
    fn update_fields(&mut self) {
        let mut gates = self.floor.gates().iter().zip(self.gates_open.iter().zip(&self.fields_for));
        if gates.any(|(gate, (open, then))| gate.detour && open != then) {
            self.march();
        }
    }

    fn march(&mut self) {
        let Self { grid, fields, fields_for, goals, floor, gates_open, .. } = self;
        let closed = |point: DVec2| {
            let mut gates = floor.gates().iter().zip(gates_open.iter());
            gates.any(|(gate, open)| gate.detour && !open && gate.contains(point))
        };
        for (field, goal) in fields.iter_mut().zip(goals.iter()) {
            if let Goal::Region(region) = goal {
                grid.march(field, region, closed);
            }
        }
        fields_for.clone_from(gates_open);
    }
}

fn has_arrived(goal: &Goal, root: DVec2) -> bool {
    match goal {
        Goal::Region(region) => region.contains(root),
        Goal::Point(point) => root.distance(*point) < ARRIVAL_DISTANCE,
        Goal::Direction(_) | Goal::Free => false,
    }
}

/// The open share of the disc of counting round the middle of every cell, by row, and the number of columns.
fn open_shares(floor: &Floor) -> (Vec<f64>, usize) {
    let size = ((floor.max() - floor.min()) / SHARE_CELL).ceil();
    let (columns, rows) = (size.x as usize, size.y as usize);
    let samples: Vec<DVec2> = (-4..=4)
        .flat_map(|x| (-4..=4).map(move |y| DVec2::new(f64::from(x), f64::from(y)) * (COUNT_RADIUS / 4.5)))
        .filter(|offset| offset.length() < COUNT_RADIUS)
        .collect();
    let weight = |offset: &DVec2| 1.0 - offset.length_squared() / (COUNT_RADIUS * COUNT_RADIUS);
    let all: f64 = samples.iter().map(weight).sum();
    let share = |index: usize| {
        let place = DVec2::new((index % columns) as f64 + 0.5, (index / columns) as f64 + 0.5);
        let center = floor.min() + SHARE_CELL * place;
        if floor.clearance(center) <= 0.0 {
            return 0.5;
        }
        // What is behind a wall is not open.
        let is_open = |offset: &&DVec2| floor.segment_clearance(center, center + **offset) > 0.0;
        let open: f64 = samples.iter().filter(is_open).map(weight).sum();
        (open / all).max(MIN_OPEN_SHARE)
    };
    ((0..columns * rows).map(share).collect(), columns)
}
