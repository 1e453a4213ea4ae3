//! Settings of each paradigm, as tables of a scene file: `[simulation.impulse]` and its sisters. A table is read for its own
//! paradigm only; what is left out is as in the simulator's own defaults.

use std::sync::Arc;

use burgess_paradigms::collision_solver::{ChatterjeeRuina, CollisionLaw, Incremental, Newton};
use burgess_paradigms::constraint_solver::{AnalyticalSettings, ForceMethod, PenaltySettings, PenaltySpring};
use burgess_paradigms::{ContactPoints, HybridSettings, ImpulseOrder, ImpulseSettings, UpdateStrategy};
use burgess_simulation::TimeSteppingSettings;
use serde::{Deserialize, Serialize};

/// What a collision does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LawSpec {
    /// Restitution of velocities, Coulomb's friction.
    Newton,
    /// Restitution along the normal and across it.
    ChatterjeeRuina,
    /// Followed through the collision; restitution of impulses.
    Poisson,
    /// Followed through the collision; restitution of energy.
    Stronge,
}

impl LawSpec {
    /// The law itself.
    pub fn law(self) -> Arc<dyn CollisionLaw> {
        match self {
            Self::Newton => Arc::new(Newton),
            Self::ChatterjeeRuina => Arc::new(ChatterjeeRuina),
            Self::Poisson => Arc::new(Incremental::POISSON),
            Self::Stronge => Arc::new(Incremental::STRONGE),
        }
    }
}

/// A copy of an enum of the simulator that has words for files.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident for $target:ident { $($(#[$doc:meta])* $variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $($(#[$doc])* $variant),*
        }

        impl From<$name> for $target {
            fn from(word: $name) -> Self {
                match word {
                    $($name::$variant => Self::$variant),*
                }
            }
        }
    };
}

words! {
    /// See [`ImpulseOrder`].
    OrderSpec for ImpulseOrder {
        /// One collision after the other.
        Sequential,
        /// All collisions of a contact group at once.
        Simultaneous,
    }
}

words! {
    /// See [`ContactPoints`].
    PointsSpec for ContactPoints {
        /// The closest points alone.
        Closest,
        /// Those that were the closest a short while ago, too.
        Tracked,
        /// All of the region of contact.
        Region,
    }
}

words! {
    /// See [`ForceMethod`].
    MethodSpec for ForceMethod {
        /// Exact.
        Lemke,
        /// Sweeps.
        GaussSeidel,
        /// Contact after contact.
        Arnold,
    }
}

words! {
    /// See [`UpdateStrategy`].
    UpdateSpec for UpdateStrategy {
        /// Contacts and forces at every stage of a step.
        Eager,
        /// Forces at every stage, contacts once a step.
        PartlyLazy,
        /// Both once a step.
        Lazy,
    }
}

fn set<T>(setting: &mut T, given: Option<impl Into<T>>) {
    if let Some(given) = given {
        *setting = given.into();
    }
}

/// `[simulation.impulse]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImpulseTable {
    /// One collision after the other, or all at once; the former if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderSpec>,
    /// What a collision does; Chatterjee and Ruina's law if left out. Not with simultaneous impulses, which have Newton's
    /// restitution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub law: Option<LawSpec>,
    /// Which points of two bodies collide; tracked ones if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<PointsSpec>,
    /// Thickness of the collision envelope as a share of the size of the smallest body; 0.01 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon_share: Option<f64>,
    /// The restitution of slow contacts that touch; 2 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_restitution: Option<f64>,
    /// Sub-steps that one step may take; 100,000 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<u32>,
}

impl ImpulseTable {
    /// For the simulator.
    pub fn settings(&self) -> ImpulseSettings {
        let mut settings = ImpulseSettings::default();
        set(&mut settings.order, self.order);
        set(&mut settings.law, self.law.map(LawSpec::law));
        set(&mut settings.points, self.points);
        set(&mut settings.epsilon_share, self.epsilon_share);
        set(&mut settings.max_restitution, self.max_restitution);
        set(&mut settings.budget, self.budget.map(|budget| budget as usize));
        settings
    }
}

/// `[simulation.analytical]`, and `[simulation.hybrid.forces]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnalyticalTable {
    /// How forces are found; by Lemke's algorithm if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<MethodSpec>,
    /// What is done anew at each stage of a step; everything (eager) if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update: Option<UpdateSpec>,
    /// The most contacts of a group that Lemke's algorithm is asked for; larger ones are swept. 24 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_exact: Option<u32>,
    /// Gaps up to this are contacts, in m; 0.001 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact_tolerance: Option<f64>,
    /// Bodies that get deeper in each other than this in a step collide, in m; 0.001 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penetration_tolerance: Option<f64>,
    /// The share of an error that one step takes back, from 0 to 1; 0.2 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<f64>,
    /// Slip slower than what gravity gains in a step times this counts as none; 0.5 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest_share: Option<f64>,
    /// Are the terms of rolling surfaces in the accelerations? They are if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolling_terms: Option<bool>,
}

impl AnalyticalTable {
    /// For the simulator.
    pub fn settings(&self) -> (AnalyticalSettings, UpdateStrategy) {
        let (mut settings, mut strategy) = (AnalyticalSettings::default(), UpdateStrategy::default());
        set(&mut settings.method, self.method);
        set(&mut strategy, self.update);
        set(&mut settings.most_exact, self.most_exact.map(|most| most as usize));
        set(&mut settings.contact_tolerance, self.contact_tolerance);
        set(&mut settings.penetration_tolerance, self.penetration_tolerance);
        set(&mut settings.feedback, self.feedback);
        set(&mut settings.rest_share, self.rest_share);
        set(&mut settings.rolling_terms, self.rolling_terms);
        (settings, strategy)
    }
}

/// `[simulation.penalty]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PenaltyTable {
    /// Of all contacts, in N/m; as stiff as the step and the masses allow if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// Of contacts with a given stiffness, in N s/m; none if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<f64>,
    /// The most sweeps over all contacts; 100 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sweeps: Option<u32>,
    /// Sweeping ends when no velocity changes by more than this, in m/s; 1e-10 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// The fastest that errors of constraints are taken back, in m/s; 1 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery_speed: Option<f64>,
}

impl PenaltyTable {
    /// For the simulator.
    pub fn settings(&self) -> PenaltySettings {
        let mut settings = PenaltySettings::default();
        if let Some(stiffness) = self.stiffness {
            settings.spring = PenaltySpring::Given { stiffness, damping: self.damping.unwrap_or(0.0) };
        }
        set(&mut settings.sweeps, self.sweeps);
        set(&mut settings.tolerance, self.tolerance);
        set(&mut settings.recovery_speed, self.recovery_speed);
        settings
    }
}

/// `[simulation.hybrid]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HybridTable {
    /// A contact lasts when its bodies have touched for so many steps; 5 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lasting_after: Option<u32>,
    /// What a collision does; Chatterjee and Ruina's law if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub law: Option<LawSpec>,
    /// Of contacts that last.
    #[serde(skip_serializing_if = "super::is_default")]
    pub forces: AnalyticalTable,
}

impl HybridTable {
    /// For the simulator.
    pub fn settings(&self) -> HybridSettings {
        let mut settings = HybridSettings::default();
        set(&mut settings.lasting_after, self.lasting_after);
        set(&mut settings.law, self.law.map(LawSpec::law));
        (settings.forces, settings.strategy) = self.forces.settings();
        settings
    }
}

/// `[simulation.time_stepping]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeSteppingTable {
    /// The fastest that penetration is taken back, in m/s; 1 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery_speed: Option<f64>,
    /// The share of a penetration that one step takes back; 0.2 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery_share: Option<f64>,
    /// Slower than gravity times the step times this, contacts do not bounce; 2 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounce_threshold: Option<f64>,
    /// Groups of up to so many rows, three a contact, may be solved directly; 150 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direct_rows: Option<u32>,
    /// Sweeping ends, too, when no velocity changes by more than this, in m/s; 1e-9 if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absolute_tolerance: Option<f64>,
}

impl TimeSteppingTable {
    /// For the simulator, with the `iterations` and the `tolerance` that the scene has for them. A given number of
    /// iterations is the only bound: it lifts the solver's own on the work for large groups.
    pub fn settings(&self, iterations: Option<u32>, tolerance: Option<f64>) -> TimeSteppingSettings {
        let mut settings = TimeSteppingSettings::default();
        set(&mut settings.recovery_speed, self.recovery_speed);
        set(&mut settings.recovery_share, self.recovery_share);
        set(&mut settings.bounce_threshold, self.bounce_threshold);
        set(&mut settings.solver.direct_rows, self.direct_rows.map(|rows| rows as usize));
        set(&mut settings.solver.tolerance, self.absolute_tolerance);
        set(&mut settings.solver.relative_tolerance, tolerance);
        if let Some(iterations) = iterations {
            settings.solver.sweeps = iterations;
            (settings.solver.contacts, settings.solver.new_contacts) = (u32::MAX, u32::MAX);
        }
        settings
    }
}
