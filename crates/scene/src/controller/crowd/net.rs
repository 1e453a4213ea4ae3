//! Checks and building of behaviour nets and transition networks.

use burgess_agents::crowd::Region;
use burgess_agents::net::{Averaging, BehaviourNet, Control, Link, LinkKind, NetError, Node, NodeKind, Sensor};
use burgess_agents::network::{Action, Network, State, Transition};
use burgess_files::{At, Fault};

use super::behaviour::{
    ActionSpec, AveragingSpec, BehaviourNodeKind, ControlNode, NetworkOwner, NetworkSpec, StateSpec,
};
use super::names::{Variables, position, unique};
use super::spec::CrowdSpec;
use crate::error::FieldError;
use crate::rules::{conflict, finite, not_negative, positive};

impl CrowdSpec {
    /// Builds the behaviour net. `object` gives the index of a body among the objects.
    pub(super) fn net(
        &self,
        at: At,
        mut object: impl FnMut(At, &str) -> Result<usize, FieldError>,
    ) -> Result<BehaviourNet, FieldError> {
        let list = at.field("nodes");
        unique(list, self.nodes.iter().map(|node| node.name.as_str()))?;
        let mut nodes = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let at = list.index(index);
            let kind = match &node.kind {
                BehaviourNodeKind::Object(node) => {
                    NodeKind::Perceptual(Sensor::Object(object(at.field("body"), &node.body)?))
                }
                BehaviourNodeKind::Location(node) => NodeKind::Perceptual(Sensor::Location(node.point)),
                BehaviourNodeKind::Line(node) => NodeKind::Perceptual(Sensor::Line(node.a, node.b)),
                BehaviourNodeKind::Terrain(node) => {
                    let region = |index: usize| Region { min: node.regions[index].min, max: node.regions[index].max };
                    let list = at.field("regions");
                    for (index, region) in node.regions.iter().enumerate() {
                        if !region.min.cmple(region.max).all() {
                            conflict(list.index(index), "min must not be above max")?;
                        }
                    }
                    NodeKind::Perceptual(Sensor::Terrain((0..node.regions.len()).map(region).collect()))
                }
                BehaviourNodeKind::Proximity(node) => {
                    positive(at.field("distance"), node.distance)?;
                    positive(at.field("angle"), node.angle)?;
                    let averaging = match node.averaging {
                        AveragingSpec::Nearest => Averaging::Nearest,
                        AveragingSpec::Mean => Averaging::Mean,
                    };
                    NodeKind::Perceptual(Sensor::Proximity { distance: node.distance, angle: node.angle, averaging })
                }
                BehaviourNodeKind::FieldOfView(node) => {
                    positive(at.field("distance"), node.distance)?;
                    positive(at.field("angle"), node.angle)?;
                    NodeKind::Perceptual(Sensor::FieldOfView { distance: node.distance, angle: node.angle })
                }
                BehaviourNodeKind::Attract(node) => NodeKind::Control(control(at, node, false)?),
                BehaviourNodeKind::Avoid(node) => NodeKind::Control(control(at, node, true)?),
                BehaviourNodeKind::Walk(_) => NodeKind::Walk,
            };
            nodes.push(Node { name: node.name.clone(), kind });
        }
        let list = at.field("links");
        let known = self.nodes.iter().map(|node| node.name.as_str());
        let mut links = Vec::new();
        for (index, link) in self.links.iter().enumerate() {
            let at = list.index(index);
            let from = position(at.field("from"), "node", &link.from, known.clone())?;
            let to = position(at.field("to"), "node", &link.to, known.clone())?;
            finite(at.field("weight"), link.weight)?;
            let kind = if link.inhibits { LinkKind::Inhibit } else { LinkKind::Carry };
            links.push(Link { from, to, weight: link.weight, kind });
        }
        BehaviourNet::new(nodes, links).map_err(|error| {
            let (NetError::Node { link, .. } | NetError::Kind { link, .. }) = error;
            list.index(link).fault(Fault::Conflict(error.to_string()))
        })
    }

    /// Builds the transition networks.
    pub(super) fn built_networks(&self, at: At, variables: &Variables) -> Result<Vec<Network>, FieldError> {
        let list = at.field("networks");
        unique(list, self.networks.iter().map(|network| network.name.as_str()))?;
        let mut networks = Vec::new();
        for (index, network) in self.networks.iter().enumerate() {
            let at = list.index(index);
            let states = at.field("states");
            if network.states.is_empty() {
                conflict(states, "a network needs at least one state")?;
            }
            unique(states, network.states.iter().map(|state| state.name.as_str()))?;
            let mut built = Vec::new();
            for (index, state) in network.states.iter().enumerate() {
                built.push(self.state(states.index(index), network, state, variables)?);
            }
            networks.push(Network {
                name: network.name.clone(),
                states: built,
                of_walkers: network.of == NetworkOwner::Pedestrians,
                starts: !network.spawned,
            });
        }
        Ok(networks)
    }

    fn state(
        &self,
        at: At,
        network: &NetworkSpec,
        state: &StateSpec,
        variables: &Variables,
    ) -> Result<State, FieldError> {
        let list = at.field("actions");
        let mut actions = Vec::new();
        for (index, action) in state.actions.iter().enumerate() {
            actions.push(self.action(list.index(index), network, action, variables)?);
        }
        let list = at.field("transitions");
        let names = network.states.iter().map(|state| state.name.as_str());
        let mut transitions = Vec::new();
        for (index, transition) in state.transitions.iter().enumerate() {
            let at = list.index(index);
            let to = position(at.field("to"), "state", &transition.to, names.clone())?;
            transitions.push(Transition { to, guard: variables.bind(at.field("if"), &transition.guard)? });
        }
        Ok(State { name: state.name.clone(), actions, transitions })
    }

    fn action(
        &self,
        at: At,
        network: &NetworkSpec,
        action: &ActionSpec,
        variables: &Variables,
    ) -> Result<Action, FieldError> {
        let links = self.links.iter().map(|link| link.name.as_str()).filter(|name| !name.is_empty());
        let link = |name: &str| {
            position(at.field("link"), "link", name, links.clone())?;
            Ok::<usize, FieldError>(self.links.iter().position(|link| link.name == name).unwrap_or(0))
        };
        let is_walkers = network.of == NetworkOwner::Pedestrians;
        let needs_walker =
            matches!(action, ActionSpec::Bind(_) | ActionSpec::Unbind(_) | ActionSpec::Weigh(_) | ActionSpec::Send(_));
        if needs_walker && !is_walkers {
            conflict(at, "only a network of pedestrians can do this; remove of = \"scene\"")?;
        }
        Ok(match action {
            ActionSpec::Bind(action) => Action::Bind(link(&action.link)?),
            ActionSpec::Unbind(action) => Action::Unbind(link(&action.link)?),
            ActionSpec::Weigh(action) => {
                Action::Weigh(link(&action.link)?, variables.bind(at.field("weight"), &action.weight)?)
            }
            ActionSpec::Signal(action) => {
                let signals = self.signals.iter().map(String::as_str);
                let signal = position(at.field("name"), "signal", &action.name, signals)?;
                Action::Signal(signal, variables.bind(at.field("value"), &action.value)?)
            }
            ActionSpec::Send(action) => {
                let goals = self.goals.iter().map(|goal| goal.name.as_str());
                Action::Send(position(at.field("goal"), "goal", &action.goal, goals)?)
            }
            ActionSpec::Spawn(action) => {
                let names = self.networks.iter().map(|network| network.name.as_str());
                let other = position(at.field("network"), "network", &action.network, names)?;
                if !is_walkers && self.networks[other].of == NetworkOwner::Pedestrians {
                    conflict(at.field("network"), "a network of the scene cannot spawn one of pedestrians")?;
                }
                Action::Spawn(other)
            }
            ActionSpec::Wait(action) => Action::Wait(variables.bind(at.field("seconds"), &action.seconds)?),
        })
    }
}

fn control(at: At, node: &ControlNode, avoid: bool) -> Result<Control, FieldError> {
    not_negative(at.field("distance"), node.distance)?;
    not_negative(at.field("angle"), node.angle)?;
    finite(at.field("distance_weight"), node.distance_weight)?;
    finite(at.field("angle_weight"), node.angle_weight)?;
    let ControlNode { distance, angle, distance_weight, angle_weight } = *node;
    Ok(Control { avoid, distance, angle, distance_weight, angle_weight })
}
