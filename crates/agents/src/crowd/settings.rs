//! The numbers that shape a crowd.

/// Time after which a walker that is blocked begins to squeeze past others, in s.
const PATIENCE: f64 = 2.0;

/// Settings of a crowd. Energies are lengths of way: a term of 0.1 m is worth a detour of 0.1 m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrowdSettings {
    /// Radius of the room that a walker takes, in m.
    pub radius: f64,
    /// Radius of the room of a walker that turns its shoulders to squeeze past others, in m. It is the radius of its
    /// body: nobody ever comes nearer.
    pub squeezed_radius: f64,
    /// Size of the cells of floor fields, in m.
    pub cell: f64,
    /// Distance ahead of the next place at which the way is judged, in m.
    pub look_ahead: f64,
    /// Energy of a turn, in m/rad^2.
    pub turning: f64,
    /// Distance that walkers like to keep from walls, in m.
    pub wall_distance: f64,
    /// Energy of a place at a wall, in m.
    pub wall_avoidance: f64,
    /// Distance that walkers like to keep from others, in m.
    pub personal_distance: f64,
    /// Energy of a place that touches another walker, in m.
    pub personal_avoidance: f64,
    /// Energy of an encounter that is about to happen, in m.
    pub meeting_avoidance: f64,
    /// Time in which the energy of an encounter falls to 37 %, in s. Karamouzas et al. (2014) measured 3 s.
    pub meeting_time: f64,
    /// Energy of standing for a second, in m/s.
    pub impatience: f64,
    /// Share of the walkers that may decide in one step of the crowd. Others decide in the following ones.
    pub decision_share: f64,
    /// Whether walkers leave the floor at their goal.
    pub leave: bool,
}

impl Default for CrowdSettings {
    fn default() -> Self {
        Self {
            radius: 0.18,
            squeezed_radius: 0.14,
            cell: 0.1,
            look_ahead: 0.6,
            turning: 0.05,
            wall_distance: 0.15,
            wall_avoidance: 0.05,
            personal_distance: 0.25,
            personal_avoidance: 0.1,
            meeting_avoidance: 0.5,
            meeting_time: 3.0,
            impatience: 0.1,
            decision_share: 1.0 / 15.0,
            leave: false,
        }
    }
}

impl CrowdSettings {
    /// Radius of the room (m) of a walker that has not got ahead for a time (s).
    pub(super) fn room(&self, waited: f64) -> f64 {
        let squeeze = ((waited - PATIENCE) / PATIENCE).clamp(0.0, 1.0);
        self.radius + squeeze * (self.squeezed_radius - self.radius).min(0.0)
    }
}
