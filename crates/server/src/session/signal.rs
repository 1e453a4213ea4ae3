//! Signals: the numbers of a session that can be plotted over time. All signals of one step form a row of floats; a
//! [`Layout`] says where each signal is in the row.

use serde::{Deserialize, Serialize};

macro_rules! quantities {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// All quantities, in the order of a row.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
        }
    };
}

quantities! {
    /// A quantity of the whole world.
    WorldQuantity {
        /// Kinetic energy, in J.
        KineticEnergy,
        /// Potential energy of gravity and springs, in J.
        PotentialEnergy,
        /// Sum of kinetic and potential energy, in J.
        TotalEnergy,
        /// Position of the centre of mass of all moving bodies along x, in m.
        CentreX,
        /// Position of the centre of mass along y, in m.
        CentreY,
        /// Height of the centre of mass, in m.
        CentreZ,
        /// Number of contacts.
        Contacts,
        /// Sum of the magnitudes of all contact forces, in N.
        ContactForce,
        /// Deepest penetration, in m.
        Penetration,
    }
}

quantities! {
    /// A quantity of a body.
    BodyQuantity {
        /// Position of the body's frame along x, in m.
        PositionX,
        /// Position along y, in m.
        PositionY,
        /// Height, in m.
        PositionZ,
        /// Velocity of the frame's origin along x, in m/s.
        VelocityX,
        /// Velocity along y, in m/s.
        VelocityY,
        /// Velocity along z, in m/s.
        VelocityZ,
        /// Magnitude of the velocity, in m/s.
        Speed,
        /// Angular velocity about x, in rad/s.
        AngularVelocityX,
        /// Angular velocity about y, in rad/s.
        AngularVelocityY,
        /// Angular velocity about z, in rad/s.
        AngularVelocityZ,
        /// Magnitude of the angular velocity, in rad/s.
        AngularSpeed,
        /// Sum of the contact forces along x, in N.
        ContactForceX,
        /// Sum of the contact forces along y, in N.
        ContactForceY,
        /// Sum of the contact forces along z, in N.
        ContactForceZ,
        /// Magnitude of the sum of the contact forces, in N.
        ContactForce,
        /// Angle between the z axis of the body's frame and the vertical, in rad.
        Tilt,
    }
}

quantities! {
    /// A quantity of an axis of a joint.
    JointQuantity {
        /// Position, in rad or m. An axis of a spherical joint has a component of the rotation vector.
        Position,
        /// Velocity, in rad/s or m/s.
        Velocity,
        /// Effort of springs and motors, in N m or N.
        Effort,
    }
}

quantities! {
    /// A quantity of an actuator.
    ActuatorQuantity {
        /// The control.
        Control,
        /// The force before the gear.
        Force,
    }
}

impl BodyQuantity {
    /// Quantities of a body of which only the pose is known.
    pub const POSE: &'static [Self] = &[Self::PositionX, Self::PositionY, Self::PositionZ, Self::Tilt];
    /// Quantities of a body of which the pose and the velocities are known.
    pub const MOTION: &'static [Self] = &[
        Self::PositionX,
        Self::PositionY,
        Self::PositionZ,
        Self::VelocityX,
        Self::VelocityY,
        Self::VelocityZ,
        Self::Speed,
        Self::AngularVelocityX,
        Self::AngularVelocityY,
        Self::AngularVelocityZ,
        Self::AngularSpeed,
        Self::Tilt,
    ];
}

/// A number of a session that changes over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "of", rename_all = "lowercase", deny_unknown_fields)]
pub enum Signal {
    /// A quantity of the whole world.
    World {
        /// The quantity.
        quantity: WorldQuantity,
    },
    /// A quantity of a body.
    Body {
        /// Index of the body in a frame.
        body: usize,
        /// The quantity.
        quantity: BodyQuantity,
    },
    /// A quantity of an axis of the joint between a body and its parent.
    Joint {
        /// Index of the body in a frame.
        body: usize,
        /// Index of the axis.
        axis: usize,
        /// The quantity.
        quantity: JointQuantity,
    },
    /// A quantity of an actuator.
    Actuator {
        /// Index of the actuator.
        actuator: usize,
        /// The quantity.
        quantity: ActuatorQuantity,
    },
    /// A value of a sensor.
    Sensor {
        /// Index of the sensor.
        sensor: usize,
        /// Index of the value.
        component: usize,
    },
    /// The output of a node of the brain.
    Neuron {
        /// Index of the node.
        neuron: usize,
    },
}

/// Where the signals of a session are in a row: those of the world, of the bodies, of the axes of joints, of the
/// actuators, of the sensors, and of the nodes of the brain.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    /// Number of axes of the joint of each body.
    pub axes: Vec<usize>,
    /// Number of actuators.
    pub actuators: usize,
    /// Number of values of each sensor.
    pub sensors: Vec<usize>,
    /// Number of nodes of the brain.
    pub neurons: usize,
}

impl Layout {
    /// Index of a signal in a row; none if the signal does not exist.
    pub fn index(&self, signal: &Signal) -> Option<usize> {
        let bodies = WorldQuantity::ALL.len();
        let joints = bodies + self.axes.len() * BodyQuantity::ALL.len();
        let actuators = joints + self.axes.iter().sum::<usize>() * JointQuantity::ALL.len();
        let sensors = actuators + self.actuators * ActuatorQuantity::ALL.len();
        let neurons = sensors + self.sensors.iter().sum::<usize>();
        match *signal {
            Signal::World { quantity } => Some(quantity as usize),
            Signal::Body { body, quantity } => {
                (body < self.axes.len()).then(|| bodies + body * BodyQuantity::ALL.len() + quantity as usize)
            }
            Signal::Joint { body, axis, quantity } => {
                let is_there = self.axes.get(body).is_some_and(|&axes| axis < axes);
                let before = || self.axes[..body].iter().sum::<usize>() + axis;
                is_there.then(|| joints + before() * JointQuantity::ALL.len() + quantity as usize)
            }
            Signal::Actuator { actuator, quantity } => (actuator < self.actuators)
                .then(|| actuators + actuator * ActuatorQuantity::ALL.len() + quantity as usize),
            Signal::Sensor { sensor, component } => {
                let is_there = self.sensors.get(sensor).is_some_and(|&values| component < values);
                is_there.then(|| sensors + self.sensors[..sensor].iter().sum::<usize>() + component)
            }
            Signal::Neuron { neuron } => (neuron < self.neurons).then_some(neurons + neuron),
        }
    }

    /// Number of floats of a row.
    pub fn floats(&self) -> usize {
        WorldQuantity::ALL.len()
            + self.axes.len() * BodyQuantity::ALL.len()
            + self.axes.iter().sum::<usize>() * JointQuantity::ALL.len()
            + self.actuators * ActuatorQuantity::ALL.len()
            + self.sensors.iter().sum::<usize>()
            + self.neurons
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every float of a row belongs to exactly one signal, and signals that do not exist have no place.
    #[test]
    fn signals_fill_a_row_without_gaps() {
        let layout = Layout { axes: vec![0, 2, 1], actuators: 2, sensors: vec![3, 1], neurons: 4 };
        let mut signals: Vec<Signal> = WorldQuantity::ALL.iter().map(|&quantity| Signal::World { quantity }).collect();
        for body in 0..4 {
            signals.extend(BodyQuantity::ALL.iter().map(|&quantity| Signal::Body { body, quantity }));
        }
        for (body, axis) in (0..4).flat_map(|body| (0..3).map(move |axis| (body, axis))) {
            signals.extend(JointQuantity::ALL.iter().map(|&quantity| Signal::Joint { body, axis, quantity }));
        }
        for actuator in 0..3 {
            signals.extend(ActuatorQuantity::ALL.iter().map(|&quantity| Signal::Actuator { actuator, quantity }));
        }
        for (sensor, component) in (0..3).flat_map(|sensor| (0..4).map(move |component| (sensor, component))) {
            signals.push(Signal::Sensor { sensor, component });
        }
        signals.extend((0..6).map(|neuron| Signal::Neuron { neuron }));
        let places: Vec<usize> = signals.iter().filter_map(|signal| layout.index(signal)).collect();
        assert_eq!(places, (0..layout.floats()).collect::<Vec<_>>());
    }
}
