//! Watches one creature during a trial and sums up what it did.

use burgess_collision::narrow_phase::NarrowScratch;
use burgess_simulation::Stage;
use glam::DVec3;

use super::anatomy::{Anatomy, Sight};
use super::descriptors::Descriptors;
use super::gait;
use crate::nerves::Target;
use crate::task::{Ground, LONGEST, Measure, Measures, Task};

/// Looks a second, about: as many steps apart as come nearest.
pub(super) const RATE: f64 = 60.0;
/// Every so many looks paths, gaps and extents are measured: ten times a second.
const COARSE: u64 = 6;
/// Every so many looks a sample for the gait is taken.
const GAIT: u64 = (RATE / gait::RATE) as u64;
/// The last phase is this share of the trial.
const LATE: f64 = 0.75;
/// Axes that moved by more have moved, in rad.
const ACTIVE: f64 = 0.1;
/// Accelerations at which a motion is half smooth, in rad/s^2.
const HALF_SMOOTH: f64 = 100.0;

/// Where a creature was at one time.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    center_of_mass: DVec3,
    trunk: DVec3,
}

/// Everything else that is in the arena and is measured.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Things {
    /// Collider of the ball.
    pub ball: Option<usize>,
    /// Collider of the cube.
    pub cube: Option<usize>,
}

/// One creature under watch.
#[derive(Debug)]
pub(super) struct Probe {
    pub anatomy: Anatomy,
    things: Things,
    places: Vec<DVec3>,
    radius: f64,
    is_flat: bool,
    length: f64,
    duration: f64,
    transient: f64,
    looks: u64,
    start: Mark,
    start_sight: Sight,
    steady: Option<Mark>,
    late: Option<Mark>,
    last_coarse: Mark,
    last_look: DVec3,
    sight: Sight,
    paths: [f64; 3],
    lowest_sum: f64,
    trunk_height_sum: f64,
    height_sum: f64,
    max_lowest: f64,
    max_highest: f64,
    max_height: f64,
    max_extent: f64,
    first_contact: Option<f64>,
    touching_looks: u64,
    part_contacts: Vec<u64>,
    touches: Vec<bool>,
    self_penetration: f64,
    energy: f64,
    work: f64,
    /// Does nothing act on it but gravity and contacts?
    is_free: bool,
    was_touched: bool,
    momentum: DVec3,
    momentum_gain: f64,
    /// Of each axis at the last step.
    rates: Vec<f64>,
    /// Of each axis at the last look.
    look_rates: Vec<f64>,
    acceleration_square_sum: f64,
    accelerations: u64,
    ranges: Vec<[f64; 2]>,
    gait: Vec<f64>,
    ball_start: DVec3,
    ball_end: DVec3,
    ball_gap: f64,
    cube_gap: f64,
    start_cube_gap: f64,
    least_cube_gap: f64,
    opponent_gap: f64,
    place: usize,
    place_from: DVec3,
    scratch: NarrowScratch,
}

impl Probe {
    pub fn new(anatomy: Anatomy, task: &Task, target: &Target, things: Things, length: f64) -> Self {
        let (places, radius) = match target {
            Target::Places { places, radius, .. } => (places.clone(), *radius),
            _ => (Vec::new(), 0.0),
        };
        let (axes, parts) = (anatomy.axes.len(), anatomy.organs.len());
        Self {
            things,
            places,
            radius,
            is_flat: task.arena.ground != Ground::None,
            length,
            duration: task.duration,
            transient: task.transient,
            looks: 0,
            start: Mark::default(),
            start_sight: Sight::default(),
            steady: None,
            late: None,
            last_coarse: Mark::default(),
            last_look: DVec3::ZERO,
            sight: Sight::default(),
            paths: [0.0; 3],
            lowest_sum: 0.0,
            trunk_height_sum: 0.0,
            height_sum: 0.0,
            max_lowest: f64::NEG_INFINITY,
            max_highest: f64::NEG_INFINITY,
            max_height: f64::NEG_INFINITY,
            max_extent: 0.0,
            first_contact: None,
            touching_looks: 0,
            part_contacts: vec![0; parts],
            touches: vec![false; parts],
            self_penetration: 0.0,
            energy: 0.0,
            work: 0.0,
            is_free: task.arena.water.is_none() && !task.start.root_is_fixed,
            was_touched: true,
            momentum: DVec3::ZERO,
            momentum_gain: 0.0,
            rates: vec![0.0; axes],
            look_rates: vec![0.0; axes],
            acceleration_square_sum: 0.0,
            accelerations: 0,
            ranges: vec![[f64::INFINITY, f64::NEG_INFINITY]; axes],
            gait: Vec::with_capacity((task.duration.min(LONGEST) * gait::RATE) as usize + 8),
            ball_start: DVec3::ZERO,
            ball_end: DVec3::ZERO,
            ball_gap: f64::INFINITY,
            cube_gap: f64::INFINITY,
            start_cube_gap: f64::INFINITY,
            least_cube_gap: f64::INFINITY,
            opponent_gap: f64::INFINITY,
            place: 0,
            place_from: DVec3::ZERO,
            scratch: NarrowScratch::default(),
            anatomy,
        }
    }

    /// Everything is counted from here. The workspace is current.
    pub fn begin(&mut self, stage: &Stage) {
        self.sight = self.anatomy.look(&stage.workspace);
        self.start_sight = self.sight;
        self.start = self.mark();
        self.last_coarse = self.start;
        self.place_from = self.start.trunk;
        self.ball_start = self.ball_place(stage).unwrap_or_default();
        self.look_at_things(stage);
        self.start_cube_gap = self.cube_gap;
        for (index, axis) in self.anatomy.axes.iter().enumerate() {
            self.rates[index] = stage.state.v[axis.v];
            self.look_rates[index] = stage.state.v[axis.v];
        }
    }

    /// Where it is and where it was when the watch began.
    pub fn way(&self) -> [DVec3; 2] {
        [self.start.center_of_mass, self.sight.center_of_mass]
    }

    /// How far the centre of mass got between the last two looks, in m.
    pub fn jump(&self) -> f64 {
        (self.sight.center_of_mass - self.last_look).length()
    }

    /// What was seen last.
    pub fn sight(&self) -> &Sight {
        &self.sight
    }

    /// What happens in a step, whose end the state shows.
    pub fn watch_step(&mut self, stage: &Stage, step: f64) {
        for (axis, rate) in self.anatomy.axes.iter().zip(&mut self.rates) {
            let now = stage.state.v[axis.v];
            let power = Anatomy::effort(stage, *axis) * 0.5 * (now + *rate);
            self.energy += power.abs() * step;
            self.work += power * step;
            *rate = now;
        }
        self.was_touched |= self.anatomy.is_touched(stage);
    }

    /// What the muscles put in so far, in J.
    pub fn work(&self) -> f64 {
        self.work
    }

    /// A look at a time since the muscles woke, in s, some seconds after the last one. The workspace is current.
    pub fn look(&mut self, stage: &Stage, time: f64, interval: f64) {
        self.last_look = self.sight.center_of_mass;
        self.sight = self.anatomy.look(&stage.workspace);
        let mark = self.mark();
        // Half a microsecond of grace for the rounding of times.
        if self.steady.is_none() && time >= self.transient - 5e-7 {
            self.steady = Some(mark);
        }
        if self.late.is_none() && time >= LATE * self.duration - 5e-7 {
            self.late = Some(mark);
        }
        self.max_lowest = self.max_lowest.max(self.sight.lowest);
        self.max_highest = self.max_highest.max(self.sight.highest);
        self.max_height = self.max_height.max(self.sight.center_of_mass.z);
        self.look_at_contacts(stage, time);
        self.look_at_joints(stage, interval);
        self.look_at_momentum(stage, interval);
        self.chase();
        if self.looks.is_multiple_of(COARSE) {
            self.look_closely(stage);
        }
        self.count();
    }

    /// As if nothing happened for so many looks more.
    pub fn wait(&mut self, looks: u64) {
        for _ in 0..looks {
            self.count();
        }
    }

    fn count(&mut self) {
        self.looks += 1;
        self.lowest_sum += self.sight.lowest;
        self.trunk_height_sum += self.sight.trunk.z;
        self.height_sum += self.sight.center_of_mass.z;
        self.touching_looks += u64::from(self.touches.contains(&true));
        for (count, touches) in self.part_contacts.iter_mut().zip(&self.touches) {
            *count += u64::from(*touches);
        }
    }

    fn mark(&self) -> Mark {
        Mark { center_of_mass: self.sight.center_of_mass, trunk: self.sight.trunk }
    }

    fn look_at_contacts(&mut self, stage: &Stage, time: f64) {
        self.touches.fill(false);
        let (touches, deepest) = (&mut self.touches, &mut self.self_penetration);
        self.anatomy.contacts(stage, |part, other, gap| match other {
            Some(_) => *deepest = deepest.max(-gap),
            None => touches[part] = true,
        });
        if self.first_contact.is_none() && touches.contains(&true) {
            self.first_contact = Some(time);
        }
    }

    fn look_at_joints(&mut self, stage: &Stage, interval: f64) {
        let mut sum = 0.0;
        for (index, axis) in self.anatomy.axes.iter().enumerate() {
            let (angle, rate) = (stage.state.q[axis.q], stage.state.v[axis.v]);
            let range = &mut self.ranges[index];
            *range = [range[0].min(angle), range[1].max(angle)];
            if interval > 0.0 {
                let acceleration = (rate - self.look_rates[index]) / interval;
                self.acceleration_square_sum += acceleration * acceleration;
                self.accelerations += 1;
            }
            self.look_rates[index] = rate;
            sum += gait::weight(index) * angle;
        }
        if self.looks.is_multiple_of(GAIT) {
            self.gait.push(sum);
        }
    }

    /// In free flight only gravity changes the momentum.
    fn look_at_momentum(&mut self, stage: &Stage, interval: f64) {
        if !self.is_free {
            return;
        }
        let momentum = self.anatomy.momentum(&stage.workspace);
        if !self.was_touched && interval > 0.0 {
            let explained = self.anatomy.mass * interval * stage.world.model().gravity;
            self.momentum_gain += (momentum - self.momentum - explained).length();
        }
        self.momentum = momentum;
        self.was_touched = false;
    }

    /// Goes to the next place when the present one is reached, as the nerves do.
    fn chase(&mut self) {
        if let Some(&place) = self.places.get(self.place)
            && self.distance(self.sight.trunk, place) <= self.radius
        {
            self.place += 1;
            self.place_from = self.sight.trunk;
        }
    }

    fn look_closely(&mut self, stage: &Stage) {
        let mark = self.mark();
        let way = mark.center_of_mass - self.last_coarse.center_of_mass;
        let trunk_way = mark.trunk - self.last_coarse.trunk;
        let ways = [libm::hypot(way.x, way.y), way.length(), libm::hypot(trunk_way.x, trunk_way.y)];
        self.paths.iter_mut().zip(ways).for_each(|(path, way)| *path += way);
        self.last_coarse = mark;
        self.max_extent = self.max_extent.max(self.anatomy.extent(&stage.workspace));
        self.look_at_things(stage);
    }

    fn look_at_things(&mut self, stage: &Stage) {
        let Self { anatomy, scratch, .. } = self;
        let mut gap = |collider: Option<usize>| {
            let collider = &stage.world.colliders()[collider?];
            let pose =
                collider.link.map(|link| stage.workspace.pose(stage.world.model(), link).compose(&collider.pose));
            Some(anatomy.gap(stage, &collider.shape, &pose?, scratch))
        };
        if let Some(gap) = gap(self.things.ball) {
            self.ball_gap = self.ball_gap.min(gap);
        }
        if let Some(gap) = gap(self.things.cube) {
            self.cube_gap = gap;
            self.least_cube_gap = self.least_cube_gap.min(gap);
        }
    }

    fn ball_place(&self, stage: &Stage) -> Option<DVec3> {
        Some(stage.world.collider_pose(&stage.workspace, self.things.ball?).translation)
    }

    fn distance(&self, a: DVec3, b: DVec3) -> f64 {
        if self.is_flat { libm::hypot(a.x - b.x, a.y - b.y) } else { (a - b).length() }
    }

    /// The smallest gap to another creature so far.
    pub fn meet(&mut self, other: &Self, stage: &Stage) {
        self.opponent_gap = self.opponent_gap.min(self.anatomy.gap_to(&other.anatomy, stage, &mut self.scratch));
    }

    /// The last look at things. The workspace is current.
    pub fn end(&mut self, stage: &Stage) {
        self.look_closely(stage);
        self.ball_end = self.ball_place(stage).unwrap_or_default();
    }

    /// How near it is to the cube, in m: at the end and at the start.
    pub fn cube_gaps(&self) -> [f64; 2] {
        [self.cube_gap, self.start_cube_gap]
    }

    /// The smallest gap to the ball so far, in m; negative: depth.
    pub fn ball_gap(&self) -> f64 {
        self.ball_gap
    }

    /// What was seen: after a trial of so many seconds, of an opponent at the end so far from the cube, and with so much energy
    /// from nowhere.
    pub fn measures(&self, time: f64, opponent_cube_gap: f64, energy_gain: f64) -> Measures {
        let mut measures = Measures::default();
        let mut put =
            |measure: Measure, value: f64| measures[measure] = if value.is_finite() { value + 0.0 } else { 0.0 };
        let end = self.mark();
        let flat = |way: DVec3| libm::hypot(way.x, way.y);
        let way = end.center_of_mass - self.start.center_of_mass;
        let trunk_way = end.trunk - self.start.trunk;
        put(Measure::Forward, way.x);
        put(Measure::Sideways, way.y.abs());
        put(Measure::Distance, flat(way));
        put(Measure::SpatialDistance, way.length());
        put(Measure::Path, self.paths[0]);
        put(Measure::SpatialPath, self.paths[1]);
        put(Measure::TrunkForward, trunk_way.x);
        put(Measure::TrunkSideways, trunk_way.y.abs());
        put(Measure::TrunkDistance, flat(trunk_way));
        put(Measure::TrunkPath, self.paths[2]);
        let steady = self.steady.unwrap_or(end);
        let steady_way = end.center_of_mass - steady.center_of_mass;
        put(Measure::SteadyForward, steady_way.x);
        put(Measure::SteadyDistance, flat(steady_way));
        put(Measure::SteadySpatialDistance, steady_way.length());
        put(Measure::SteadyTrunkDistance, flat(end.trunk - steady.trunk));
        let late_way = end.center_of_mass - self.late.unwrap_or(end).center_of_mass;
        let late_time = (1.0 - LATE) * self.duration;
        put(Measure::LateSpeed, flat(late_way) / late_time);
        put(Measure::LateSpatialSpeed, late_way.length() / late_time);
        put(Measure::Straightness, self.straightness());
        let looks = self.looks.max(1) as f64;
        put(Measure::MaxLowest, self.max_lowest);
        put(Measure::MeanLowest, self.lowest_sum / looks);
        put(Measure::MaxHighest, self.max_highest);
        put(Measure::MeanTrunkHeight, self.trunk_height_sum / looks);
        put(Measure::MaxHeight, self.max_height);
        put(Measure::MeanHeight, self.height_sum / looks);
        put(Measure::Rise, way.z);
        let ball_way = self.ball_end - self.ball_start;
        put(Measure::BallX, ball_way.x);
        put(Measure::BallY, ball_way.y);
        put(Measure::BallZ, ball_way.z);
        put(Measure::BallDistance, ball_way.length());
        put(Measure::BallGap, self.ball_gap.max(0.0));
        put(Measure::Targets, self.place as f64);
        put(Measure::TargetProgress, self.target_progress());
        put(Measure::Energy, self.energy);
        put(Measure::Work, self.work);
        put(Measure::EnergyGain, energy_gain);
        put(Measure::MomentumGain, self.momentum_gain);
        let roughness = libm::sqrt(self.acceleration_square_sum / self.accelerations.max(1) as f64);
        put(Measure::Roughness, roughness);
        put(Measure::Smoothness, 1.0 / (1.0 + roughness / HALF_SMOOTH));
        put(Measure::Parts, self.anatomy.organs.len() as f64);
        put(Measure::Axes, self.anatomy.axes.len() as f64);
        put(Measure::Mass, self.anatomy.mass);
        put(Measure::Length, self.length);
        put(Measure::MaxExtent, self.max_extent);
        put(Measure::FirstContact, self.first_contact.unwrap_or(self.duration));
        put(Measure::ContactShare, self.touching_looks as f64 / looks);
        put(Measure::SelfPenetration, self.self_penetration);
        put(Measure::CubeGap, self.cube_gap.max(0.0));
        put(Measure::LeastCubeGap, self.least_cube_gap.max(0.0));
        put(Measure::OpponentCubeGap, opponent_cube_gap.max(0.0));
        put(Measure::OpponentGap, self.opponent_gap.max(0.0));
        put(Measure::Time, time);
        put(Measure::Duration, self.duration);
        measures
    }

    fn straightness(&self) -> f64 {
        let way = self.sight.center_of_mass - self.start.center_of_mass;
        let path = if self.is_flat { self.paths[0] } else { self.paths[1] };
        let distance = if self.is_flat { libm::hypot(way.x, way.y) } else { way.length() };
        if path > 1e-6 { (distance / path).min(1.0) } else { 0.0 }
    }

    fn target_progress(&self) -> f64 {
        let Some(&place) = self.places.get(self.place) else { return 0.0 };
        let whole = self.distance(self.place_from, place) - self.radius;
        let left = self.distance(self.sight.trunk, place) - self.radius;
        if whole > 0.0 { (1.0 - left / whole).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// How it behaved.
    pub fn descriptors(&self) -> Descriptors {
        let looks = self.looks.max(1) as f64;
        let moved = |axis: usize| self.ranges[axis][1] - self.ranges[axis][0] > ACTIVE;
        Descriptors {
            parts: self.anatomy.organs.len(),
            height: self.start_sight.highest - self.start_sight.lowest,
            mass: self.anatomy.mass,
            active_joints: self.anatomy.organs.iter().filter(|organ| organ.axes.clone().any(moved)).count(),
            gait_frequency: gait::frequency(&self.gait),
            duty_factors: self.part_contacts.iter().map(|&count| count as f64 / looks).collect(),
            straightness: self.straightness(),
        }
    }
}
